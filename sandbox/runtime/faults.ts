import type { components } from '../../generated/sandbox/types.ts';
import type { Activity } from '../activity-log/activity.ts';
import type { ActivityCollections } from '../activity-log/stored-log.ts';
import type { FaultPort, MetFault } from '../contract/faults.ts';
import type { InvalidRequest } from '../domain/failures.ts';
import { aboutOf, type PermanentFault } from '../magic/table.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Delay } from './clock.ts';
import { lastNumber, nextNumber, numberedId, SeededRandom } from './ids.ts';

/** The receiver of an operation's calls: the platform, the client, or a registered webhook endpoint. */
export type FaultHost = 'platform' | 'client' | 'subscriber';

/**
 * Returns the problem with a new fault: an invalid field, or a fault that could never occur. Returns `undefined` if
 * there is none.
 */
function problemOf({ target, fault, times, share, ms, status }: Input, targets: ReadonlyMap<string, FaultHost>) {
  const host = targets.get(target);
  if (host === undefined) return { where: '/target', problem: `must be one of ${[...targets.keys()].join(', ')}` };
  if (times !== undefined && share !== undefined) return { where: '/share', problem: 'cannot be combined with times' };
  // Only the status of a subscriber's response matters. Its body is never read.
  if (host === 'subscriber' && fault === 'malformed') {
    return {
      where: '/fault',
      problem: `malformed has no effect on ${target}, because only the status of its response counts`,
    };
  }
  const timed = fault === 'latency' || fault === 'drip';
  return matches('ms', ms, timed, fault) ?? matches('status', status, fault === 'status', fault);
}

/** Checks that a field is present exactly when it applies to the fault. */
function matches(field: string, value: unknown, applies: boolean, fault: string): InvalidRequest | undefined {
  if (applies && value === undefined) return { where: `/${field}`, problem: `is required with ${fault}` };
  if (!applies && value !== undefined) return { where: `/${field}`, problem: `does not apply to ${fault}` };
  return undefined;
}

type PublicFault = components['schemas']['Fault'];
type Input = components['schemas']['FaultInput'];

/** A stored fault. `seen` is the number of calls for which a fault with a `share` was drawn. */
type FaultRecord = Readonly<PublicFault> & { readonly seen: number };

export interface FaultCollections extends ActivityCollections {
  readonly faults: FaultRecord;
}

export const faultSchema = { faults: { indexes: { target: (fault: FaultRecord) => fault.target } } } as const;

/** The dependencies of `Faults`. */
interface FaultDependencies {
  readonly store: Store<FaultCollections>;
  readonly activity: Activity;
  /** Together with the fault's id, determines which calls a fault with a `share` affects. */
  readonly seed: string;
  readonly delay: Delay;
  /** The operations that can have faults, and the receiver of each operation's calls. */
  readonly targets: ReadonlyMap<string, FaultHost>;
  /** Whether the current client URL points to a server other than the reference client. */
  readonly clientElsewhere: () => boolean;
  /** Permanent faults that affect calls about specific customers or payments. */
  readonly permanent: readonly PermanentFault[];
  readonly warn: (message: string) => void;
}

/** The side on which a fault applies: an operation that the sandbox serves, or a call on its way to another server. */
type FaultSide = 'served' | 'sent';

/** The faults of the workspace (OP-70). They are stored, and a transaction assigns each one to a call. */
export class Faults {
  readonly #dependencies: FaultDependencies;
  readonly #ended = new AbortController();
  readonly #delayed: DelayedCalls;
  readonly #permanent: ReadonlyMap<string, readonly PermanentFault[]>;

  constructor(dependencies: FaultDependencies) {
    this.#dependencies = dependencies;
    this.#delayed = new DelayedCalls(dependencies.delay, this.#ended.signal);
    this.#permanent = Map.groupBy(dependencies.permanent, ({ target }) => target);
  }

