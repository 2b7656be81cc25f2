/**
 * A partner's server for tests. It implements all operations that a client hosts, in both API versions, with at most one mistake. It shares
 * no code with the reference client, so that each can check the other.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as passing } from 'node:timers/promises';
import { Access, type Caller } from './access.ts';
import { type Body, fieldsOf, relaxBody, wrongField } from './fields.ts';
import { Ledger } from './ledger.ts';
import type { Has } from './mistakes.ts';
import { type Operation, operationsOf, type Parts } from './operations.ts';
import { raceWindow } from './race.ts';
import { readBody } from './reading.ts';
import { type Reply, refuse, withMistake } from './replies.ts';
import { type PartnerSettings, usualSettings } from './settings.ts';
import { SignIn } from './sign-in.ts';
import { OpaqueTokens, Tokens } from './tokens.ts';

/** An operation call and its credential. */
export interface ReceivedCall {
  readonly operation: string;
  readonly authorization: string | undefined;
}

/** A running server. */
export interface PartnerServer {
  readonly url: string;
  readonly settings: PartnerSettings;
  /** The operation calls, oldest first. */
  readonly calls: readonly ReceivedCall[];
  /** Returns the last code sent to a customer. */
  readonly newestCodeOf: (uid: string) => string | undefined;
  /** Returns the code sent under a reference. */
  readonly codeOf: (reference: string) => string | undefined;
  /** Issues a customer's token, now or at an instant in milliseconds since 1970. */
  readonly tokenOf: (uid: string, at?: number) => string;
  /** Returns a customer's points in the ledger of version 1.0 or 2.0. */
  readonly pointsOf: (uid: string, version?: 1 | 2) => { balance: number; totalEarned: number; totalRedeemed: number };
  readonly close: () => Promise<void>;
}

