/** Orders and payments of one workspace, through any instance, and what has to be there of them afterwards. */
import { expect } from 'vitest';
import type { SeededRandom } from '../../sandbox/runtime/random.ts';
import { ask, type Group, type Running, until } from './group.ts';

const json = { 'content-type': 'application/json' };
const uids = ['CUST0001', 'CUST0002', 'CUST0003'];
/** What is delivered as soon as it is ordered, and what two seconds later, so that its status is reported. */
const [atOnce, later] = ['EGV-SPICE-500', 'EGV-CHAI-100'];

/** How many orders, or payments, were sent and how many of them were acknowledged. */
interface Counts {
  orders: number;
  payments: number;
}

/** A workspace with traffic. */
export class WorkspaceTraffic {
  readonly id: string;
  /** Orders that were acknowledged. */
  readonly acknowledged = new Set<string>();
  /** Payments that were: transactions, and whose. */
  readonly paid = new Map<string, string>();
  readonly sent: Counts = { orders: 0, payments: 0 };
  readonly #admin: string;
  readonly #secret: string;
  readonly #group: Group;
  readonly #random: SeededRandom;

  private constructor(group: Group, random: SeededRandom, made: Pick<Made, 'id' | 'admin_token' | 'credentials'>) {
    this.id = made.id;
    this.#admin = made.admin_token;
    this.#secret = made.credentials.company_secret;
    this.#group = group;
    this.#random = random;
  }

  /** A new one, whose customers and rewards do not run out. */
  static async make(group: Group, random: SeededRandom): Promise<WorkspaceTraffic> {
    const url = `${group.urls(0).sandbox}/workspaces`;
    const reply = await ask(url, { method: 'POST', headers: json, body: '{}' });
    const made = new WorkspaceTraffic(group, random, reply?.body);
    const points = { points: { balance: 100_000_000 } };
    for (const uid of uids) await made.#set('PATCH', `/customers/${uid}`, points);
    await made.#set('PATCH', '/workspace', { settings: { rate_limit: 100_000 } });
    for (const sku of [atOnce, later]) await made.#set('PATCH', `/catalogue/${sku}`, { stock: 1_000_000 });
    await made.#set('PUT', `/vendor-outcomes/${later}`, { outcome: 'deliver', delay_seconds: 2 });
    return made;
  }

  /** One order, with a token through another instance. */
  async order(): Promise<void> {
    const token = await this.signIn();
    if (token !== undefined) await this.place(token, this.#random.integer(2) === 0 ? atOnce : later);
  }

  /** A token for orders; undefined where none was given. */
  async signIn(): Promise<string | undefined> {
    const init = { method: 'POST', headers: json, body: JSON.stringify({ secret: this.#secret }) };
    const reply = await ask(`${this.#any().rewards}/v1/company/auth`, init);
    return reply?.status === 200 ? reply.body.token : undefined;
  }

  /** One order with a token. What is left out leaves nothing to do later, and goes through any instance. */
  async place(token: string, sku = atOnce, urls = this.#any()): Promise<void> {
    this.sent.orders += 1;
    const reference_id = `${this.id}-${this.sent.orders}`;
    const uid = uids[this.#random.integer(uids.length)];
    const placed = await ask(`${urls.rewards}/v1/partner/redeemptiononskus`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${token}` },
      body: JSON.stringify({ uid, line_items: [{ sku, quantity: 1 }], reference_id }),
    });
    if (placed?.status === 200) this.acknowledged.add(reference_id);
  }

  /** One payment event, sent in the client's name. */
  async pay(): Promise<void> {
    this.sent.payments += 1;
    const body = { uid: uids[this.#random.integer(uids.length)] ?? '', transactionId: `PAY-${this.sent.payments}` };
    const reply = await this.#call('POST', '/triggers/payment', body);
    if (reply?.status === 200 && reply.body.answer.outcome === 'accepted') this.paid.set(body.transactionId, body.uid);
  }

  /** Whether an instance answers for it. */
  async answers(urls = this.#any()): Promise<boolean> {
    const headers = { authorization: `Bearer ${this.#admin}` };
    return (await ask(`${urls.sandbox}/clock`, { headers }))?.status === 200;
  }

  /** Its orders that were placed; undefined where they could not be read. */
  orders(): Promise<{ order: { order_id: string; reference_id: string; status: string } }[] | undefined> {
    return this.#all('/orders');
  }

  /** Fails unless all that was acknowledged is there once, has come to its end, and the books are even. */
  async check(where: string): Promise<void> {
    await until(`${where}: ${this.id} answers`, () => this.answers());
    await until(`${where}: all orders of ${this.id} come to their end`, async () => {
      const items = await this.orders();
      if (items === undefined) return false;
      const there = items.map(({ order: { reference_id } }) => reference_id);
      expect(there.length, `${where}: none twice`).toBe(new Set(there).size);
      const lost = [...this.acknowledged].filter((each) => !there.includes(each));
      expect(lost, `${where}: none lost`).toEqual([]);
      return items.every(({ order: { status } }) => status !== 'Pending');
    });
    await until(`${where}: all payments of ${this.id} are credited`, () => this.#arePaymentsCredited(where));
    await until(`${where}: the books of ${this.id} are even`, async () => {
      const reply = await this.#call('GET', '/reconciliation');
      return reply?.status === 200 && reply.body.items.length === 0;
    });
  }

  async #arePaymentsCredited(where: string): Promise<boolean> {
    for (const uid of uids) {
      const entries = await this.#all<{ reference: string }>(`/ledger/${uid}`);
      if (entries === undefined) return false;
      // Beside them there are the balances that it began with.
      const credited = entries.map(({ reference }) => reference).filter((each) => each.startsWith('PAY-'));
      expect(credited.length, `${where}: no payment twice`).toBe(new Set(credited).size);
      if ([...this.paid].some(([transaction, of]) => of === uid && !credited.includes(transaction))) return false;
    }
    return true;
  }

  /** All of a list; undefined where it was not answered. */
  async #all<T>(path: string): Promise<T[] | undefined> {
    const items: T[] = [];
    for (let after = 0; ; ) {
      const page = await this.#call('GET', `${path}?limit=500&after=${after}`);
      if (page?.status !== 200) return undefined;
      items.push(...page.body.items);
      if (page.body.next === null || page.body.items.length === 0) return items;
      after = page.body.next;
    }
  }

  async #set(method: string, path: string, body: object): Promise<void> {
    expect(await this.#call(method, path, body)).toMatchObject({ status: 200 });
  }

  #call(method: string, path: string, body?: object) {
    const headers = { ...json, authorization: `Bearer ${this.#admin}` };
    return ask(`${this.#any().sandbox}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  /** The addresses of any instance. */
  #any(): Running['urls'] {
    return this.#group.urls(this.#random.integer(this.#group.size));
  }
}

interface Made {
  readonly id: string;
  readonly admin_token: string;
  readonly credentials: { readonly company_secret: string };
}
