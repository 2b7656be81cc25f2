/** Repeats recorded calls in a sandbox workspace, with the ids and credentials of that workspace. */
import { contentOf } from '../conformance/decoding.ts';
import { header, type Reply } from '../conformance/exchange.ts';
import { jsonOf } from '../conformance/statements/parsed-exchange.ts';
import { type Clients, dataOf } from '../testing/workspace.ts';
import { customerOf, isAccepted, leavesOf, type RecordedCall } from './call.ts';
import { Credentials } from './credentials.ts';

/** The sandbox's reply, or the reason that the call was not compared. */
type Answer = Reply | { readonly why: string };

/** Balance for customers whose balance the recording does not show. */
const plenty = 1_000_000;
/** Maximum clock advance between two calls, and the total advance after which tokens are replaced, both in seconds. */
const mostSeconds = 30;
const lifetime = 1200;
/** Time limit for a reply, in milliseconds. */
const patience = 20_000;

/**
 * Fields with ids from earlier replies, fields that name a catalogue item, and fields with values that are never mapped to
 * workspace ids.
 */
const idFields = /(?:_id|Id|[cC]ode|cursor|reference|ref)$/;
const catalogueFields = new Set(['sku', 'SKU', 'sku_code', 'productCode']);
const ownCodes = new Set(['projectCode', 'partnerCode', 'customer_id', ...catalogueFields]);

/** Operations that move points: orders at catalogue prices, and deductions. */
const orders = new Set(['createRedemptionOrder', 'createOrder', 'createProductOrder']);
const deductions = new Set(['saveRedeemDetails', 'redeemPoints']);

/** A replay of one side of a recording in its own workspace. */
export class Replay {
  readonly #workspace: Clients;
  readonly #calls: readonly RecordedCall[];
  readonly #credentials: Credentials;
  /** Workspace ids, keyed by the recorded ids. */
  readonly #ids = new Map<string, string>();
  readonly #redeemCodes = new Set<unknown>();
  #time: number | undefined;
  #advanced = 0;
  #skus: ReadonlySet<string> = new Set();

  /** @param calls the whole recording, which shows token owners and customer balances */
  constructor(workspace: Clients, calls: readonly RecordedCall[]) {
    this.#workspace = workspace;
    this.#calls = calls;
    this.#credentials = new Credentials(workspace, calls);
  }

  /** Creates the customers of the accepted calls, each with the first balance that the recording shows. */
  async seed(own: readonly RecordedCall[]): Promise<void> {
    const { control } = this.#workspace;
    const balances = new Map<string, number | undefined>();
    for (const call of this.#calls.filter(isAccepted)) {
      const uid = customerOf(call);
      if (uid !== undefined) balances.set(uid, balances.get(uid) ?? balanceIn(jsonOf(call.reply)));
    }
    for (const uid of new Set(own.filter(isAccepted).map(customerOf))) {
      if (uid === undefined) continue;
      const points = { balance: balances.get(uid) ?? plenty };
      const { response } = await control.POST('/customers', { body: { uid, points } });
      if (response.status === 409)
        await control.PATCH('/customers/{uid}', { params: { path: { uid } }, body: { points } });
    }
    const { items } = dataOf(await control.GET('/catalogue', { params: { query: { limit: 200 } } }));
    this.#skus = new Set(items.map(({ sku_code }) => sku_code));
  }