/** Starts a server on a free loopback port. */
export async function startPartnerServer(changes: Partial<PartnerSettings> = {}): Promise<PartnerServer> {
  const settings: PartnerSettings = { ...usualSettings, ...changes };
  const has: Has = (mistake) => settings.mistake === mistake;
  const { tokenSeconds } = settings;
  const tokens = settings.opaqueTokens
    ? new OpaqueTokens(tokenSeconds)
    : new Tokens(`${settings.serviceToken} signs`, tokenSeconds, has);
  const ledger = new Ledger(settings, has);
  const signIn = new SignIn(settings, ledger, tokens, has);
  const side = new HttpSide(
    { settings, ledger, signIn, fields: fieldsOf(has), has },
    new Access(settings, tokens, has),
  );
  const server = createServer((request, response) => void side.serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings,
    calls: side.calls,
    newestCodeOf: (uid) => signIn.newestCodeOf(uid),
    codeOf: (reference) => signIn.codeOf(reference),
    tokenOf: (uid, at = settings.now()) => tokens.sign(uid, at),
    pointsOf: (uid, version = 1) => {
      const points = ledger.points(uid, version);
      if (points === undefined) throw new Error(`the server has no customer ${uid}`);
      return points;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Translates between HTTP and the operations. */
class HttpSide {
  readonly calls: ReceivedCall[] = [];
  readonly #parts: Parts;
  readonly #access: Access;
  readonly #operations: Readonly<Record<string, Operation>>;
  readonly #has: Has;
  readonly #usedSockets = new WeakSet<Socket>();
  #inService = 0;

  constructor(parts: Parts, access: Access) {
    this.#parts = parts;
    this.#access = access;
    this.#has = parts.has;
    this.#operations = operationsOf(parts);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    this.#inService += 1;
    const breaks = await this.#breaks(request);
    if (breaks) socket.resetAndDestroy();
    else await this.#answer(request, response);
    this.#inService -= 1;
    this.#usedSockets.add(socket);
  }

  async #breaks({ method, socket }: IncomingMessage): Promise<boolean> {
    if (this.#has('resets-under-load')) {
      await raceWindow(this.#parts.settings.raceMs);
      return this.#inService > 20;
    }
    return (
      (method === 'HEAD' && this.#has('head-reset')) ||
      (this.#has('kept-connection-dies') && this.#usedSockets.has(socket))
    );
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://partner');
    const operation = this.#operations[url.pathname];
    const reply = await this.#reply(request, url, operation);
    const { status, body, headers } = withMistake(reply, operation?.name ?? '', this.#parts.settings.mistake);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const length = { 'content-length': Buffer.byteLength(text) };
    response.writeHead(status, { 'content-type': 'application/json', ...headers, ...length });
    response.end(request.method === 'HEAD' ? undefined : text);
  }

  async #reply(request: IncomingMessage, url: URL, operation: Operation | undefined): Promise<Reply> {
    // For tests only, not part of the interface: the code that the customer reads on the phone.
    if (url.pathname === '/test/otp') return this.#code(url);
    if (operation === undefined) return refuse(this.#has('no-path-500') ? 'internal_error' : 'not_found');
    this.calls.push({ operation: operation.name, authorization: request.headers.authorization });
    if (this.#has('long-header-431') && request.rawHeaders.some(({ length }) => length >= 4000))
      return refuse('head_too_large');
    if (request.method === 'OPTIONS' && this.#has('options-500')) return refuse('internal_error');
    const any = request.method === 'GET' && this.#has('any-method');
    if (request.method !== operation.method && !any) return refuse('method_not_allowed', { allow: operation.method });
    if ((request.headersDistinct.authorization ?? []).length > 1) return refuse('duplicate_authorization');
    return this.#carryOut(request, url, operation);
  }

  #code(url: URL): Reply {
    const { searchParams } = url;
    const uid = searchParams.get('customer_id') ?? undefined;
    const code = this.#parts.signIn.codeOf(searchParams.get('reference_id') ?? '', uid);
    if (code === undefined) return refuse('not_found');
    return { status: 200, headers: { 'content-type': 'text/plain' }, body: code };
  }

  async #carryOut(request: IncomingMessage, url: URL, operation: Operation): Promise<Reply> {
    const { has, settings } = this.#parts;
    const early = has('token-after-body') ? await this.#input(request, url, operation) : undefined;
    if (early !== undefined && 'status' in early) return early;
    const verdict = this.#judge(request, operation);
    const refusal = 'status' in verdict ? verdict : undefined;
    const isIgnored = has(operation.whom === 'microsite' ? 'otp-despite-refusal' : 'effect-despite-refusal');
    if (refusal !== undefined && !isIgnored) return refusal;
    const input = early ?? (await this.#input(request, url, operation));
    if ('status' in input) return refusal ?? input;
    if (has('slow') && /^(saveRedeemDetails|redeemPoints)$/.test(operation.name)) await passing(settings.slowMs);
    const callerLeft = async () => {
      await raceWindow(settings.raceMs);
      return request.socket.destroyed;
    };
    const caller: Caller = 'status' in verdict ? { kind: 'service' } : verdict;
    const reply = await operation.run({ body: input.body, caller, callerLeft });
    return refusal ?? reply;
  }

  #judge({ headers }: IncomingMessage, { name, whom }: Operation): Caller | Reply {
    try {
      return this.#access.judge(headers.authorization, name, whom);
    } catch (error) {
      if (!this.#has('token-malformed-500')) throw error;
      return refuse('internal_error');
    }
  }

  /** Returns the validated query or body of a call, or the refusal. */
  async #input(
    request: IncomingMessage,
    url: URL,
    { name, query }: Operation,
  ): Promise<{ readonly body: Body } | Reply> {
    if (query !== undefined) {
      const { settings } = this.#parts;
      const some = this.#has('profile-without-uid') ? Object.keys(settings.balances)[0] : undefined;
      const raw = this.#has('query-undecoded') ? url.search.slice(`?${query}=`.length) : url.searchParams.get(query);
      const value = raw ?? some ?? null;
      if (this.#has('unicode-500') && /[^ -~]/.test(value ?? '')) return refuse('internal_error');
      return isId(value) ? { body: { [query]: value } } : refuse('mandatory_details', { 'x-problem': query });
    }
    const fields = this.#parts.fields[name] ?? {};
    const read = await readBody(request, this.#has);
    if ('status' in read) return read;
    const body = relaxBody(name, read.body, fields, this.#has);
    const field = wrongField(body, fields, this.#has);
    return field === undefined ? { body } : refuse('mandatory_details', { 'x-problem': field });
  }
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 1 && value.length <= 64;
}