  list(): PublicFault[] {
    return inOrder(this.#dependencies.store.all('faults')).map(toPublicFault);
  }

  /** Stores a fault, or returns an error that describes the invalid field. */
  async create(input: Input, trace: string): Promise<PublicFault | ({ kind: 'invalid_request' } & InvalidRequest)> {
    const found = problemOf(input, this.#dependencies.targets);
    if (found !== undefined) return { kind: 'invalid_request', ...found };
    const { target, fault, times = null, share = null, ms = null, status = null } = input;
    return this.#dependencies.store.transact((tx) => {
      const id = numberedId('FLT', nextNumber(tx, 'faults'));
      const record = { id, target, fault, times, share, ms, status, left: times, seen: 0 };
      tx.put('faults', id, record);
      this.#note(tx, 'fault.set', record, trace);
      return toPublicFault(record);
    });
  }

  /** Deletes one fault and releases the calls that it delays. Returns whether it existed. */
  async delete(id: string, trace: string): Promise<boolean> {
    const gone = await this.#dependencies.store.transact((tx) => {
      const fault = tx.get('faults', id);
      if (fault !== undefined) this.#remove(tx, fault, trace);
      return fault;
    });
    if (gone !== undefined) this.#delayed.behind(gone.target)?.();
    return gone !== undefined;
  }

  async deleteAll(trace: string): Promise<void> {
    await this.#dependencies.store.transact((tx) => {
      for (const fault of tx.all('faults')) this.#remove(tx, fault, trace);
    });
    this.#delayed.releaseAll();
  }

  /** Returns the faults of calls on one side. For a call that passes both sides, a fault applies on only one (OP-115). */
  at(side: FaultSide): FaultPort {
    const here = (target: string, bySandbox = false) => this.#sidesOf(target, bySandbox).includes(side);
    return {
      take: async (target, body, bySandbox) =>
        this.#canMeet(target) && here(target, bySandbox) ? this.#take(target, body) : undefined,
      asksForBody: (target, bySandbox) => this.#permanent.has(target) && here(target, bySandbox),
      wait: (milliseconds) => this.#dependencies.delay(milliseconds, this.#ended.signal),
      released: (target) => this.#delayed.released(target),
      behind: (target, bySandbox) => {
        const release = this.#delayed.behind(target);
        return release !== undefined && here(target, bySandbox) ? release : undefined;
      },
    };
  }

  /**
   * Returns the sides on which faults affect calls of an operation. Faults were already applied to calls from a sandbox
   * to another server when it sent them (OP-115).
   */
  #sidesOf(target: string, bySandbox: boolean): readonly FaultSide[] {
    const host = this.#dependencies.targets.get(target);
    if (host === 'client' && this.#dependencies.clientElsewhere()) return bySandbox ? ['sent'] : ['sent', 'served'];
    return host === 'subscriber' ? ['sent'] : ['served'];
  }

  #canMeet(target: string): boolean {
    return this.#permanent.has(target) || this.#dependencies.store.count('faults') > 0;
  }

  async #take(target: string, body: unknown): Promise<MetFault | undefined> {
    return (await this.#takeSet(target)) ?? (await this.#takePermanent(target, body));
  }

  /** Selects the permanent fault of a call. A fault with `times` is counted per transaction id. */
  #takePermanent(target: string, body: unknown): Promise<MetFault | undefined> {
    const about = aboutOf(body);
    const met = this.#permanent.get(target)?.find(({ meets }) => meets(about));
    const { id, times } = met ?? {};
    if (times === undefined) return Promise.resolve(met);
    const key = `${id} ${about.transactionId}`;
    return this.#orNone(target, (tx) => {
      if (lastNumber(tx, key) === times) return undefined;
      nextNumber(tx, key);
      return met;
    });
  }

  async #takeSet(target: string): Promise<MetFault | undefined> {
    if (this.#dependencies.store.find('faults', 'target', target).length === 0) return undefined;
    let waits = false;
    const met = await this.#orNone(target, (tx) => {
      const met = inOrder(tx.find('faults', 'target', target)).find((fault) => this.#meets(tx, fault));
      waits = met?.fault === 'out_of_order';
      if (waits) this.#delayed.add(target);
      return met;
    });
    // If the transaction failed, the call is not delayed.
    if (waits && met === undefined) this.#delayed.behind(target)?.();
    return met;
  }

  /** Selects a fault in a transaction. If the transaction fails, the call proceeds without a fault. */
  #orNone(target: string, take: (tx: Tx<FaultCollections>) => MetFault | undefined): Promise<MetFault | undefined> {
    const { store, warn } = this.#dependencies;
    return store.transact(take).catch((error: Error) => {
      warn(`Cannot apply a fault of ${target}: ${error.message}`);
      return undefined;
    });
  }

  /** Ends all current delays, and makes all later ones end immediately. */
  stop(): void {
    this.#ended.abort();
  }

  /** Returns whether this fault affects a call, and stores the updated counters. */
  #meets(tx: Tx<FaultCollections>, fault: FaultRecord): boolean {
    // Two delayed calls of the same operation would each wait for the other.
    if (fault.fault === 'out_of_order' && this.#delayed.has(fault.target)) return false;
    const { id, share, left, seen } = fault;
    if (share !== null) {
      tx.put('faults', id, { ...fault, seen: seen + 1 });
      const draw = new SeededRandom(`${this.#dependencies.seed}#${id}#${seen}`).integer(1_000_000);
      return draw < share * 1_000_000;
    }
    if (left === 1) tx.remove('faults', id);
    else if (left !== null) tx.put('faults', id, { ...fault, left: left - 1 });
    return true;
  }

  #remove(tx: Tx<FaultCollections>, fault: FaultRecord, trace: string): void {
    tx.remove('faults', fault.id);
    this.#note(tx, 'fault.deleted', fault, trace);
  }

  #note(tx: Tx<FaultCollections>, event: string, { id, target, fault }: FaultRecord, trace: string): void {
    this.#dependencies.activity.note(tx, { trace, party: 'sandbox', event, detail: { id, target, fault } });
  }
}

