/** A sandbox on one data folder that is killed and started again, with what is known of its workspaces. */

import { createSandboxClient } from '../../generated/index.ts';
import type { SeededRandom } from '../../sandbox/runtime/random.ts';
import { listed } from '../harness/lists.ts';
import { ok } from '../harness/sandbox.ts';
import { companyTokenOf } from '../harness/workspaces.ts';
import type { ChildOptions } from './child.ts';
import { type Killable, killable } from './killable.ts';
import {
  type At,
  at,
  compared,
  copyOf,
  customers,
  fill,
  freshNow,
  type Known,
  nothingKnown,
  type Space,
} from './known.ts';

/** What an answer said; undefined where the connection broke because the process was gone. */
export async function answered<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (/fetch failed|terminated|other side closed/.test(String(error))) return undefined;
    throw error;
  }
}

/** A number of `numbers`, each as likely. */
export function oneOf<T>(random: SeededRandom, from: readonly T[]): T {
  const drawn = from[random.integer(from.length)];
  if (drawn === undefined) throw new Error('there is nothing to draw from');
  return drawn;
}

export class Chain {
  readonly random: SeededRandom;
  /** The demo workspace first, which stays. */
  readonly spaces: Space[] = [];
  /** Whether the process does not live to be ready at the next start, and before which call it dies. */
  dieAtStart: number | undefined;
  readonly #options: ChildOptions;
  /**
   * Whether a call may be told 503, or 502 for a client that was told so, without anything being wrong: it is then as one
   * that was not answered.
   */
  readonly #mayRefuse: boolean;
  /** What is to be found out after the next start, since an answer was lost. */
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

  /** Where a workspace is reached now. */
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
    const shown = ok(await createSandboxClient({ baseUrl: this.child.urls.sandbox }).GET('/workspace'));
    this.spaces.push({ shown, known: nothingKnown(freshNow), snapshots: new Map() });
    await fill(this.demo, this.at(this.demo));
  }

  /** Kills the process where it still lives, starts another and finds out what is wrong. */
  async restart(): Promise<string[]> {
    await this.child.kill();
    await this.#open();
    for (const doubt of this.#doubts.splice(0)) await doubt();
    const there = (await this.listedSpaces()).join();
    const known = this.spaces.map(({ shown }) => shown.id).join();
    const wrong = there === known ? [] : [`there are the workspaces ${there}, known are ${known}`];
    for (const space of this.spaces) {
      const found = await compared(space, this.at(space));
      wrong.push(...found.map((what) => `${space.shown.id}: ${what}`));
      if (found.length === 0) await fill(space, this.at(space));
    }
    return wrong;
  }

  /** Starts another process while the one before lives. Returns that one. */
  async takeOver(): Promise<Killable> {
    const before = this.child;
    await this.#open();
    return before;
  }

  /** Goes back to each snapshot, and finds out what is wrong with what is there then. */
  async end(): Promise<string[]> {
    const wrong: string[] = [];
    for (const space of this.spaces) {
      for (const id of space.snapshots.keys()) {
        await this.restore(space, id);
        const found = await compared(space, this.at(space));
        wrong.push(...found.map((what) => `${space.shown.id} at ${id}: ${what}`));
      }
    }
    return wrong;
  }

  /** Takes a workspace back to a snapshot that is there. */
  async restore(space: Space, id: string): Promise<void> {
    const held = space.snapshots.get(id);
    if (held === undefined) throw new Error(`nobody knows of ${id}`);
    ok(await this.at(space).control.POST('/snapshots/{id}/restore', { params: { path: { id } } }));
    space.known = copyOf(held);
  }

  /** The ids of all workspaces, as the sandbox lists them. */
  async listedSpaces(): Promise<string[]> {
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

  /** Looks, after the next start, what came of something whose answer was lost. */
  doubt(look: () => Promise<void>): void {
    this.#doubts.push(look);
  }

  /** Orders and reports payments, `times` of each, or until the process is gone. Tells each answer. */
  async spend(space: Space, times: number, onAnswer: () => void = () => {}): Promise<void> {
    const where = this.at(space);
    const token = await answered(companyTokenOf(where)).catch((error) => {
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
      space.known.orders.set(order.order_id, { uid, codes });
      onAnswer();
      const transactionId = `PAY-${number}`;
      const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '500' } as const;
      const paid = await this.#send(space, rewards.POST('/v1/partner/events/payment', { body: event }));
      if (paid === undefined) return;
      space.known.payments.set(transactionId, { uid, points: paid.points });
      onAnswer();
    }
  }

  /** Sends something that stands once it is answered, and perhaps when it is not. */
  async #send<T>(
    space: Space,
    call: Promise<{ data?: T; error?: unknown; response: Response }>,
  ): Promise<T | undefined> {
    const { known } = space;
    known.unsure += 1;
    const reply = await answered(call);
    if (reply === undefined || (this.#mayRefuse && [502, 503].includes(reply.response.status))) return undefined;
    known.unsure -= 1;
    return ok(reply);
  }

  /**
   * Takes a snapshot, while others may be ordering.
   *
   * @returns what the snapshot holds, or would hold had it been taken, and its id where that was answered
   */
  async snapshot(space: Space): Promise<{ held: Known; id: string | undefined }> {
    const held = copyOf(space.known);
    const sure = held.orders.size + held.payments.size;
    const reply = await answered(this.at(space).control.POST('/snapshots', { body: {} }));
    const { orders, payments, unsure } = space.known;
    held.unsure = orders.size + payments.size + unsure - sure;
    const id = reply === undefined ? undefined : ok(reply).id;
    if (id !== undefined) space.snapshots.set(id, held);
    return { held, id };
  }
}
