import { expect } from 'vitest';
import { loadApis } from '../../../sandbox/assembly/apis.ts';
import type { Operation } from '../../../sandbox/contract/document.ts';
import type { LoadedContract } from '../../../sandbox/contract/schemas.ts';
import { defaultSettings } from '../../../sandbox/runtime/settings.ts';
import { Callers, someone } from '../../harness/callers.ts';
import { Draw } from '../../harness/drawing.ts';
import { flat, wrapped } from '../../harness/envelopes.ts';
import { advance, order as placeOrder } from '../../harness/orders.ts';
import { ok, type TestSandbox, testSandbox } from '../../harness/sandbox.ts';
import { curl, type Reply, Wire } from '../../harness/wire.ts';
import { isAllowedEffect, StoreWatcher } from './books.ts';
import { KnownValues } from './known.ts';
import { recipes } from './recipes.ts';
import { type Parts, type Spoiled, serialize, spoil, validParts } from './requests.ts';

/** An operation with its path prefix. */
export interface Served {
  readonly contract: LoadedContract;
  readonly operation: Operation;
  readonly prefix: string;
}

/** Every served operation, except those of pages. */
export const served: readonly Served[] = loadApis()
  .filter(({ calledBy }) => calledBy === 'programs')
  .flatMap(({ prefix, parts }) =>
    parts.flatMap((contract) => contract.operations.map((operation) => ({ contract, operation, prefix }))),
  );

/** Operations that take seconds. After the first success, a run sends only corrupted requests to them. */
const slow: ReadonlySet<string> = new Set(['startCertification', 'deleteCertification']);

/** Operations that change settings of the workspace. */
const changesSettings: ReadonlySet<string> = new Set(['updateWorkspace', 'openListener', 'replaceAnswers']);

/** The number of successes and refusals of each operation. */
export type Tally = Map<string, { answered: number; refused: number }>;

/** Returns the address that receives the requests instead of the sandbox at the given address. */
export type Through = (sandbox: string) => Promise<string>;

/** Sends generated requests to a new sandbox and checks every reply. Throws at the first invalid reply, or if an order fails at the end. */
export async function fuzz(seed: string, requests: number, tally: Tally, through?: Through): Promise<void> {
  const run = await Run.start(seed, tally, through);
  try {
    for (let number = 1; number <= requests; number += 1) await run.one(number);
    await run.stillOrders();
  } finally {
    run.end();
  }
}

class Run {
  readonly #seed: string;
  readonly #draw: Draw;
  readonly #tally: Tally;
  readonly #sandbox: TestSandbox;
  readonly #watcher: StoreWatcher;
  readonly #wire: Wire;
  /** Slow operations that have succeeded once. */
  readonly #over = new Set<string>();
  #knownValues = new KnownValues();
  #callers: Callers;
  /** The sandbox time at which the callers signed in. */
  #signedIn = '';

  private constructor(
    seed: string,
    tally: Tally,
    sandbox: TestSandbox,
    watcher: StoreWatcher,
    callers: Callers,
    origin: string,
  ) {
    this.#seed = seed;
    this.#draw = new Draw(seed);
    this.#tally = tally;
    this.#sandbox = sandbox;
    this.#watcher = watcher;
    this.#wire = new Wire(origin);
    this.#callers = callers;
  }

  static async start(seed: string, tally: Tally, through?: Through): Promise<Run> {
    const watcher = new StoreWatcher();
    // Names do not resolve, so no call leaves this machine.
    const resolve = async () => [];
    const sandbox = await testSandbox({ seed, resolve, outgoing: { connectTimeout: 500, totalTimeout: 5000 } });
    const origin = (await through?.(sandbox.origin)) ?? sandbox.origin;
    const run = new Run(seed, tally, sandbox, watcher, await Callers.signedIn(sandbox), origin);
    await run.#applyDefaults();
    return run;
  }

  end(): void {
    this.#wire.close();
    this.#watcher.end();
  }