function inOrder(faults: readonly FaultRecord[]): FaultRecord[] {
  return faults.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function toPublicFault({ seen: _, ...fault }: FaultRecord): PublicFault {
  return fault;
}

/** Maximum delay of a call, in milliseconds. */
const longestMilliseconds = 10_000;

/** Calls that are delayed until a later call has been processed, at most one per operation (OP-70). */
class DelayedCalls {
  readonly #delay: Delay;
  readonly #ended: AbortSignal;
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();

  constructor(delay: Delay, ended: AbortSignal) {
    this.#delay = delay;
    this.#ended = ended;
  }

  has(target: string): boolean {
    return this.#waiting.has(target);
  }

  /** Registers a call before its delay begins. */
  add(target: string): void {
    this.#waiting.set(target, Promise.withResolvers());
  }

  /** Resolves when the call may continue. */
  async released(target: string): Promise<void> {
    const call = this.#waiting.get(target);
    if (call === undefined) return;
    const over = new AbortController();
    const late = this.#delay(longestMilliseconds, AbortSignal.any([over.signal, this.#ended]));
    await Promise.race([call.promise, late]);
    over.abort();
    this.#release(target, call);
  }

  /** Returns a function that releases the currently delayed call; `undefined` if there is none. */
  behind(target: string): (() => void) | undefined {
    const call = this.#waiting.get(target);
    return call && (() => this.#release(target, call));
  }

  releaseAll(): void {
    for (const [target, call] of this.#waiting) this.#release(target, call);
  }

  #release(target: string, call: PromiseWithResolvers<void>): void {
    if (this.#waiting.get(target) === call) this.#waiting.delete(target);
    call.resolve();
  }
}
