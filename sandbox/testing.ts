import {
  type AuthClient,
  type ClientClient,
  createAuthClient,
  createClientClient,
  createGatewayClient,
  createGeneralClient,
  createRewardsClient,
  createSandboxClient,
  createV2ClientClient,
  createV2PlatformClient,
  type GatewayClient,
  type GeneralClient,
  type RewardsClient,
  type SandboxClient,
  type V2ClientClient,
  type V2PlatformClient,
} from '../generated/index.ts';
import type { components } from '../generated/sandbox/types.ts';
import { realTimer } from './runtime/timer.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';

type Made = components['schemas']['Workspace'];
type Ledger = components['schemas']['Ledger'];

/** How long `waitFor` waits where nothing else is said, and between two looks, in real milliseconds. */
const usualPatience = 10_000;
const betweenLooks = 25;

/** A sandbox in this process, for the tests of a file or of a run. */
export interface TestSandbox {
  /** The address that it listens on. */
  readonly origin: string;
  /**
   * Runs a test with a workspace of its own, whose time stands still. Rejects as the test does, or where the books differ in the end
   * (`TestWorkspace.assertBooksEven`). The workspace is removed in either case.
   */
  readonly withWorkspace: (test: (workspace: TestWorkspace) => unknown) => Promise<void>;
  /** Ends it. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a sandbox for tests, on a free port and in memory. Options are those of `startSandbox`, and it rejects as that does.
 */
export async function sandboxForTests(options: SandboxOptions = {}): Promise<TestSandbox> {
  const sandbox = await startSandbox({ port: 0, workspaces: 2000, ...options });
  const { urls, admin_token: token } = sandbox.workspace;
  const control = createSandboxClient({ baseUrl: urls.sandbox, token });
  return {
    origin: sandbox.origin,
    close: sandbox.close,
    async withWorkspace(test) {
      const workspace = new TestWorkspace(dataOf(await control.POST('/workspaces', { body: { clock: 'frozen' } })));
      try {
        await test(workspace);
        await workspace.assertBooksEven();
      } finally {
        dataOf(await control.DELETE('/workspaces/{id}', { params: { path: { id: workspace.id } } }));
      }
    },
  };
}

/** One test's own sandbox: customers, catalogue, ledger, clock and credentials that nobody else has. */
export class TestWorkspace {
  readonly id: string;
  readonly urls: Made['urls'];
  readonly credentials: Made['credentials'];
  /** The control API, as whoever has this workspace. */
  readonly control: SandboxClient;
  /** Sign-in by one-time password at the reference client, with the microsite's credentials. */
  readonly auth: AuthClient;

  constructor({ id, urls, credentials, admin_token: token }: Made) {
    this.id = id;
    this.urls = urls;
    this.credentials = credentials;
    this.control = createSandboxClient({ baseUrl: urls.sandbox, token });
    this.auth = createAuthClient({ baseUrl: urls.client, basic: credentials.basic });
  }

  /** The rewards API, with a token or without one. */
  rewards(token?: string): RewardsClient {
    return createRewardsClient({ baseUrl: this.urls.rewards, ...(token !== undefined && { token }) });
  }

  /** The client-hosted API of the reference client; left out, the token is the service token. */
  client(token = this.credentials.service_token): ClientClient {
    return createClientClient({ baseUrl: this.urls.client, token });
  }

  /** The platform's half of version 2.0, with a token or without one. */
  v2Platform(token?: string): V2PlatformClient {
    return createV2PlatformClient({ baseUrl: this.urls.rewards, ...(token !== undefined && { token }) });
  }

  /** The client's half of version 2.0; left out, the token is the service token. */
  v2Client(token = this.credentials.service_token): V2ClientClient {
    return createV2ClientClient({ baseUrl: this.urls.client, token });
  }

  /** The general API, with a token or without one. */
  general(token?: string): GeneralClient {
    return createGeneralClient({ baseUrl: this.urls.general, ...(token !== undefined && { token }) });
  }

  /** The message gateway; left out, the token is the workspace's. */
  gateway(token = this.credentials.gateway_token): GatewayClient {
    return createGatewayClient({ baseUrl: this.urls.gateway, token });
  }

  /** Time, which moves when the test says so. */
  readonly clock = {
    /** Moves it on, and runs what falls due on the way: deliveries, reversals, credits. */
    advance: async (seconds: number): Promise<void> => {
      dataOf(await this.control.POST('/clock/advance', { body: { seconds } }));
    },
    /** Runs what is due now. */
    settle: async (): Promise<void> => {
      dataOf(await this.control.POST('/settle'));
    },
  };

  /** Has the platform call a client server of yours in place of the reference client. */
  async pointAt(clientUrl: string, serviceToken: string): Promise<void> {
    const settings = { client_url: clientUrl, client_token: serviceToken };
    dataOf(await this.control.PATCH('/workspace', { body: { settings } }));
  }

  /** A token of the company, as your server shows it to the platform. */
  async companyToken(): Promise<string> {
    const body = { secret: this.credentials.company_secret };
    return dataOf(await this.rewards().POST('/v1/company/auth', { body })).token;
  }

  /** A customer's token for the rewards API: signed in at the reference client, by the code out of the outbox. */
  async customerToken(uid: string): Promise<string> {
    const asked = { customer_id: uid };
    const { reference_id } = dataOf(await this.auth.POST('/api/v1/auth/generate-otp', { body: asked }));
    const { items } = dataOf(await this.control.GET('/messages', { params: { query: { uid } } }));
    const otp = items[0]?.otp ?? '';
    const verified = await this.auth.POST('/api/v1/auth/verify-otp', { body: { ...asked, otp, reference_id } });
    const company = this.rewards(await this.companyToken());
    return dataOf(await company.POST('/v1/customer/auth', { body: { uid, token: dataOf(verified).token } })).token;
  }

  /** Balance and newest entries of a customer, as the client has them. */
  async ledger(uid: string): Promise<Ledger> {
    return dataOf(await this.control.GET('/ledger/{uid}', { params: { path: { uid } } }));
  }

  /**
   * Looks again and again until there is something, and resolves with it. Rejects with what was waited for after ten seconds of
   * waiting, or after so many milliseconds.
   */
  async waitFor<T>(
    what: string,
    look: () => T | undefined | false | Promise<T | undefined | false>,
    milliseconds = usualPatience,
  ): Promise<T> {
    for (let left = milliseconds; ; left -= betweenLooks) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      if (left <= 0) throw new Error(`${what}: not within ${milliseconds} ms`);
      await new Promise<void>((resolve) => void realTimer(resolve, betweenLooks));
    }
  }

  /** Rejects where points of platform and client differ, or something is left over. */
  async assertBooksEven(): Promise<void> {
    const books = dataOf(await this.control.GET('/reconciliation'));
    if (books.items.length > 0 || books.next !== null) {
      throw new Error(`the books differ: ${JSON.stringify(books, null, 2)}`);
    }
  }
}

/** What a typed client was answered. Throws where the call was refused: with the status, where, and the body. */
function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (response.ok) return data as T;
  throw new Error(`${response.url} was answered ${response.status}: ${JSON.stringify(error)}`);
}
