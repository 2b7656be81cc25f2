/** Sends orders and payments to a workspace through any instance, and checks the results. */
import { expect } from 'vitest';
import type { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { ask, type Group, type Running, until } from './group.ts';

const json = { 'content-type': 'application/json' };
const uids = ['CUST0001', 'CUST0002', 'CUST0003'];
/** One reward is delivered immediately. The other is delivered two seconds later, so its status is reported. */
const [immediate, later] = ['EGV-SPICE-500', 'EGV-CHAI-100'];

/** Numbers of orders and payments. */
interface Counts {
  orders: number;
  payments: number;
}

/** A workspace with traffic. */
export class WorkspaceTraffic {
  readonly id: string;
  /** Acknowledged orders. */
  readonly acknowledged = new Set<string>();
  /** Acknowledged payments: the customer for each transaction. */
  readonly paid = new Map<string, string>();
  readonly sent: Counts = { orders: 0, payments: 0 };
  readonly #admin: string;
  readonly #secret: string;
  readonly #group: Group;
  readonly #random: SeededRandom;

  private constructor(
    group: Group,
    random: SeededRandom,
    created: Pick<CreatedWorkspace, 'id' | 'admin_token' | 'credentials'>,
  ) {
    this.id = created.id;
    this.#admin = created.admin_token;
    this.#secret = created.credentials.company_secret;
    this.#group = group;
    this.#random = random;
  }

  /** Creates a workspace whose points and stock do not run out. */
  static async make(group: Group, random: SeededRandom): Promise<WorkspaceTraffic> {
    const url = `${group.urls(0).sandbox}/workspaces`;
    const reply = await ask(url, { method: 'POST', headers: json, body: '{}' });
    const traffic = new WorkspaceTraffic(group, random, reply?.body);
    const points = { points: { balance: 100_000_000 } };
    for (const uid of uids) await traffic.#set('PATCH', `/customers/${uid}`, points);
    await traffic.#set('PATCH', '/workspace', { settings: { rate_limit: 100_000 } });
    for (const sku of [immediate, later]) await traffic.#set('PATCH', `/catalogue/${sku}`, { stock: 1_000_000 });
    await traffic.#set('PUT', `/vendor-outcomes/${later}`, { outcome: 'deliver', delay_seconds: 2 });
    return traffic;
  }

  /** Places an order with a token that may come from another instance. */
  async order(): Promise<void> {
    const token = await this.signIn();
    if (token !== undefined) await this.place(token, this.#random.integer(2) === 0 ? immediate : later);
  }

  /** Returns a token for orders, or `undefined` if the call failed. */
  async signIn(): Promise<string | undefined> {
    const init = { method: 'POST', headers: json, body: JSON.stringify({ secret: this.#secret }) };
    const reply = await ask(`${this.#any().rewards}/v1/company/auth`, init);
    return reply?.status === 200 ? reply.body.token : undefined;
  }

  /** Places an order with a token. By default, the order is delivered immediately and goes through any instance. */
  async place(token: string, sku = immediate, urls = this.#any()): Promise<void> {
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

  /** Sends a payment event on behalf of the client. */
  async pay(): Promise<void> {
    this.sent.payments += 1;
    const body = { uid: uids[this.#random.integer(uids.length)] ?? '', transactionId: `PAY-${this.sent.payments}` };
    const reply = await this.#call('POST', '/triggers/payment', body);
    if (reply?.status === 200 && reply.body.answer.outcome === 'accepted') this.paid.set(body.transactionId, body.uid);
  }

  /** Returns whether an instance answers calls for this workspace. */
  async answers(urls = this.#any()): Promise<boolean> {
    const headers = { authorization: `Bearer ${this.#admin}` };
    return (await ask(`${urls.sandbox}/clock`, { headers }))?.status === 200;
  }

  /** Returns the workspace's orders, or `undefined` if they could not be read. */
  orders(): Promise<{ order: { order_id: string; reference_id: string; status: string } }[] | undefined> {
    return this.#all('/orders');
  }

  /** Fails unless all acknowledged orders and payments exist exactly once and are completed, and the ledgers match. */
  async check(where: string): Promise<void> {
    await until(`${where}: ${this.id} answers`, () => this.answers());
    await until(`${where}: all orders of ${this.id} complete`, async () => {
      const items = await this.orders();
      if (items === undefined) return false;
      const references = items.map(({ order: { reference_id } }) => reference_id);
      expect(references.length, `${where}: none twice`).toBe(new Set(references).size);
      const lost = [...this.acknowledged].filter((each) => !references.includes(each));
      expect(lost, `${where}: none lost`).toEqual([]);
      return items.every(({ order: { status } }) => status !== 'Pending');
    });
    await until(`${where}: all payments of ${this.id} are credited`, () => this.#arePaymentsCredited(where));
    await until(`${where}: the ledgers of ${this.id} match`, async () => {
      const reply = await this.#call('GET', '/reconciliation');
      return reply?.status === 200 && reply.body.items.length === 0;
    });
  }

  async #arePaymentsCredited(where: string): Promise<boolean> {
    for (const uid of uids) {
      const entries = await this.#all<{ reference: string }>(`/ledger/${uid}`);
      if (entries === undefined) return false;
      // The remaining entries are opening balances.
      const credited = entries.map(({ reference }) => reference).filter((each) => each.startsWith('PAY-'));
      expect(credited.length, `${where}: no payment twice`).toBe(new Set(credited).size);
      if ([...this.paid].some(([transaction, of]) => of === uid && !credited.includes(transaction))) return false;
    }
    return true;
  }

  /** Returns all items of a list, or `undefined` if a page failed. */
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

  /** Returns the URLs of a random instance. */
  #any(): Running['urls'] {
    return this.#group.urls(this.#random.integer(this.#group.size));
  }
}

interface CreatedWorkspace {
  readonly id: string;
  readonly admin_token: string;
  readonly credentials: { readonly company_secret: string };
}

/** Orders a voucher with an idempotency key, which is also the order's reference. Returns the reply and its time in milliseconds. */
export async function orderWithKey(rewards: string, token: string, key: string) {
  const began = performance.now();
  const reply = await fetch(`${rewards}/v1/partner/redeemptiononskus`, {
    method: 'POST',
    headers: { ...json, authorization: `Bearer ${token}`, 'idempotency-key': `key-${key}` },
    body: JSON.stringify({ uid: uids[0], line_items: [{ sku: immediate, quantity: 1 }], reference_id: key }),
  });
  const { order_id: id } = (await reply.json()) as { order_id?: string };
  return { status: reply.status, retry: reply.headers.get('retry-after'), id, took: performance.now() - began };
}
