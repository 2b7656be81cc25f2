/** Every kind of caller that the contracts know, signed in. */
import { logIn, signIn, type TestSandbox } from './sandbox.ts';

/** Who can call: what each has, and how the schemes of the contracts take it. */
const kinds = {
  companyToken: 'company',
  companyBearer: 'company',
  customerToken: 'customer',
  customerBearer: 'customer',
  customerJwt: 'jwt',
  serviceToken: 'service',
  basic: 'basic',
  gatewayToken: 'gateway',
  accessToken: 'access',
  adminToken: 'admin',
} as const;

export type Kind = (typeof kinds)[keyof typeof kinds];

/** The customer in whose name calls are made where one is needed. */
export const someone = 'CUST0002';

/** The credentials of every kind of caller, each as it stands in `Authorization`. */
export class Callers {
  readonly #held: Readonly<Record<Kind, string>>;

  private constructor(held: Readonly<Record<Kind, string>>) {
    this.#held = held;
  }

  static async signedIn(sandbox: TestSandbox): Promise<Callers> {
    const { basic, service_token, gateway_token } = sandbox.credentials;
    const { jwt, companyToken, customerToken } = await signedIn(sandbox);
    return new Callers({
      company: `Bearer ${companyToken}`,
      customer: `Bearer ${customerToken}`,
      jwt: `Bearer ${jwt}`,
      service: `Bearer ${service_token}`,
      basic: `Basic ${btoa(`${basic.username}:${basic.password}`)}`,
      gateway: `Bearer ${gateway_token}`,
      access: `Bearer ${await logIn(sandbox, someone)}`,
      admin: `Bearer ${sandbox.workspace.admin_token}`,
    });
  }

  /** What a security scheme takes. Throws for one that this file does not know yet. */
  for(scheme: string): string {
    return this.#held[kindOf(scheme)];
  }

  /** What callers have that none of these schemes takes. */
  others(schemes: readonly string[]): string[] {
    const taken = new Set<Kind>(schemes.map(kindOf));
    return Object.entries(this.#held).flatMap(([kind, held]) => (taken.has(kind as Kind) ? [] : [held]));
  }
}

function kindOf(scheme: string): Kind {
  const kind = (kinds as Readonly<Record<string, Kind>>)[scheme];
  if (kind === undefined) throw new Error(`who calls under the security scheme ${scheme}? Add it to callers.ts`);
  return kind;
}

/** A customer whom too many wrong codes locked is signed in a quarter of an hour later. */
async function signedIn(sandbox: TestSandbox) {
  try {
    return await signIn(sandbox, someone);
  } catch {
    await sandbox.control.POST('/clock/advance', { body: { seconds: 900 } });
    return signIn(sandbox, someone);
  }
}
