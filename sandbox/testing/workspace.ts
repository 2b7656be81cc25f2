import {
  createAuthClient,
  createClientClient,
  createGatewayClient,
  createGeneralClient,
  createRewardsClient,
  createSandboxClient,
  createV2ClientClient,
  createV2PlatformClient,
} from '../../generated/index.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { realTimer } from '../runtime/clock.ts';

/** The API addresses of a workspace and its credentials. */
type Addressed = Pick<components['schemas']['Workspace'], 'urls' | 'credentials'>;

/** Typed API clients of a workspace, each with its credential. */
export type Clients = ReturnType<typeof clientsOf>;

/** Creates the API clients of a workspace. `admin` is the admin token for the control API, if one is needed. */
export function clientsOf({ urls, credentials }: Addressed, admin?: string) {
  return {
    urls,
    credentials,
    /** The control API, with the admin token if one was passed. */
    control: createSandboxClient({ baseUrl: urls.sandbox, ...(admin !== undefined && { token: admin }) }),
    /** The customer authentication API, with the microsite's credentials. */
    auth: createAuthClient({ baseUrl: urls.client, basic: credentials.basic }),
    /** The rewards API, optionally with a token. */
    rewards: (token?: string) => createRewardsClient({ baseUrl: urls.rewards, ...(token !== undefined && { token }) }),
    /** The client-hosted API with a token, by default the service token. */
    client: (token: string = credentials.service_token) => createClientClient({ baseUrl: urls.client, token }),
    /** The platform's part of the version 2.0 API, optionally with a token. */
    v2Platform: (token?: string) =>
      createV2PlatformClient({ baseUrl: urls.rewards, ...(token !== undefined && { token }) }),
    /** The client's part of the version 2.0 API with a token, by default the service token. */
    v2Client: (token: string = credentials.service_token) => createV2ClientClient({ baseUrl: urls.client, token }),
    /** The general API, optionally with a token. */
    general: (token?: string) => createGeneralClient({ baseUrl: urls.general, ...(token !== undefined && { token }) }),
    /** The message gateway with a token, by default the gateway token of the workspace. */
    gateway: (token: string = credentials.gateway_token) => createGatewayClient({ baseUrl: urls.gateway, token }),
  };
}

/** Returns the body of a typed client's response. If there is none, throws an error with the URL, the status and the error body. */
export function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data !== undefined) return data;
  throw new Error(`${response.url} returned ${response.status}: ${JSON.stringify(error)}`);
}

type Made = components['schemas']['Workspace'];
type Ledger = components['schemas']['Ledger'];

/** The default timeout of `waitFor` and its polling interval, in real milliseconds. */
const usualPatience = 10_000;
const betweenLooks = 25;
/** Maximum time to wait for the validation of calls, in seconds. The first calls wait until the contracts are loaded. */
const judgedWithin = 60;

/** A workspace for one test, with its own customers, catalogue, ledger, clock and credentials, and with clients for its APIs. */
export interface TestWorkspace extends Clients {
  readonly id: string;
  /** The frozen clock of the workspace, which only the test advances. */
  readonly clock: {
    /** Advances the clock and runs the jobs that become due, such as deliveries, reversals and credits. */
    readonly advance: (seconds: number) => Promise<void>;
    /** Runs all jobs that are due now. */
    readonly settle: () => Promise<void>;
  };
  /** Makes the platform call your client server instead of the reference client. */
  readonly pointAt: (clientUrl: string, serviceToken: string) => Promise<void>;
  /** Requests a company token, which your server sends to the platform. */
  readonly companyToken: () => Promise<string>;
  /** Signs a customer in at the reference client with the OTP from the outbox. Returns the customer's token for the rewards API. */
  readonly customerToken: (uid: string) => Promise<string>;
  /** Returns a customer's balance and newest ledger entries, as recorded by the client. */
  readonly ledger: (uid: string) => Promise<Ledger>;
  /**
   * Calls `look` until it returns a value, and resolves with that value. Rejects with `what` in its message after
   * `milliseconds`, by default 10,000.
   */
  readonly waitFor: <T>(what: string, look: Look<T>, milliseconds?: number) => Promise<T>;
  /** Rejects if the ledgers of platform and client differ. */
  readonly assertBooksEven: () => Promise<void>;
  /**
   * Rejects if any request or response in this workspace violates the interface, or if not all calls could be validated in
   * time.
   */
  readonly assertContractsKept: () => Promise<void>;
}

/** A condition for `waitFor`. It returns `undefined` or `false` until the condition is met. */
type Look<T> = () => T | undefined | false | Promise<T | undefined | false>;

/** Builds a test workspace from the response that created it. */
export function testWorkspace(made: Made): TestWorkspace {
  const clients = clientsOf(made, made.admin_token);
  const { control, auth, rewards, credentials } = clients;
  const companyToken = async () => {
    const body = { secret: credentials.company_secret };
    return dataOf(await rewards().POST('/v1/company/auth', { body })).token;
  };
  return {
    ...clients,
    id: made.id,
    companyToken,
    waitFor,
    clock: {
      async advance(seconds) {
        dataOf(await control.POST('/clock/advance', { body: { seconds } }));
      },
      async settle() {
        dataOf(await control.POST('/settle'));
      },
    },
    async pointAt(clientUrl, serviceToken) {
      const settings = { client_url: clientUrl, client_token: serviceToken };
      dataOf(await control.PATCH('/workspace', { body: { settings } }));
    },
    async customerToken(uid) {
      const customer = { customer_id: uid };
      const { reference_id } = dataOf(await auth.POST('/api/v1/auth/generate-otp', { body: customer }));
      const { items } = dataOf(await control.GET('/messages', { params: { query: { uid } } }));
      const otp = items[0]?.otp ?? '';
      const verified = await auth.POST('/api/v1/auth/verify-otp', { body: { ...customer, otp, reference_id } });
      const body = { uid, token: dataOf(verified).token };
      return dataOf(await rewards(await companyToken()).POST('/v1/customer/auth', { body })).token;
    },
    async ledger(uid) {
      return dataOf(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
    },
    async assertBooksEven() {
      const ledgers = dataOf(await control.GET('/reconciliation'));
      if (ledgers.items.length === 0 && ledgers.next === null) return;
      throw new Error(`the ledgers differ: ${JSON.stringify(ledgers, null, 2)}`);
    },
    async assertContractsKept() {
      const query = { severity: 'error', wait: judgedWithin } as const;
      const found = dataOf(await control.GET('/findings', { params: { query } }));
      if (found.items.length > 0)
        throw new Error(`calls violate the interface: ${JSON.stringify(found.items, null, 2)}`);
      if (found.checked_to < found.newest) throw new Error(`calls were not checked within ${judgedWithin} s`);
    },
  };
}

async function waitFor<T>(what: string, look: Look<T>, milliseconds = usualPatience): Promise<T> {
  for (let left = milliseconds; ; left -= betweenLooks) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (left <= 0) throw new Error(`${what}: not within ${milliseconds} ms`);
    await new Promise<void>((resolve) => void realTimer(resolve, betweenLooks));
  }
}
