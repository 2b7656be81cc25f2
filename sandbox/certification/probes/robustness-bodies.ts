/** Probes of unusual bodies. The server must process or refuse them correctly, without a server error. */
import type { Answer } from '../answer.ts';
import { assertRefused, assertSame, describeAnswer, failStatus, failWith, isSuccess } from '../assertions.ts';
import type { Body, Booking, Sending } from '../operations.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { prerequisites } from '../requirement.ts';
import { Blocked } from '../verdict.ts';

const extra = { addedLater: { note: 'a field that came with a later version', list: [1, null] } };

/** JSON bodies that are not an object with the fields of the operation. */
const otherJson: Readonly<Record<string, string>> = {
  null: 'null',
  'an array': '[]',
  text: '"text"',
  'a number': '7',
  'an object nested 1000 levels deep': `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
};

export const robustnessBodyProbes = {
  'ROB-02': async (probing) => {
    for (const [name, body, what, by] of bookingsOf(probing, 5)) {
      const send = probing.operations[name];
      const answer = await send({ ...body, ...extra });
      await carriedOutAsUsual(answer, `${what} with an extra field`, () => send(body), by);
    }
  },
  'ROB-03': async (probing) => {
    const before = await probing.balance();
    const answer = await booking(probing).send({ contentType: 'text/plain' });
    await assertUnharmed(probing, before, answer, 'a body declared as text/plain');
  },
  'ROB-04': async (probing) => {
    const before = await probing.balance();
    const { body, by, send } = booking(probing);
    const answer = await send({}, { ...body, addedLater: 'x'.repeat(70 * 1024) });
    // A server may drop the connection instead of reading the body, but it must stay available and change nothing.
    if (answer.problem !== 'broken') assertNoServerError(answer, 'A body of 70 KiB');
    await assertUnharmed(probing, isSuccess(answer) ? before + by : before, answer, 'a body of 70 KiB');
  },
  'ROB-05': (probing) => refusedUnharmed(probing, { raw: '' }, 'an empty body'),
  'ROB-06': (probing) => refusedUnharmed(probing, { raw: '{"uid": "CUST0001", "points":' }, 'an invalid JSON body'),
  'ROB-07': async (probing) => {
    for (const [name, raw] of Object.entries(otherJson)) await refusedUnharmed(probing, { raw }, `${name} as the body`);
  },
} satisfies Record<string, Probe>;

async function refusedUnharmed(probing: ProbeContext, sending: Sending, what: string): Promise<void> {
  const before = await probing.balance();
  const answer = await booking(probing).send(sending);
  await assertResponds(probing, answer, what);
  assertRefused(answer, `A call with ${what}`);
  await assertUnharmed(probing, before, answer, what);
}

/** Yields a booking for each operation of the tested versions, and the requirement that the server accepts it. */
export function* bookingsOf(
  probing: ProbeContext,
  points: number,
): Generator<readonly [name: Booking, body: Body, what: string, by: string]> {
  const { api } = probing.input;
  if (api !== 'v2') {
    yield ['credit', probing.event(points), 'A credit', prerequisites.credit];
    const record = probing.record(points);
    yield ['save', record, 'A redemption', prerequisites.deduction];
    const report = probing.status(record.redeemCode, 'Rejected');
    yield ['update', report, 'A status update', prerequisites.rejection];
  }
  if (api === 'v2' || api === 'both') {
    const deduction = probing.deduction(points);
    yield ['redeem', deduction, 'A deduction', prerequisites.v2Deduction];
    const reversal = { redeem_code: deduction.redeem_code, points, reason: '' };
    yield ['reverse', reversal, 'A reversal', prerequisites.v2Reversal];
  }
}

const points = 7;

/** Builds a valid call and its effect on the balance: a credit, or a deduction if only version 2.0 is tested. */
export function booking(probing: ProbeContext) {
  const { operations, input } = probing;
  const isV2 = input.api === 'v2';
  const body: Body = isV2 ? probing.deduction(points) : probing.event(points);
  const call = isV2 ? operations.redeem : operations.credit;
  return {
    /** The requirement that the server accepts such a call. */
    prerequisite: isV2 ? prerequisites.v2Deduction : prerequisites.credit,
    body,
    /** The change of the balance, in points. */
    by: isV2 ? -points : points,
    send: (sending?: Sending, other = body) => call(other, sending),
  };
}

/** Asserts that a call received an answer with a status below 500. */
export function assertNoServerError(answer: Answer, what: string): void {
  const { status } = answer;
  if (status !== undefined && status < 500) return;
  failStatus(`${what} caused a server error`, 'below 500', answer);
}

/** Asserts that the server still responds after a call and that the balance is as expected. */
export async function assertUnharmed(probing: ProbeContext, balance: number, answer: Answer, what: string) {
  await assertResponds(probing, answer, what);
  const now = await probing.balance();
  const message = `After ${what} (${describeAnswer(answer)}), the balance is ${now} instead of ${balance}.`;
  assertSame(now, balance, { message, pointer: '/balance', answers: [answer] });
}

/** Asserts that the server responds to another call. */
async function assertResponds(probing: ProbeContext, answer: Answer, what: string): Promise<void> {
  const after = await probing.readAccount();
  if (after.status !== undefined) return;
  const reason = describeAnswer(after);
  failWith(`After ${what}, the server does not respond: ${reason}.`, '', 'a response', reason, [answer, after]);
}

/** Asserts that an unusual call succeeded. Rejects with `Blocked` if the same call fails when sent normally. */
export async function carriedOutAsUsual(unusual: Answer, what: string, usual: () => Promise<Answer>, by: string) {
  if (isSuccess(unusual)) return;
  const control = await usual();
  if (!isSuccess(control)) throw new Blocked(by, `The normal call is refused too: ${describeAnswer(control)}.`);
  failStatus(`${what} failed`, '200', unusual, { before: [control] });
}
