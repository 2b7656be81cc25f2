/**
 * Exports the test plan as calls: a folder for each magic value. The calls send the value and compare the result
 * with the table of magic values. The test plan page has a row for each folder.
 */
import { type Expected, magicAmounts, magicCustomers, magicItems } from '../../../sandbox/magic/table.ts';
import { type Call, type Calls, callWith, type Group, variables } from './calls.ts';

const description = `Every magic value with its expected result, from the table that the sandbox itself uses.

Run the whole collection, or "Start" and any folder. Calls advance the sandbox clock. Two values keep their callers waiting for 30 to
50 real seconds, as a slow server does.`;

const address = '12 Lake View Road, Bengaluru';

/** JavaScript path to the newest ledger entry. */
const last = 'items.at(-1)';

/** Returns all calls of the test plan. */
export function testPlan(): Calls {
  const start = [callWith('getWorkspace', 'Read addresses and credentials', {}, { status: 200 })];
  const items = magicItems.map(({ value, does, expected }) =>
    folder(value, does, orderCalls('CUST0001', value, expected)),
  );
  const customers = magicCustomers.map(({ value, does, expected }) =>
    folder(value, does, [...codeCalls(value, expected), ...orderCalls(value, 'EGV-CHAI-100', expected)]),
  );
  const amounts = magicAmounts.map((row) => folder(row.value, row.does, paymentCalls(row)));
  return {
    name: 'Rewards sandbox: test plan',
    description,
    groups: [
      { name: 'Start', description: 'Send these first.', parts: start },
      { name: 'Items', description: 'Orders of items.', parts: items },
      { name: 'Customers', description: 'Orders and sign-ins of customers.', parts: customers },
      { name: 'Amounts', description: 'Payments of amounts.', parts: amounts },
    ],
    variables: variables(),
  };
}

function folder(name: string, text: string, parts: readonly Call[]): Group {
  return { name, description: text, parts };
}

/** Orders the item. If the order has a final status, also reads the newest entry of the customer's ledger. */
function orderCalls(uid: string, sku: string, { status, code, message, ends, after = 0 }: Expected): Call[] {
  const contact = { email: undefined, mobile_no: undefined, reference_id: undefined };
  const body = { uid, line_items: [{ sku, quantity: 1 }], shipping_address: address, ...contact };
  const refused = code === undefined || message === undefined ? {} : { values: { code, message } };
  const order = callWith('createRedemptionOrder', 'Order', { body }, { status, ...refused });
  // If the client deducted points for a failed order, a retry refunds them.
  const end =
    ends === undefined ? [] : [advance(status === 200 ? after : 60), ledger(uid, { [`${last}.label`]: ends })];
  // Sign in again, because an earlier case may have advanced the clock past the token's expiry.
  const signIn = callWith('companyAuth', 'Sign in the company', {}, { status: 200 });
  return [signIn, { ...order, credential: { scheme: 'bare', token: '{{COMPANY_TOKEN}}' } }, ...end];
}

/** Requests a one-time password, if the plan expects the request to fail. */
function codeCalls(customer_id: string, { otp }: Expected): Call[] {
  if (otp === undefined) return [];
  const expects = { status: 422, values: { 'data.message': otp } };
  return [callWith('generateOtp', 'Ask for a one-time password', { body: { customer_id } }, expects)];
}

/** Sends a payment. Then reads the newest ledger entry, or the reason why the platform gave up on the credit. */
function paymentCalls({ value, expected }: (typeof magicAmounts)[number]): Call[] {
  const { points, after, credited, reason = '' } = expected;
  const uid = 'CUST0002';
  const body = { uid, paymentAmount: value };
  return [
    callWith('triggerPayment', 'Pay', { body }, { status: 200, values: { points } }),
    advance(after),
    credited
      ? ledger(uid, { [`${last}.kind`]: 'credit', [`${last}.points`]: points })
      : callWith(
          'listDeliveries',
          'Read why it was parked',
          {},
          { status: 200, values: { [`${last}.reason`]: reason } },
        ),
  ];
}

function advance(seconds: number): Call {
  return callWith('advanceClock', `Advance the clock by ${seconds} s`, { body: { seconds } }, { status: 200 });
}

function ledger(uid: string, values: Readonly<Record<string, string | number>>): Call {
  return callWith('getLedger', 'Read the ledger', { parameters: { uid } }, { status: 200, values });
}
