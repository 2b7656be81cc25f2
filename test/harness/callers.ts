/** Credentials for every kind of caller in the contracts. */
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

/** The customer used for calls that need one. */
export const someone = 'CUST0002';

/** The credentials of every kind of caller, as `Authorization` values. */
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

  /** Returns the credential for a security scheme. Throws if this file does not list the scheme. */
  for(scheme: string): string {
    return this.#credentials[kindOf(scheme)];
  }

  /** Returns the credentials that none of these schemes accepts. */
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

/** Signs the customer in. If too many wrong codes locked the account, advances the clock by 15 minutes and retries. */
async function signInCustomer(sandbox: TestSandbox) {
  try {
    return await signIn(sandbox, someone);
  } catch {
    await sandbox.control.POST('/clock/advance', { body: { seconds: 900 } });
    return signIn(sandbox, someone);
  }
}
