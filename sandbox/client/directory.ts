import type { components } from '../../generated/sandbox/types.ts';
import { balance, book, type Entry, emptyAccount, label, points } from '../domain/ledger.ts';
import { noAttempts } from '../domain/otp.ts';
import { orderedKey } from '../runtime/ids.ts';
import { digest } from '../runtime/tokens.ts';
import type { WatchedQuery } from '../runtime/waiting.ts';
import type { Client } from './client.ts';
import type { ClientTx, Customer, LedgerEntry, Profile } from './collections.ts';
import { bookEntry, customerOf } from './ledger.ts';
import { type MessageFilter, messageQuery, type PublicMessage } from './outbox.ts';
import { type DemoData, makeProfile, type Project } from './profiles.ts';

type PublicCustomer = components['schemas']['Customer'];
export type PublicEntry = components['schemas']['LedgerEntry'];

/** The input for creating or changing a customer. `balance` is the resulting balance. */
interface CustomerInput {
  readonly profile?: Partial<Profile>;
  readonly balance?: number;
}

/** Extra state of a seeded customer. `at` is the time of the opening balance. Default: now. */
interface StartingState {
  readonly unlisted?: true;
  readonly at?: number;
}

/** The failure for a balance that would push total credits past the largest value of numeric text. */
const beyondReach = {
  kind: 'invalid_request',
  where: '/points/balance',
  problem: 'cannot be reached: total credits would exceed 999999999999999; reset the workspace or use a new customer',
} as const;

/** The reference client's customers, as the control API and the seed see them. */
export class Directory {
  readonly #client: Client;
  readonly #generated;

  constructor(client: Client, project: Project, generated: { readonly seed: string; readonly demoData?: DemoData }) {
    this.#client = client;
    this.#generated = { project, ...generated };
  }

  /** Returns listed customers in uid order. */
  list(after: string | undefined, limit: number): PublicCustomer[] {
    const found: PublicCustomer[] = [];
    for (let last = after; found.length < limit; ) {
      const slice = this.#client.store.range('customers', { limit, ...(last !== undefined && { after: last }) });
      found.push(...slice.filter(({ unlisted }) => unlisted !== true).map(toPublicCustomer));
      last = slice.at(-1)?.uid;
      if (slice.length < limit) break;
    }
    return found.slice(0, limit);
  }

  /** Adds a customer in a transaction. Returns `undefined` if the uid is in use. */
  add(tx: ClientTx, uid: string, input: CustomerInput, { at, ...state }: StartingState = {}) {
    if (tx.get('customers', uid) !== undefined) return undefined;
    const { seed: text, project, demoData } = this.#generated;
    const seed = Number.parseInt(digest(`${text}:${uid}`).slice(0, 8), 16);
    const profile = { ...makeProfile(uid, seed, project, demoData), ...input.profile };
    tx.put('customers', uid, { uid, profile, account: emptyAccount, attempts: noAttempts, ...state });
    return this.#level(tx, uid, input.balance, at);
  }

  create(uid: string, input: CustomerInput, trace: string): Promise<PublicCustomer | undefined> {
    return this.#client.store.transact((tx) => {
      const customer = this.add(tx, uid, input);
      if (customer !== undefined) this.#note(tx, 'customer.created', customer, trace);
      return customer;
    });
  }

  /** Changes a customer. Returns `undefined` if there is none with this uid. */
  change(uid: string, input: CustomerInput, trace: string): Promise<PublicCustomer | typeof beyondReach | undefined> {
    return this.#client.store.transact((tx) => {
      const customer = tx.get('customers', uid);
      if (customer === undefined) return undefined;
      if (book(customer.account, levelling(customer, input.balance)) === undefined) return beyondReach;
      const profile = { ...customer.profile, ...input.profile };
      tx.put('customers', uid, { ...customer, profile });
      const changed = this.#level(tx, uid, input.balance);
      this.#note(tx, 'customer.changed', changed, trace);
      return changed;
    });
  }

  /**
   * Returns a customer's entries with a number above `after`, oldest first, with their lifecycle labels and their numbers
   * among all entries. Returns `undefined` for an unknown customer.
   */
  ledger(uid: string, after = 0, limit = Infinity) {
    const { store } = this.#client;
    const customer = store.get('customers', uid);
    if (customer === undefined) return undefined;
    const numbers = store.ids('entries', { by: 'customer', group: uid, after: orderedKey(after), limit });
    const items = numbers.flatMap((number) => {
      const entry = store.get('entries', number);
      return entry === undefined ? [] : [{ ...this.#toPublicEntry(entry), number: Number(number) }];
    });
    return { items, balance: balance(customer.account) };
  }

  /** Returns a redemption's entries in a customer's ledger, oldest first, with their sequence numbers in the activity log. */
  bookings(uid: string, redeemCode: string): { readonly seq: number; readonly entry: PublicEntry }[] {
    const entries = this.#client.store.find('entries', 'redeemCode', redeemCode).filter((entry) => entry.uid === uid);
    return entries.map((entry) => ({ seq: entry.seq, entry: this.#toPublicEntry(entry) }));
  }

  #toPublicEntry(entry: LedgerEntry): PublicEntry {
    const redemption = entry.redeemCode === null ? undefined : this.#client.store.get('redemptions', entry.redeemCode);
    const state = redemption?.state === 'Refused' ? undefined : redemption?.state;
    const { kind, points, reference } = entry;
    return { kind, points, reference, label: label(entry, state), at: new Date(entry.at).toISOString() };
  }

  /** Queries the outbox: the newest messages, or with `after` the first ones with a higher number. Results are oldest first. */
  messages(filter: MessageFilter, limit: number): WatchedQuery<PublicMessage> {
    return messageQuery(this.#client, filter, limit);
  }

  /**
   * Books the entry that sets the account to the requested balance. Books nothing if the balance is already correct.
   */
  #level(tx: ClientTx, uid: string, target: number | undefined, at = this.#client.clock.now()): PublicCustomer {
    const customer = customerOf(tx, uid);
    const entry = levelling(customer, target);
    const seq = this.#client.activity.nextSeq(tx);
    if (entry.points > 0 && !bookEntry(tx, customer, entry, { at, redeemCode: null, seq }))
      throw new RangeError(`${uid} cannot have ${target} points`);
    return toPublicCustomer(customerOf(tx, uid));
  }

  #note(tx: ClientTx, event: string, { uid, points }: PublicCustomer, trace: string): void {
    this.#client.activity.note(tx, { trace, party: 'client', event, uid, detail: { balance: points.balance } });
  }
}

/**
 * Returns the entry that sets a customer's balance to the target. It has 0 points if the balance is already correct.
 */
function levelling(customer: Customer, target = balance(customer.account)): Entry {
  const difference = target - balance(customer.account);
  return { kind: difference < 0 ? 'deduct' : 'credit', points: Math.abs(difference), reference: 'opening' };
}

function toPublicCustomer({ uid, profile, account }: Customer): PublicCustomer {
  return { uid, profile, points: points(account) };
}