  /** Generates, sends and checks one request. */
  async one(number: number): Promise<void> {
    const target = this.#draw.pick(served);
    const source = { contract: target.contract, knownValues: this.#knownValues, draw: this.#draw };
    const parts = validParts(target.operation, target.prefix, source, this.#callers);
    const { operationId } = target.operation;
    const over = this.#over.has(operationId);
    if (!over) await this.#prepare(operationId, parts);
    const spoiled = this.#draw.chance(55) || over ? spoil(parts, target.operation, source, this.#callers) : undefined;
    const request = serialize(parts, target.operation);
    const calledOperation = served.find(
      ({ prefix, operation }) =>
        prefix === target.prefix && operation.path === target.operation.path && operation.method === request.method,
    );
    try {
      const reply = await this.#wire.send(request);
      this.#checkReply(reply, calledOperation, target.prefix, spoiled);
      await this.#checkEffects(reply, calledOperation);
      this.#count(reply, calledOperation);
      if (reply.status < 300 && calledOperation !== undefined) await this.#after(calledOperation.operation, reply);
      if (operationId.endsWith('Fault')) await this.#sandbox.control.DELETE('/faults');
      await this.#watcher.differences();
    } catch (error) {
      const what = spoiled?.what ?? 'as the contract says';
      const where = `seed ${this.#seed}, request ${number} (${operationId}, ${what})`;
      throw new Error(`${where}: ${(error as Error).message}\n${curl(this.#sandbox.origin, request)}`, {
        cause: error,
      });
    }
  }

  /** Checks that the sandbox still works after all requests: it accepts and delivers an order. */
  async stillOrders(): Promise<void> {
    ok(await this.#sandbox.control.POST('/reset'));
    const order = ok(await placeOrder(this.#sandbox));
    await advance(this.#sandbox, 2);
    const placed = await this.#sandbox.control.GET('/orders/{order_id}', { params: { path: order } });
    expect(ok(placed).order.status).toBe('Delivered');
  }

  async #prepare(operationId: string, parts: Parts): Promise<void> {
    const recipe = recipes[operationId];
    if (recipe === undefined || this.#draw.chance(50)) return;
    await recipe(parts, { sandbox: this.#sandbox, callers: this.#callers, draw: this.#draw });
    await this.#watcher.differences();
  }

  #checkReply(reply: Reply, calledOperation: Served | undefined, prefix: string, spoiled?: Spoiled): void {
    const { status, headers, text } = reply;
    const summary = `${status} ${text.slice(0, 500)}`;
    if (headers['x-answered-by'] !== undefined) {
      // The validation proxy itself refuses a request that it cannot forward unchanged.
      if (status !== 400) throw new Error(`the proxy answered: ${summary}`);
      return;
    }
    if (status >= 500) throw new Error(`the server failed: ${summary}`);
    if (headers['x-trace-id'] === undefined) throw new Error(`the reply has no trace id: ${summary}`);
    const expectedStatuses = spoiled?.statuses;
    if (expectedStatuses !== undefined && !expectedStatuses.includes(status))
      throw new Error(`${expectedStatuses} was due, but: ${summary}`);
    if (calledOperation === undefined || (spoiled?.elsewhere && isUnserved(prefix, status, text))) {
      if (!isUnserved(prefix, status, text)) throw new Error(`404 or 405 was due, but: ${summary}`);
      if (status === 405 && headers.allow === undefined) throw new Error(`a 405 without Allow: ${summary}`);
      return;
    }
    checkBody(reply, calledOperation, summary);
  }

  /** Checks that a refused call changes nothing. */
  async #checkEffects({ status }: Reply, calledOperation: Served | undefined): Promise<void> {
    const differences = await this.#watcher.differences();
    if (status < 400) return;
    const effects = differences.filter(
      (difference) => !isAllowedEffect(difference, calledOperation?.operation.operationId ?? ''),
    );
    if (effects.length > 0) throw new Error(`refused with ${status}, but: ${JSON.stringify(effects)}`);
  }

  #count({ status }: Reply, calledOperation: Served | undefined): void {
    if (calledOperation === undefined) return;
    const { operationId } = calledOperation.operation;
    const { answered, refused } = this.#tally.get(operationId) ?? { answered: 0, refused: 0 };
    const count = status < 300 ? { answered: answered + 1, refused } : { answered, refused: refused + 1 };
    this.#tally.set(operationId, count);
  }

  /** Learns from a reply. Also reverts changes that would make every later call fail or reach another server. */
  async #after({ operationId, replies }: Operation, { status, text, headers }: Reply): Promise<void> {
    const isJson = String(headers['content-type']).startsWith('application/json');
    if (!replies.get(status)?.stream && isJson) this.#knownValues.learn(JSON.parse(text));
    if (changesSettings.has(operationId)) await this.#applyDefaults();
    if (operationId === 'resetWorkspace') this.#knownValues = new KnownValues();
    if (operationId === 'resetWorkspace' || operationId === 'restoreSnapshot') {
      await this.#applyDefaults();
      await this.#signIn();
    }
    if (operationId === 'createWorkspace' || operationId === 'forkSnapshot')
      await this.#deleteWorkspace(JSON.parse(text));
    if (slow.has(operationId)) this.#over.add(operationId);
    if (operationId === 'startCertification') await this.#endCertification(JSON.parse(text));
    if (operationId === 'advanceClock') {
      const { now } = ok(await this.#sandbox.control.GET('/clock'));
      if (Date.parse(now) - Date.parse(this.#signedIn || now) > 1_000_000) await this.#signIn();
    }
    await this.#watcher.differences();
  }

  /** Deletes a new workspace. */
  async #deleteWorkspace({ id, admin_token }: { id: string; admin_token: string }): Promise<void> {
    const url = `${this.#sandbox.urls.sandbox}/workspaces/${id}`;
    await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${admin_token}` } });
  }

  /** Ends a certification, because its calls would count as effects of a later request. */
  async #endCertification({ id }: { id: string }): Promise<void> {
    await this.#sandbox.control.DELETE('/certifications/{id}', { params: { path: { id } } });
  }

  async #signIn(): Promise<void> {
    this.#callers = await Callers.signedIn(this.#sandbox);
    this.#signedIn = ok(await this.#sandbox.control.GET('/clock')).now;
  }

  /** Sets an inexhaustible quota, an open allowlist and the reference client. Also learns an initial set of real ids. */
  async #applyDefaults(): Promise<void> {
    const { control } = this.#sandbox;
    const own = { client_url: null, client_token: null, client_basic: null };
    const settings = { ...defaultSettings, ...own, rate_limit: 1_000_000 };
    ok(await control.PATCH('/workspace', { body: { settings } }));
    for (const path of ['/workspace', '/customers', '/catalogue', '/messages'] as const) {
      this.#knownValues.learn(ok(await control.GET(path)));
    }
    this.#knownValues.learn(someone, 'uid');
    this.#signedIn ||= ok(await control.GET('/clock')).now;
    await this.#watcher.differences();
  }
}

/** Checks that the operation documents the reply's status and content type, and that the body matches its schema. */
function checkBody({ status, headers, text }: Reply, { operation, contract }: Served, summary: string): void {
  const documented = operation.replies.get(status);
  if (documented === undefined) throw new Error(`status ${status} is not documented: ${summary}`);
  // This is the only text reply among these operations' successes. Other tests check its rows.
  const csv = operation.operationId === 'exportPartners' && status === 200;
  const json = documented.schema && 'application/json';
  const type = csv ? 'text/csv' : documented.stream ? 'text/event-stream' : json;
  const [sentType] = String(headers['content-type'] ?? '').split(';');
  if (sentType !== (type ?? '')) throw new Error(`content type ${sentType} in place of ${type}: ${summary}`);
  if (csv) return;
  if (documented.schema === undefined) {
    if (text !== '') throw new Error(`no body is documented: ${summary}`);
    return;
  }
  const [mismatch] = contract.schemas.check(documented.schema)(JSON.parse(text)) ?? [];
  if (mismatch !== undefined) throw new Error(`${mismatch.where} ${mismatch.problem}: ${summary}`);
}

/** Checks whether this is the documented reply for a path or method outside the contracts. */
function isUnserved(prefix: string, status: number, text: string): boolean {
  if (status !== 404 && status !== 405) return false;
  const { message: ofFlat, data } = JSON.parse(text) as { message?: string; data?: { message?: string } };
  const sent = ofFlat ?? data?.message ?? '';
  const message = status === 405 ? 'Method not allowed' : sent;
  const { body } = prefix === '/client' ? wrapped(status, message) : flat(status, status === 404 ? 44 : 60, message);
  return (status === 405 || sent.endsWith(' does not exist')) && text === JSON.stringify(body);
}
