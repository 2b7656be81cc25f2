import type { components } from '../../generated/rewards/types.ts';
import type { KeepingTx } from '../contract/types.ts';
import {
  asksAgain,
  clientSaysNo,
  type Deductions,
  decide,
  evolve,
  failureOf,
  itemsOf,
  noDeductions,
  type OrderCommand,
  type OrderEvent,
  type OrderFailure,
  orderPoints,
  recordDeduction,
  shortOf,
} from '../domain/order.ts';
import { evolveLine, newLine } from '../domain/order-line.ts';
import { linePoints } from '../domain/points.ts';
import { finish, schedule, type Work } from '../jobs/work.ts';
import { confirmChange, dropExpected, expectReversal } from './balances.ts';
import { itemOf } from './catalogue.ts';
import { type ClientProtocol, type Contact, type OnBehalfOf, protocolOf } from './client-protocols.ts';
import type { ApiVersion, Item, Line, Order, PlatformTx } from './collections.ts';
import { type Draft, lineOf, noteOrder, orderOf, orderResource, type Placing, writePlacing } from './orders.ts';
import type { Platform } from './platform.ts';

/**
 * The reasons why an order is not placed. `unavailable`: a reset or restore removed the order during the calls to the
 * client (OP-64), or this process could not call the client.
 */
type NotPlaced = OrderFailure | { readonly kind: 'unavailable' } | { readonly kind: 'reference_conflict' };
type Placed = { readonly status: 200; readonly body: components['schemas']['Order'] };

/** An order request from any API. `jwt` is the customer's token; `undefined` if there is none (OP-17). */
export interface OrderRequest extends OnBehalfOf, Contact {
  /** The API version for all calls to the client about this order. */
  readonly version: ApiVersion;
  readonly line_items: readonly { readonly sku: string; readonly quantity: number }[];
  readonly reference_id?: string;
  readonly keep: <R extends Placed | OrderFailure>(tx: KeepingTx, answer: R) => R;
}

/**
 * Places an order. It checks products and balance, stores the order with its redeem codes, and has the client deduct
 * line by line. The order is placed only if the client accepts every line (G13; OP-05, OP-07, OP-23).
 */
export async function placeOrder(platform: Platform, request: OrderRequest): Promise<Placed | NotPlaced> {
  const requested = request.line_items.map((line) => ({ ...line, item: itemOf(platform.store, line.sku) }));
  const items = itemsOf(requested, request.shipping_address);
  if ('kind' in items) return items;
  const protocol = protocolOf(platform, request.version);
  const account = await protocol.readAccount(request, contactOf(request));
  if (account.kind !== 'accepted') return clientSaysNo(account);
  const { balance, contact } = account.body;
  const lines = draftLines(platform, request, items);
  const needed = orderPoints(lines.map((line) => line.points)).totalPointWithProcessingFee;
  const short = shortOf(needed, balance);
  if (short !== undefined) return short;

  const placing = await writePlacing(platform, request, lines);
  if (placing === undefined) return { kind: 'reference_conflict' };
  try {
    const deductions = await deductAll(protocol, request, placing.lines, contact);
    const failure = await explain(protocol, request, deductions, needed);
    return await platform.store.transact((tx) => {
      if (!isPlacing(tx, placing)) return { kind: 'unavailable' };
      finish(tx, { id: placing.guard });
      const order = carryOut(platform, tx, placing.order, { type: 'answered', ...deductions });
      // The process itself could not make the call, so the outcome is unknown. No reply is stored, and a repeat calls again.
      if (failure?.kind === 'client_no_answer' && failure.ours !== undefined) return { kind: 'unavailable' };
      return request.keep(tx, failure ?? { status: 200, body: orderResource(tx, order) });
    });
  } finally {
    placing.release();
  }
}

/** Returns the order's contact fields, without `undefined` values. */
function contactOf({ shipping_address, email, mobile_no }: Contact): Contact {
  return {
    ...(shipping_address !== undefined && { shipping_address }),
    ...(email !== undefined && { email }),
    ...(mobile_no !== undefined && { mobile_no }),
  };
}

function draftLines(platform: Platform, request: OrderRequest, items: readonly Item[]): Draft[] {
  return request.line_items.map(({ quantity }, index) => {
    const item = items[index] as Item;
    const { sku_code, product_type, skus: product_name, priceInr } = item;
    const points = linePoints({ product_type, priceInr, quantity }, platform.settings());
    const { uid, shipping_address } = request;
    const goes = product_type === 'PHYSICAL' && shipping_address !== undefined && { shipping_address };
    return { uid, sku_code, product_type, product_name, priceInr, quantity, points, ...goes, ...newLine };
  });
}