  /** Repeats a call. Resolves with the sandbox's reply, or with the reason that there is none to compare. */
  async answer(call: RecordedCall): Promise<Answer> {
    const { exchange, reply, operation } = call;
    if (reply.status >= 500) return { why: 'the recorded server failed' };
    if (reply.status === 429) return { why: 'the recorded server limited the rate' };
    const content = contentOf(exchange.request);
    if (content.kind === 'unknown' || content.kind === 'closed') return { why: 'its request body was not recorded' };
    const credential = await this.#credentials.authorization(call);
    if ('why' in credential) return credential;
    const missing = this.#missing(call);
    if (missing !== undefined) return { why: `no recorded reply made its ${missing}` };
    await this.#advance(call);
    const json = jsonOf(exchange.request);
    const sent = json === undefined ? undefined : JSON.stringify(await this.#translated(call, json));
    const text = content.kind === 'text' ? content.text : undefined;
    const answered = await this.#send(call, credential.value, sent ?? text);
    if ('why' in answered) return answered;
    const isRefused = answered.status >= 400;
    if (answered.status === 429) return { why: 'the sandbox limits the rate' };
    // A different verdict on the form of a request is a difference. A verdict that depends on stock or prices is not.
    const isAboutPoints = orders.has(operation.operationId) || (isRefused && deductions.has(operation.operationId));
    const isWellFormed = call.findings.every(({ direction }) => direction === 'reply');
    if (isAboutPoints && isWellFormed && isRefused === isAccepted(call))
      return { why: 'it depends on prices, stock or balances that the recording does not show' };
    this.#learn(call, answered);
    return answered;
  }

  /** Returns the name of an id in an accepted request that no earlier reply contained. */
  #missing(call: RecordedCall): string | undefined {
    if (!isAccepted(call)) return undefined;
    const { operationId } = call.operation;
    const query = new URLSearchParams(call.exchange.path.split('?')[1] ?? '');
    const named = ['order_id', 'cursor'].find((name) => query.has(name) && !this.#ids.has(query.get(name) ?? ''));
    if (named !== undefined) return named;
    if (operationId !== 'updateRedeemStatus' && operationId !== 'reversePoints') return undefined;
    return this.#redeemCodes.has(redeemCodeOf(call)) ? undefined : 'redeem code';
  }

  /** Advances the clock by the recorded interval, within limits, so that due work runs. */
  async #advance({ exchange }: RecordedCall): Promise<void> {
    const { start } = exchange.span ?? {};
    const seconds = Math.min(mostSeconds, Math.floor(((start ?? 0) - (this.#time ?? start ?? 0)) / 1000));
    this.#time = Math.max(this.#time ?? 0, start ?? 0);
    if (seconds < 1) return;
    dataOf(await this.#workspace.control.POST('/clock/advance', { body: { seconds } }));
    this.#advanced += seconds;
    if (this.#advanced < lifetime) return;
    this.#credentials.expire();
    this.#advanced = 0;
  }

  /** Resolves with a request's JSON after replacing ids, secrets and catalogue items with those of the workspace. */
  async #translated(call: RecordedCall, value: unknown, name = ''): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((part) => this.#translated(call, part, name)));
    if (typeof value === 'object' && value !== null) {
      const parts = Object.entries(value).map(async ([key, part]) => [key, await this.#translated(call, part, key)]);
      return Object.fromEntries(await Promise.all(parts));
    }
    if (typeof value !== 'string') return value;
    return (isAccepted(call) ? await this.#secret(call, name, value) : undefined) ?? this.#ids.get(value) ?? value;
  }

  /** Resolves with the replacement for a value that only the recorded server accepts. */
  async #secret(call: RecordedCall, name: string, value: string): Promise<string | undefined> {
    const { credentials } = this.#workspace;
    const { operationId } = call.operation;
    const uid = customerOf(call) ?? '';
    if (operationId === 'companyAuth' && name === 'secret') return credentials.company_secret;
    if (operationId === 'login' && name === 'password') return credentials.general.password;
    if (operationId === 'verifyOtp' && name === 'otp') return this.#credentials.otp(uid);
    if (operationId === 'verifyOtp' && !['otp', 'customer_id'].includes(name)) return this.#ids.get(`otp ${uid}`);
    if (operationId === 'customerAuth' && name === 'token') return this.#credentials.token('jwt', uid);
    if (orders.has(operationId) && catalogueFields.has(name) && !this.#skus.has(value)) return [...this.#skus][0];
    return undefined;
  }

  async #send(call: RecordedCall, authorization: string | null, body: string | undefined): Promise<Answer> {
    const { exchange } = call;
    const { server, method, request } = exchange;
    const [path = '', query] = exchange.path.split('?');
    const search = new URLSearchParams(query);
    for (const [name, value] of search) search.set(name, this.#ids.get(value) ?? value);
    const urls = this.#workspace.urls as Readonly<Record<string, string>>;
    const headers = new Headers();
    if (authorization !== null) headers.set('authorization', authorization);
    for (const name of ['content-type', 'idempotency-key', 'accept']) {
      const value = header(request.headers, name) ?? (name === 'content-type' && body ? 'application/json' : undefined);
      if (value !== undefined) headers.set(name, value);
    }
    try {
      const url = `${urls[server]}${path}${query === undefined ? '' : `?${search}`}`;
      const signal = AbortSignal.timeout(patience);
      const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
      const response = await fetch(url, { method, headers, redirect: 'manual', signal, ...(hasBody && { body }) });
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, headers: [...response.headers], body: { kind: 'bytes', bytes, plain: true } };
    } catch (error) {
      return { why: `it could not be sent again: ${(error as Error).message}` };
    }
  }

  /** Maps the ids in the recorded reply to those in the sandbox's reply. */
  #learn(call: RecordedCall, answered: Reply): void {
    if (!isAccepted(call) || answered.status >= 400) return;
    this.#redeemCodes.add(redeemCodeOf(call));
    const made = new Map([...leavesOf(jsonOf(answered))].map(({ pointer, value }) => [pointer, value]));
    for (const { name, pointer, value } of leavesOf(jsonOf(call.reply))) {
      const own = made.get(pointer);
      if (typeof value !== 'string' || typeof own !== 'string' || value === '') continue;
      if (idFields.test(name) && !ownCodes.has(name)) this.#ids.set(value, own);
    }
    const reference = made.get('/reference_id');
    if (typeof reference === 'string') this.#ids.set(`otp ${customerOf(call)}`, reference);
  }
}

function redeemCodeOf({ exchange }: RecordedCall): unknown {
  const { redeemCode, redeem_code } = (jsonOf(exchange.request) ?? {}) as Readonly<Record<string, unknown>>;
  return redeemCode ?? redeem_code;
}

/** Returns the points balance in a reply, if any. */
function balanceIn(reply: unknown): number | undefined {
  const { points } = (reply ?? {}) as { readonly points?: { readonly balance?: unknown } };
  return typeof points?.balance === 'number' ? points.balance : undefined;
}
