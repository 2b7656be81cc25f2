/** Builds a recording call by call, with its own clock, and converts it to a HAR. */
import { registry } from '../../../sandbox/apis/registry.ts';
import { har } from '../../harness/captures.ts';

export type Json = Record<string, unknown>;
type Server = 'rewards' | 'client' | 'portal' | 'general' | 'webhook';

/** An exchange. Mutants change copies of it. */
export interface Call {
  readonly operation: string;
  server: Server;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: Json | undefined;
  /** `undefined` if no reply arrived. */
  status: number | undefined;
  reply: Json | undefined;
  replyHeaders: Record<string, string>;
  start: number;
  end: number;
  /** The server's address, if it is not the default. */
  base?: string;
}

/** Returns the headers of the portal's pages. */
const page = (status: number | undefined): Record<string, string> => ({
  'x-trace-id': '4bf92f3577b34da6a3ce929d0e0e4736',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors *",
  'x-content-type-options': 'nosniff',
  'content-type': 'text/html',
  ...(status === 303 && { location: '/portal/s/abcdefgh/rewards' }),
});

const operations: Readonly<Record<string, readonly [Server, method: string, path: string]>> = {
  companyAuth: ['rewards', 'POST', '/v1/company/auth'],
  customerAuth: ['rewards', 'POST', '/v1/customer/auth'],
  listRewards: ['rewards', 'GET', '/v1/partner/rewards'],
  createRedemptionOrder: ['rewards', 'POST', '/v1/partner/redeemptiononskus'],
  getWalletDetail: ['rewards', 'GET', '/getwalletdetail'],
  sendPaymentEvent: ['rewards', 'POST', '/v1/partner/events/payment'],
  listCatalog: ['rewards', 'GET', '/api/v1/catalog'],
  createOrder: ['rewards', 'POST', '/api/v1/orders'],
  getOrderStatus: ['rewards', 'GET', '/api/v1/orders/status'],
  getProfileAndPoints: ['client', 'POST', '/getProfileAndPoints'],
  creditPoints: ['client', 'POST', '/creditPoints'],
  saveRedeemDetails: ['client', 'POST', '/saveRedeemDetails'],
  updateRedeemStatus: ['client', 'POST', '/updateRedeemStatus'],
  generateOtp: ['client', 'POST', '/api/v1/auth/generate-otp'],
  verifyOtp: ['client', 'POST', '/api/v1/auth/verify-otp'],
  getCustomerPoints: ['client', 'GET', '/api/v1/customer/points'],
  redeemPoints: ['client', 'POST', '/api/v1/orders/redeem'],
  reversePoints: ['client', 'POST', '/api/v1/orders/reverse'],
  openPortal: ['portal', 'GET', '/signin'],
  login: ['general', 'POST', '/v1/auth/login'],
  getUserProfile: ['general', 'GET', '/v1/users/profile'],
  listProducts: ['general', 'GET', '/v1/products'],
  createProductOrder: ['general', 'POST', '/v1/orders'],
  catalogueUpdated: ['webhook', 'POST', '/hooks/catalogue'],
};

export interface RecordedRequest {
  readonly query?: Record<string, string>;
  readonly body?: Json;
  readonly authorization?: string;
  readonly headers?: Record<string, string>;
}

/** Records calls. A nested call lies between the start and end of the outer one. */
export class Recording {
  readonly calls: Call[] = [];
  #now = Date.UTC(2026, 0, 12, 4, 30);

  /** Records a call. `meanwhile` records the calls that the other party makes before it replies. */
  call(
    operation: string,
    request: RecordedRequest,
    status: number | undefined,
    reply?: Json,
    meanwhile: () => void = () => {},
  ): void {
    const [server, method, path] = operations[operation] ?? (['rewards', 'GET', `/${operation}`] as const);
    const { query = {}, body, authorization, headers = {} } = request;
    const start = this.#tick();
    meanwhile();
    this.calls.push({
      operation,
      server,
      method,
      path,
      query,
      headers: {
        host: '127.0.0.1:4010',
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
      status,
      reply,
      replyHeaders: server === 'portal' ? page(status) : { 'content-type': 'application/json' },
      start,
      end: this.#tick(),
    });
  }

  /** Lets time pass without a call. */
  wait(hours: number): void {
    this.#now += hours * 3_600_000;
  }

  #tick(): number {
    this.#now += 100;
    return this.#now;
  }
}

/** Serializes a recording as a HAR. The calls are in the order in which they ended. */
export function harOf(calls: readonly Call[]): string {
  return har(calls.map(entryOf));
}

/** Converts a call to a HAR entry. */
export function entryOf(call: Call) {
  const { server, method, path, query, headers, body, status, reply, replyHeaders, start, end } = call;
  const { base = `http://127.0.0.1:4010${server === 'webhook' ? '' : registry[server].prefix}` } = call;
  const search = new URLSearchParams(query).toString();
  const list = (of: Record<string, string>) => Object.entries(of).map(([name, value]) => ({ name, value }));
  const text = server === 'portal' && status !== 303 ? '<!doctype html>' : reply && JSON.stringify(reply);
  return {
    ...(Number.isNaN(start) ? {} : { startedDateTime: new Date(start).toISOString(), time: end - start }),
    request: {
      method,
      url: `${base}${path}${search === '' ? '' : `?${search}`}`,
      headers: list(headers),
      bodySize: body === undefined ? 0 : JSON.stringify(body).length,
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: {
      status: status ?? 0,
      headers: list(replyHeaders),
      content: { size: text?.length ?? 0, ...(text !== undefined && { text }) },
    },
  };
}
