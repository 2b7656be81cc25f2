/** Probes of journeys: this project's platform calls the server, with faults injected into the calls. */

import { failWith } from '../assertions.ts';
import { Journey, productFee, vendorSeconds, workspaceOf } from '../journey.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { Interrupted, RequirementFailed } from '../verdict.ts';

/** Price of an item, in points. */
const points = 40;
/** Seconds until the platform's second attempt. `thirdTry` is the delay before the third. */
const secondTry = 5;
const thirdTry = 300;
/** Seconds until the end of a journey in which the platform repeats a status update. */
const afterSecondTry = vendorSeconds + secondTry;
/** Delay that a fault adds to a reply, in real milliseconds. */
const slowMs = 20;

export const journeysProbes = {
  'JRN-01': journey('v1', (journey) => delivered(journey, 'a delivered order')),
  'JRN-02': journey('v1', async (journey) => {
    const { order_id } = await journey.ordered([await journey.item({ points, product: true, outcome: 'reject' })]);
    const order = [order_id, 'Rejected'] as const;
    await journey.advanceAndAssert(vendorSeconds, `a rejected order with a fee of ${productFee} points`, 0, order);
  }),
  'JRN-03': journey('v1', async (journey) => {
    const sku = await journey.item({ points });
    await journey.ordered([sku]);
    await journey.fault({ target: 'saveRedeemDetails', fault: 'lost_reply', times: 2 });
    const { order_id } = await journey.placed('An order whose first two responses are lost', [sku]);
    const order = [order_id, 'Delivered'] as const;
    await journey.advanceAndAssert(vendorSeconds, 'two orders, one of them sent three times', -2 * points, order);
  }),
  'JRN-04': journey('v1', async (journey) => {
    const sku = await journey.item({ points, product: true, outcome: 'reject' });
    await journey.fault({ target: 'saveRedeemDetails', fault: 'duplicate', times: 1 });
    await journey.fault({ target: 'updateRedeemStatus', fault: 'duplicate', times: 1 });
    await journey.ordered([sku]);
    await journey.advanceAndAssert(vendorSeconds, 'an order whose deduction and rejection arrive twice', 0);
  }),
  'JRN-05': journey('v1', async (journey) => {
    const sku = await journey.item({ points, outcome: 'never' });
    await journey.ordered([sku]);
    await journey.fault({ target: 'saveRedeemDetails', fault: 'lost_reply', times: 3 });
    if ((await journey.order([sku])) !== undefined) throw new Error('the platform placed an order without a response');
    await journey.advanceAndAssert(0, 'one placed order, and one abandoned without a response', -points);
  }),
  'JRN-06': journey('v1', async (journey) => {
    const sku = await journey.item({ points, product: true, outcome: 'reject' });
    await journey.fault({ target: 'updateRedeemStatus', fault: 'lost_reply', times: 1 });
    await journey.ordered([sku]);
    await journey.advanceAndAssert(afterSecondTry, 'a rejection repeated because its response was lost', 0);
  }),
  'JRN-07': journey('v1', async (journey, probing) => {
    await journey.fault({ target: 'creditPoints', fault: 'status', times: 1, status: 503 });
    await journey.fault({ target: 'creditPoints', fault: 'lost_reply', times: 1 });
    const transactionId = probing.fresh();
    const event = { uid: probing.customer, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '900' } as const;
    const paid = await journey.rewards().POST('/v1/partner/events/payment', { body: event });
    if (paid.data === undefined) await journey.unplaced('A payment');
    await journey.advanceAndAssert(secondTry + thirdTry, 'a payment whose credit arrives twice', 9);
  }),
  'JRN-08': journey('v1', async (journey) => {
    const sku = await journey.item({ points });
    const { order_id } = await journey.ordered([sku, await journey.item({ points: 25, outcome: 'out_of_stock' })]);
    const order = [order_id, 'Delivered, Rejected'] as const;
    await journey.advanceAndAssert(vendorSeconds, 'an order with two lines, one of them rejected', -points, order);
  }),
  'JRN-09': journey('v1', async (journey) => {
    const { order_id } = await journey.ordered([
      await journey.item({ points, outcome: 'never' }),
      await journey.item({ points, product: true, outcome: 'never' }),
    ]);
    await journey.cancel(order_id);
    await journey.advanceAndAssert(0, 'a cancelled order', 0, [order_id, 'Rejected, Rejected']);
  }),
  'JRN-10': journey('v1', async (journey) => {
    const [first, back] = [await journey.item({ points }), await journey.item({ points: 25, outcome: 'reject' })];
    await journey.fault({ target: 'saveRedeemDetails', fault: 'out_of_order', times: 1 });
    // Wait for both orders, even if one of them fails.
    const orders = await Promise.allSettled([journey.ordered([first]), journey.ordered([back])]);
    for (const order of orders) if (order.status === 'rejected') throw order.reason;
    await journey.advanceAndAssert(vendorSeconds, 'two concurrent orders that arrive out of order', -points);
  }),
  'JRN-11': journey('v1', async (journey, probing) => {
    const { uid, token: jwt } = await probing.session();
    const { data: session } = await journey.rewards().POST('/v1/customer/auth', { body: { uid, token: jwt } });
    const message = "The server does not accept the customer's own token.";
    if (session === undefined) failWith(message, '/session', 'a session', 'none', await journey.evidence());
    const sku = await journey.item({ points });
    await journey.ordered([sku]);
    const { order_id } = await journey.placed("An order with the customer's token", [sku], session.token);
    const order = [order_id, 'Delivered'] as const;
    await journey.advanceAndAssert(
      vendorSeconds,
      'an order placed by the company and one by the customer',
      -2 * points,
      order,
    );
  }),
  'JRN-12': journey('v2', (journey) => delivered(journey, 'a delivered version 2.0 order')),
  'JRN-13': journey('v2', async (journey) => {
    const sku = await journey.item({ points, outcome: 'reject' });
    await journey.ordered([sku]);
    await journey.fault({ target: 'redeemPoints', fault: 'lost_reply', times: 1 });
    await journey.fault({ target: 'reversePoints', fault: 'lost_reply', times: 1 });
    await journey.placed('An order whose first response is lost', [sku]);
    await journey.advanceAndAssert(afterSecondTry, 'two rejected version 2.0 orders with lost responses', 0);
  }),
  'JRN-14': journey('v1', async (journey) => {
    const sku = await journey.item({ points, product: true, outcome: 'reject' });
    await journey.ordered([sku]);
    await journey.fault({ target: 'getProfileAndPoints', fault: 'latency', times: 1, ms: slowMs });
    await journey.fault({ target: 'saveRedeemDetails', fault: 'reset', times: 1 });
    await journey.fault({ target: 'saveRedeemDetails', fault: 'malformed', times: 1 });
    await journey.fault({ target: 'saveRedeemDetails', fault: 'drip', times: 1, ms: slowMs });
    await journey.placed('An order whose responses are cut off', [sku]);
    await journey.fault({ target: 'updateRedeemStatus', fault: 'malformed', times: 1 });
    await journey.advanceAndAssert(afterSecondTry, 'two rejected orders with broken calls and responses', 0);
  }),
} satisfies Record<string, Probe>;

async function delivered(journey: Journey, what: string): Promise<void> {
  const { order_id } = await journey.ordered([await journey.item({ points })]);
  await journey.advanceAndAssert(vendorSeconds, what, -points, [order_id, 'Delivered']);
}

/**
 * Makes a probe of a journey in a new workspace, so that no pending jobs of other journeys affect it. Afterwards always
 * disconnects the platform from the server, counts its calls and records its redemptions.
 */
function journey(version: 'v1' | 'v2', drive: (journey: Journey, probing: ProbeContext) => Promise<void>): Probe {
  return async (probing) => {
    const platform = await probing.run.platform();
    const journey = new Journey(probing, version, platform, await workspaceOf(platform, probing));
    try {
      await journey.begin();
      await drive(journey, probing);
    } catch (error) {
      if (probing.run.parts.signal.aborted) throw new Interrupted('The run was stopped.');
      throw error instanceof RequirementFailed ? ((await journey.unheard()) ?? error) : error;
    } finally {
      await journey.end();
    }
  };
}
