/** Probes of `creditPoints`: what a payment earned is credited, once. */
import { assertComplete, assertRefused, assertSucceeded, isSuccess } from '../assertions.ts';
import type { Probe } from '../probe-context.ts';
import {
  afterCredit,
  atOnce,
  balanceIs,
  points,
  refusedWithoutEffect,
  sendLost,
  totalIs,
  totalOf,
  without,
} from './booking.ts';

const path = '/creditPoints';
/** The most that a number of points can be, and one more. */
const most = 999_999_999_999_999;
const beyond = String(most + 1);

export const creditProbes = {
  'CRD-01': async (probing) => {
    const before = await probing.balance();
    const answer = await probing.operations.credit(probing.event(points));
    assertComplete(answer, 'The credit');
    await balanceIs(probing, before + points, `a credit of ${points} points`, [answer]);
  },
  'CRD-02': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    const answers = [await probing.operations.credit(event), await probing.operations.credit(event)];
    await balanceIs(probing, before + points, 'the same credit twice', answers);
  },
  'CRD-03': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    const answers = await atOnce(10, () => probing.operations.credit(event));
    await balanceIs(probing, before + points, 'ten identical concurrent credits', answers);
  },
  'CRD-04': async (probing) => {
    await afterCredit(probing);
    const event = probing.event(points);
    const first = await probing.operations.credit(event);
    const other = await probing.operations.credit({ ...event, points: String(points + 1) });
    assertRefused(other, 'Another number of points with the same transactionId', [first]);
  },
  'CRD-05': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    await sendLost(probing, path, event);
    const answer = await probing.operations.credit(event);
    await balanceIs(probing, before + points, 'a credit whose response was lost, and its repeat', [answer]);
  },
  'CRD-06': async (probing) => {
    await afterCredit(probing);
    const event = probing.event(points);
    const first = await probing.operations.credit(event);
    assertSucceeded(await probing.operations.credit(event), 'The repeated credit', [first]);
    const lost = probing.event(points);
    await sendLost(probing, path, lost);
    assertSucceeded(await probing.operations.credit(lost), 'The same credit again after a lost response');
  },
  'CRD-07': async (probing) => {
    await afterCredit(probing);
    const event = probing.event(points);
    const first = await probing.operations.credit(event);
    const other = await probing.operations.credit({ ...event, uid: probing.other });
    assertRefused(other, 'Another customer with the same transactionId', [first]);
  },
  'CRD-08': async (probing) => {
    await afterCredit(probing);
    const event = probing.event(points);
    const first = await probing.operations.credit(event);
    const other = await probing.operations.credit({ ...event, paymentAmount: '1.00' });
    assertRefused(other, 'Another paymentAmount with the same transactionId', [first]);
  },
  'CRD-09': async (probing) => {
    const before = await afterCredit(probing);
    const event = probing.event(points);
    const changes = [{}, { points: String(points + 1) }, { paymentAmount: '1.00' }];
    const answers = [];
    for (const change of changes) answers.push(await probing.operations.credit({ ...event, ...change }));
    await balanceIs(probing, before + points, 'one credit and others with its transactionId', answers);
  },
  'CRD-10': async (probing) => {
    const send = (text: string) => () => probing.operations.credit(probing.event(points, { points: text }));
    await refusedWithoutEffect(probing, {
      'points are `many`': send('many'),
      'points are `12abc`': send('12abc'),
      'points are empty': send(''),
    });
  },
  'CRD-11': async (probing) => {
    const send = () => probing.operations.credit(probing.event(points, { points: '-5' }));
    await refusedWithoutEffect(probing, { 'points are `-5`': send });
  },
  'CRD-12': async (probing) => {
    const send = (text: string) => () => probing.operations.credit(probing.event(points, { points: text }));
    await refusedWithoutEffect(probing, {
      'points are `10.5`': send('10.5'),
      'points are `1e3`': send('1e3'),
      'points are `007`': send('007'),
    });
  },
  'CRD-13': async (probing) => {
    const answer = await probing.operations.credit(probing.event(points, { points: beyond }));
    if (isSuccess(answer)) {
      // It takes two deductions to make that undone: this one, and the runner's.
      const record = probing.record(most);
      await probing.operations.save(record);
      await probing.operations.update(probing.status(record.redeemCode, 'Delivered'));
    }
    assertRefused(answer, 'A credit of points with 16 digits');
  },
  'CRD-14': async (probing) => {
    const names = ['uid', 'transactionId', 'points'];
    const withoutField = (name: string) => () => probing.operations.credit(without(probing.event(points), name));
    const empty = (name: string) => () => probing.operations.credit({ ...probing.event(points), [name]: '' });
    const calls = names.flatMap((name) => [
      [`${name} is missing`, withoutField(name)] as const,
      [`${name} is empty`, empty(name)] as const,
    ]);
    await refusedWithoutEffect(probing, Object.fromEntries(calls));
  },
  'CRD-15': async (probing) => {
    const withoutField = (name: string) => () => probing.operations.credit(without(probing.event(points), name));
    await refusedWithoutEffect(probing, {
      'eventType is missing': withoutField('eventType'),
      'paymentAmount is missing': withoutField('paymentAmount'),
    });
  },
  'CRD-16': async (probing) => {
    const answer = await probing.operations.credit(probing.event(points, { uid: probing.fresh() }));
    assertRefused(answer, 'A credit for an unknown customer');
  },
  'CRD-17': async (probing) => {
    const before = await afterCredit(probing);
    const answer = await probing.operations.credit(probing.event(0, { paymentAmount: '99.00' }));
    assertSucceeded(answer, 'A credit of 0 points');
    await balanceIs(probing, before, 'a credit of 0 points', [answer]);
  },
  'CRD-18': async (probing) => {
    await afterCredit(probing);
    const before = await totalOf(probing, 'totalEarned');
    const answer = await probing.operations.credit(probing.event(points));
    await totalIs(probing, 'totalEarned', before + points, [answer]);
  },
} satisfies Record<string, Probe>;
