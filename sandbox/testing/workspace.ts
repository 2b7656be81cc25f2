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
import { realTimer } from '../runtime/timer.ts';

/** Where the APIs of a workspace are, and what opens them. */
type Addressed = Pick<components['schemas']['Workspace'], 'urls' | 'credentials'>;

/** Typed clients of a workspace, each with its credential; the control API's with its admin token, where one is given. */
export type Clients = ReturnType<typeof clientsOf>;

export function clientsOf({ urls, credentials }: Addressed, admin?: string) {
  return {
    urls,
    credentials,
    /** The control API. */
    control: createSandboxClient({ baseUrl: urls.sandbox, ...(admin !== undefined && { token: admin }) }),
    /** The customer authentication API, with the microsite's credentials. */
    auth: createAuthClient({ baseUrl: urls.client, basic: credentials.basic }),
    /** The rewards API with a token, or without one. */
    rewards: (token?: string) => createRewardsClient({ baseUrl: urls.rewards, ...(token !== undefined && { token }) }),
    /** The client-hosted API, with a token: by default the service token. */
    client: (token: string = credentials.service_token) => createClientClient({ baseUrl: urls.client, token }),
    /** The platform's half of the version 2.0 list, with a token or without one. */
    v2Platform: (token?: string) =>
      createV2PlatformClient({ baseUrl: urls.rewards, ...(token !== undefined && { token }) }),
    /** The client's half, with a token: by default the service token. */
    v2Client: (token: string = credentials.service_token) => createV2ClientClient({ baseUrl: urls.client, token }),
    /** The general API with a token, or without one. */
    general: (token?: string) => createGeneralClient({ baseUrl: urls.general, ...(token !== undefined && { token }) }),
    /** The message gateway, with a token: by default the workspace's. */
    gateway: (token: string = credentials.gateway_token) => createGatewayClient({ baseUrl: urls.gateway, token }),
  };
}

/** What a typed client was answered. Throws if the call was refused, or had no body: with the address, the status and the error. */
export function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data !== undefined) return data;
  throw new Error(`${response.url} returned ${response.status}: ${JSON.stringify(error)}`);
}

type Made = components['schemas']['Workspace'];
type Ledger = components['schemas']['Ledger'];

/** How long `waitFor` waits where nothing else is said, and between two looks, in real milliseconds. */
const usualPatience = 10_000;
const betweenLooks = 25;
/** How long calls may take to be checked, in seconds: the first ones wait until the contracts are loaded. */
const judgedWithin = 60;

/** One test's own sandbox: customers, catalogue, ledger, clock and credentials that nobody else has, and clients of its APIs. */
export interface TestWorkspace extends Clients {
  readonly id: string;
  /** Time, which moves when the test says so. */
  readonly clock: {
    /** Moves it on, and runs what falls due on the way: deliveries, reversals, credits. */
    readonly advance: (seconds: number) => Promise<void>;
    /** Runs what is due now. */
    readonly settle: () => Promise<void>;
  };
  /** Has the platform call a client server of yours in place of the reference client. */
  readonly pointAt: (clientUrl: string, serviceToken: string) => Promise<void>;
  /** A token of the company, as your server shows it to the platform. */
  readonly companyToken: () => Promise<string>;
  /** A customer's token for the rewards API: signed in at the reference client, by the code out of the outbox. */
  readonly customerToken: (uid: string) => Promise<string>;
  /** Balance and newest entries of a customer, as the client has them. */
  readonly ledger: (uid: string) => Promise<Ledger>;
  /**
   * Calls `look` until it returns a value, and resolves with that. Rejects with `what` after ten seconds, or after
   * `milliseconds`.
   */
  readonly waitFor: <T>(what: string, look: Look<T>, milliseconds?: number) => Promise<T>;
  /** Rejects where points of platform and client differ, or something is left over. */
  readonly assertBooksEven: () => Promise<void>;
  /**
   * Rejects if a call of this test, by either side, violates the interface, or if not all calls could be validated in
   * time.
   */
  readonly assertContractsKept: () => Promise<void>;
}

/** A condition for `waitFor`: undefined and false mean not yet. */
type Look<T> = () => T | undefined | false | Promise<T | undefined | false>;

/** A workspace as it was answered when it was made. */
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