/** Returns whether the order still exists. A reset or restore may have removed it during the calls to the client (OP-64). */
function isPlacing(tx: PlatformTx, { order }: Placing): boolean {
  const found = tx.get('orders', order.order_id);
  // After a reset, a different order can have the same id.
  return found?.state === 'placing' && found.trace === order.trace;
}

/**
 * Applies the decision of the order's rules (`domain/order.ts`). It stores the new state and schedules the lines'
 * fulfilment, or reports them so that the client refunds its deductions (OP-07, OP-23). Returns the updated order.
 */
function carryOut(platform: Platform, tx: PlatformTx, order: Order, command: OrderCommand): Order {
  const event = decide(order, command);
  if (event === undefined) return order;
  const now = platform.clock.now();
  const { uid, trace, order_id } = order;
  const seq = event.type === 'placed' ? platform.activity.nextSeq(tx) : order.seq;
  const status = event.type === 'placed' ? ('Pending' as const) : ('Rejected' as const);
  const after = { ...evolve(order, event), updated: now, seq, status };
  tx.put('orders', order_id, after);
  switch (event.type) {
    case 'placed':
      for (const redeemCode of event.fulfil) {
        confirmChange(platform, tx, uid, { kind: 'deduction', reference: redeemCode });
        const at = now + platform.vendors.delay(lineOf(tx, redeemCode).sku_code);
        schedule(tx, { kind: 'fulfilLine', at, trace, payload: { redeemCode } });
      }
      break;
    case 'failed':
      failLines(platform, tx, order, event, command);
  }
  const detail = { order_id, ...(event.type === 'failed' && { remark: event.remark }) };
  noteOrder(platform, tx, order, `order.${event.type}`, detail);
  return after;
}

/**
 * Rejects the lines of a failed order, and reports those that may be deducted. For the balance comparison, it records
 * whether their deductions are reversed, were refused or were never requested.
 */
function failLines(
  platform: Platform,
  tx: PlatformTx,
  { uid, trace, redeemCodes }: Order,
  { remark, report }: Extract<OrderEvent, { type: 'failed' }>,
  command: OrderCommand,
): void {
  for (const redeemCode of redeemCodes) {
    const line = tx.get('lines', redeemCode);
    if (line !== undefined) tx.put('lines', redeemCode, evolveLine(line, { type: 'rejected', remark }));
  }
  for (const redeemCode of report) {
    expectReversal(tx, redeemCode);
    schedule(tx, { kind: 'reportStatus', at: platform.clock.now(), trace, payload: { redeemCode } });
  }
  for (const [index, reference] of redeemCodes.filter((code) => !report.includes(code)).entries()) {
    const change = { kind: 'deduction', reference } as const;
    // Lines after the refused one were never requested.
    const refused = index === 0 && command.type === 'answered' && command.answer.kind === 'refused';
    if (refused) confirmChange(platform, tx, uid, change, 'refused_deduction');
    else dropExpected(platform, tx, uid, change);
  }
}

/** Returns the reason for a failed order, or `undefined` if it did not fail. After a refusal, it reads the balance. */
async function explain(
  protocol: ClientProtocol,
  onBehalfOf: OnBehalfOf,
  { answer, deducted }: Deductions,
  needed: number,
): Promise<OrderFailure | undefined> {
  if (answer.kind === 'accepted') return undefined;
  const read = answer.kind === 'refused' ? await protocol.readAccount(onBehalfOf, {}) : undefined;
  const balance = read?.kind === 'accepted' ? read.body.balance : undefined;
  return failureOf(answer, deducted, needed, balance);
}

/** Has the client deduct the lines one by one. Stops at the first line that is not accepted. */
async function deductAll(protocol: ClientProtocol, onBehalfOf: OnBehalfOf, lines: readonly Line[], contact: Contact) {
  let deductions = noDeductions;
  for (const line of lines) {
    let answer = await protocol.deduct(onBehalfOf, line, contact);
    let tries = 1;
    // Retry with the same code if there is no response (OP-23).
    for (; asksAgain(answer, tries); tries += 1) answer = await protocol.deduct(onBehalfOf, line, contact);
    const { redeemCode, points } = line;
    deductions = recordDeduction(deductions, { redeemCode, points: points.totalPointWithProcessingFee }, answer, tries);
    if (answer.kind !== 'accepted') break;
  }
  return deductions;
}

/** Abandons an order whose call was interrupted before its reply (OP-50). */
export async function abandonOrder(platform: Platform, work: Work): Promise<void> {
  await platform.store.transact((tx) => {
    finish(tx, work);
    carryOut(platform, tx, orderOf(tx, work.payload.order_id ?? ''), { type: 'cut_off' });
  });
}
