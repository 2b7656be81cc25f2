/** Credentials of every kind of caller in the contracts. */
import { logIn, signIn, type TestSandbox } from './sandbox.ts';

/** The kind of caller that each security scheme of the contracts authenticates. */
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

/** The customer of calls that need one. */
export const someone = 'CUST0002';

/** The credentials of every kind of caller, each as the value of `Authorization`. */
export class Callers {
  readonly #credentials: Readonly<Record<Kind, string>>;

  private constructor(credentials: Readonly<Record<Kind, string>>) {
    this.#credentials = credentials;
  }

  static async signedIn(sandbox: TestSandbox): Promise<Callers> {
    const { basic, service_token, gateway_token } = sandbox.credentials;
    const { jwt, companyToken, customerToken } = await signInCustomer(sandbox);
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

  /** The credential for a security scheme. Throws for a scheme that this file does not list. */
  for(scheme: string): string {
    return this.#credentials[kindOf(scheme)];
  }

  /** The credentials that none of these schemes accepts. */
  others(schemes: readonly string[]): string[] {
    const acceptedKinds = new Set<Kind>(schemes.map(kindOf));
    return Object.entries(this.#credentials).flatMap(([kind, credential]) =>
      acceptedKinds.has(kind as Kind) ? [] : [credential],
    );
  }
}

function kindOf(scheme: string): Kind {
  const kind = (kinds as Readonly<Record<string, Kind>>)[scheme];
  if (kind === undefined) throw new Error(`who calls under the security scheme ${scheme}? Add it to callers.ts`);
  return kind;
}

/** Signs the customer in; if too many wrong codes locked the account, a quarter of an hour later. */
async function signInCustomer(sandbox: TestSandbox) {
  try {
    return await signIn(sandbox, someone);
  } catch {
    await sandbox.control.POST('/clock/advance', { body: { seconds: 900 } });
    return signIn(sandbox, someone);
  }
}
