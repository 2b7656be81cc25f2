/** Tracks the expected state of the workspaces while tests kill and restart a sandbox on one data folder. */

import { createSandboxClient } from '../../generated/index.ts';
import type { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { listed } from '../harness/lists.ts';
import { ok } from '../harness/sandbox.ts';
import { companyTokenOf } from '../harness/workspaces.ts';
import type { ChildOptions } from './child.ts';
import { type Killable, killable } from './killable.ts';
import {
  type At,
  at,
  compareState,
  copyOf,
  customers,
  type ExpectedState,
  emptyState,
  fill,
  freshNow,
  type Space,
} from './known.ts';

/** Returns the reply of a call, or `undefined` if the connection broke because the process had ended. */
export async function awaitReply<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (/fetch failed|terminated|other side closed/.test(String(error))) return undefined;
    throw error;
  }
}

/** Returns a random item with equal probabilities. */
export function oneOf<T>(random: SeededRandom, from: readonly T[]): T {
  const item = from[random.integer(from.length)];
  if (item === undefined) throw new Error('there is nothing to draw from');
  return item;
}

export class Chain {
  readonly random: SeededRandom;
  /** All workspaces. The first is the demo workspace, which is never deleted. */
  readonly spaces: Space[] = [];
  /** The number of the file system call before which the process dies at its next start, or `undefined` if it survives the start. */
  dieAtStart: number | undefined;
  readonly #options: ChildOptions;
  /**
   * Whether a call may receive a 503, or a 502 because its client received a 503. The chain then treats the call as one without a reply.
   */
  readonly #mayRefuse: boolean;
  /** Checks to run after the next start, because a reply was lost. */
  readonly #doubts: (() => Promise<void>)[] = [];
  #child: Killable | undefined;
  #sent = 0;

  constructor(options: ChildOptions, random: SeededRandom, mayRefuse = false) {
    this.#options = options;
    this.random = random;
    this.#mayRefuse = mayRefuse;
  }

