/** Generates valid conversations from a seed, using episodes that the interface allows. */
import { registry } from '../../../sandbox/apis/registry.ts';
import {
  Customer,
  cart,
  company,
  egvLine,
  Journeys,
  kettleLine,
  type Line,
  refusal,
  total,
  voucher,
} from './golden.ts';
import type { Call } from './recording.ts';

interface Scene {
  readonly journeys: Journeys;
  readonly customer: Customer;
  readonly line: Line;
  readonly number: number;
}

const service = { authorization: 'Bearer svc_9f83ab22c1' };

function updates({ journeys, line }: Scene, status: string, reply?: string): void {
  const body = { redeemCode: line.code, status, orderStatus: status, remark: '', projectCode: 'DEMO01' };
  const refused = reply === undefined ? undefined : refusal(reply);
  const answer = refused ?? { success: true, status: 200 };
  journeys.call('updateRedeemStatus', { body, ...service }, refused === undefined ? 200 : 422, answer);
}

/** Records an order, waits for `hours` hours, and then has the client refund the points. */
function ordersAndWaits(scene: Scene, hours: number): void {
  const { journeys, customer, line } = scene;
  journeys.orders(customer, `ORD-${line.code}`, [line]);
  journeys.recording.wait(hours);
  customer.balance += total(line);
}

/** Possible events for a customer. */
const episodes: Readonly<Record<string, (scene: Scene) => void>> = {
  'an order is delivered': ({ journeys, customer, line, number }) => {
    journeys.orders(customer, `ORD-${line.code}`, [line]);
    journeys.reports(customer, line, 'Pending');
    journeys.reports(customer, line, 'Delivered', 2);
    journeys.looksIntoTheWallet(customer.uid, [voucher(number % 60, line)]);
  },
  'a voucher is delivered as two': ({ journeys, customer, line, number }) => {
    const halves = [voucher(number % 60, line), { ...voucher(number % 60, line), voucherCode: `HALF-${number}` }];
    journeys.orders(customer, `ORD-${line.code}`, [line]);
    journeys.reports(customer, line, 'Delivered');
    journeys.looksIntoTheWallet(customer.uid, halves);
  },
  'an order is rejected': ({ journeys, customer, line }) => {
    journeys.orders(customer, `ORD-${line.code}`, [line]);
    journeys.readsProfile(customer);
    journeys.reports(customer, line, 'Rejected');
  },
  'an order is rejected, and the points come back a while later': (scene) => {
    const { journeys, customer, line } = scene;
    journeys.orders(customer, `ORD-${line.code}`, [line]);
    updates(scene, 'Rejected');
    journeys.readsProfile(customer);
    customer.balance += total(line);
  },
  'the reply to a record is lost': ({ journeys, customer, line }) => {
    journeys.orders(customer, `ORD-${line.code}`, [line], true);
    journeys.reports(customer, line, 'Delivered');
  },
  'the client gives points back by itself': (scene) => ordersAndWaits(scene, 25),
  'the client gives points back by itself, and Rejected moves nothing': (scene) => {
    ordersAndWaits(scene, 25);
    scene.journeys.readsProfile(scene.customer);
    updates(scene, 'Rejected');
  },
  'the client gives points back soon, and Rejected moves nothing': (scene) => {
    ordersAndWaits(scene, 0);
    scene.journeys.readsProfile(scene.customer);
    updates(scene, 'Rejected');
  },
  'the client gives points back by itself, and refuses Delivered': (scene) => {
    ordersAndWaits(scene, 25);
    updates(scene, 'Delivered', 'Points were returned.');
    updates(scene, 'Rejected');
  },
  'a payment is credited': ({ journeys, customer, number }) => journeys.pays(customer, '900', number),
  'a payment is credited twice in one call lost': ({ journeys, customer, number }) =>
    journeys.pays(customer, '12.50', number, true),
  'a payment is worth no points': ({ journeys, customer, line }) => {
    const transactionId = `PAY-${line.code}`;
    const body = { uid: customer.uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '1' };
    const reply = { success: true, status: 202, transactionId, points: 0 };
    journeys.call('sendPaymentEvent', { body, authorization: company }, 202, reply);
  },
  'a record is refused, and so is the order': ({ journeys, customer, line }) => {
    const body = { uid: customer.uid, ...cart([line]) };
    const flat = { name: 'Bad Request', message: 'Points changed', code: 56, status: 422, type: 'Refused' };
    journeys.call('createRedemptionOrder', { body, authorization: company }, 422, flat, () => {
      const record = { body: journeys.record(customer, line), ...service };
      journeys.call('saveRedeemDetails', record, 422, refusal('User points have changed.'));
    });
  },
  'an order fails after its deduction, and is rejected': (scene) => {
    const { journeys, customer, line } = scene;
    const body = { uid: customer.uid, ...cart([line]) };
    journeys.call('createRedemptionOrder', { body, authorization: company }, 502, undefined, () =>
      journeys.deducts(customer, line),
    );
    journeys.reports(customer, line, 'Rejected');
  },
  'the customer looks': ({ journeys, customer }) => journeys.entersThePortal(customer),
};

/** Generates a conversation of `length` episodes between three customers and both servers. */
export function conversation(seed: number, length = 10): readonly Call[] {
  let state = seed + 1;
  const below = (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  const names = Object.keys(episodes);
  const journeys = new Journeys(`UPI-${seed}`);
  const customers = [1, 2, 3].map((n) => new Customer(seed * 10 + n, 50_000));
  journeys.companySignsIn();
  for (const customer of customers) journeys.signsIn(customer);
  for (let number = 1; number <= length; number += 1) {
    const customer = customers[below(3)] ?? new Customer(0, 0);
    const kind = below(2) === 0 ? egvLine : kettleLine;
    const line = { ...kind, code: `RDM-${seed}-${number}`, quantity: 1, points: 200 + 7 * number };
    if (below(3) > 0) journeys.readsProfile(customer);
    // The episodes take turns.
    episodes[names[(seed * length + number) % names.length] ?? '']?.({ journeys, customer, line, number });
    if (below(3) > 0) journeys.readsProfile(customer);
  }
  for (const customer of customers) journeys.readsProfile(customer);
  return journeys.recording.calls;
}

/** Moves the calls to a sandbox or workspace at this address, `later` milliseconds later. The client server may also differ. */
function at(calls: readonly Call[], origin: string, later: number, client?: string): readonly Call[] {
  return calls.map((call) => {
    const own = call.server === 'webhook' ? '' : `${origin}${registry[call.server].prefix}`;
    const base = call.server === 'client' ? (client ?? own) : own;
    return { ...call, ...(base !== '' && { base }), start: call.start + later, end: call.end + later };
  });
}

const workspace = (number: number) => `http://127.0.0.1:4010/w/${String(number).repeat(32)}`;
const client = (name: string) => `http://client-${name}.example`;
const inOrder = (calls: readonly Call[]) => calls.toSorted((one, other) => one.end - other.end);

/** Recordings of two worlds with the same customers and codes. */
export const worlds: Readonly<Record<string, (one: readonly Call[], other: readonly Call[]) => readonly Call[]>> = {
  'two workspaces': (one, other) => inOrder([...at(one, workspace(1), 0), ...at(other, workspace(2), 7)]),
  'two sandboxes': (one, other) => inOrder([...one, ...at(other, 'http://127.0.0.1:4999', 3)]),
  'two client servers': (one, other) =>
    inOrder([...at(one, workspace(1), 0, client('one')), ...at(other, workspace(2), 7, client('two'))]),
};