  get child(): Killable {
    if (this.#child === undefined) throw new Error('the chain was not started');
    return this.#child;
  }

  /** Returns a workspace's clients for the current process. */
  at(space: Space): At {
    return at(space, this.child);
  }

  get demo(): Space {
    const [demo] = this.spaces;
    if (demo === undefined) throw new Error('the chain was not started');
    return demo;
  }

  /** Starts on an empty folder. */
  async start(): Promise<void> {
    await this.#open();
    const workspace = ok(await createSandboxClient({ baseUrl: this.child.urls.sandbox }).GET('/workspace'));
    this.spaces.push({ workspace, expected: emptyState(freshNow), snapshots: new Map() });
    await fill(this.demo, this.at(this.demo));
  }

  /** Kills the process if it still runs, starts another, and returns the problems. */
  async restart(): Promise<string[]> {
    await this.child.kill();
    await this.#open();
    for (const check of this.#doubts.splice(0)) await check();
    const ids = (await this.listWorkspaceIds()).join();
    const expectedIds = this.spaces.map(({ workspace }) => workspace.id).join();
    const problems = ids === expectedIds ? [] : [`the workspaces are ${ids}, expected ${expectedIds}`];
    for (const space of this.spaces) {
      const mismatches = await compareState(space, this.at(space));
      problems.push(...mismatches.map((what) => `${space.workspace.id}: ${what}`));
      if (mismatches.length === 0) await fill(space, this.at(space));
    }
    return problems;
  }

  /** Starts another process while the current one runs. Returns the earlier process. */
  async takeOver(): Promise<Killable> {
    const before = this.child;
    await this.#open();
    return before;
  }

  /** Restores each snapshot and compares the workspace with its expected state. Returns the problems. */
  async end(): Promise<string[]> {
    const problems: string[] = [];
    for (const space of this.spaces) {
      for (const id of space.snapshots.keys()) {
        await this.restore(space, id);
        const mismatches = await compareState(space, this.at(space));
        problems.push(...mismatches.map((what) => `${space.workspace.id} at ${id}: ${what}`));
      }
    }
    return problems;
  }

  /** Restores an existing snapshot. */
  async restore(space: Space, id: string): Promise<void> {
    const state = space.snapshots.get(id);
    if (state === undefined) throw new Error(`no expected state for snapshot ${id}`);
    ok(await this.at(space).control.POST('/snapshots/{id}/restore', { params: { path: { id } } }));
    space.expected = copyOf(state);
  }

  /** Returns the ids of all workspaces, as listed by the sandbox. */
  async listWorkspaceIds(): Promise<string[]> {
    const { urls, admin } = this.at(this.demo);
    return (await listed<{ id: string }>(`${urls.sandbox}/workspaces`, admin)).map(({ id }) => id);
  }

  async #open(): Promise<void> {
    const options = this.#options;
    if (this.dieAtStart !== undefined) {
      this.#child = await killable({ ...options, killBefore: this.dieAtStart });
      this.dieAtStart = undefined;
      await this.#child?.kill();
    }
    this.#child = await killable(options);
  }

  /** Adds a check to run after the next start, for a call whose reply was lost. */
  doubt(check: () => Promise<void>): void {
    this.#doubts.push(check);
  }

  /** Places orders and reports payments, `times` of each, or until the process ends. Calls `onAnswer` after each reply. */
  async spend(space: Space, times: number, onAnswer: () => void = () => {}): Promise<void> {
    const where = this.at(space);
    const token = await awaitReply(companyTokenOf(where)).catch((error) => {
      if (this.#mayRefuse && /503/.test(String(error))) return undefined;
      throw error;
    });
    if (token === undefined) return;
    const rewards = where.rewards(token);
    for (let turn = 0; turn < times; turn += 1) {
      this.#sent += 1;
      const number = this.#sent;
      const uid = customers[number % customers.length] ?? '';
      const skus = number % 3 === 0 ? ['EGV-CHAI-100', 'EGV-SPICE-100'] : ['EGV-CHAI-100'];
      const line_items = skus.map((sku) => ({ sku, quantity: 1 }));
      const order = await this.#send(
        space,
        rewards.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items } }),
      );
      if (order === undefined) return;
      const codes = order.lines.map(({ redeemCode }) => redeemCode);
      space.expected.orders.set(order.order_id, { uid, codes });
      onAnswer();
      const transactionId = `PAY-${number}`;
      const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '500' } as const;
      const payment = await this.#send(space, rewards.POST('/v1/partner/events/payment', { body: event }));
      if (payment === undefined) return;
      space.expected.payments.set(transactionId, { uid, points: payment.points });
      onAnswer();
    }
  }

  /** Sends a change. A change with a reply must be saved, and one without a reply may be saved. */
  async #send<T>(
    space: Space,
    call: Promise<{ data?: T; error?: unknown; response: Response }>,
  ): Promise<T | undefined> {
    const { expected } = space;
    expected.unansweredCount += 1;
    const reply = await awaitReply(call);
    if (reply === undefined || (this.#mayRefuse && [502, 503].includes(reply.response.status))) return undefined;
    expected.unansweredCount -= 1;
    return ok(reply);
  }

  /**
   * Takes a snapshot while other callers may place orders.
   *
   * @returns the state of the snapshot if it exists, and its id if the call received a reply
   */
  async snapshot(space: Space): Promise<{ state: ExpectedState; id: string | undefined }> {
    const state = copyOf(space.expected);
    const countBefore = state.orders.size + state.payments.size;
    const reply = await awaitReply(this.at(space).control.POST('/snapshots', { body: {} }));
    const { orders, payments, unansweredCount } = space.expected;
    state.unansweredCount = orders.size + payments.size + unansweredCount - countBefore;
    const id = reply === undefined ? undefined : ok(reply).id;
    if (id !== undefined) space.snapshots.set(id, state);
    return { state, id };
  }
}
