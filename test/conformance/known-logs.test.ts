import { expect, it } from 'vitest';
import { KnownLogs, mostLogs } from '../../sandbox/conformance/known-logs.ts';

const call = { method: 'GET', url: '/rewards/v1/rewards', trace: 't', operation: 'listRewards', status: 200 };
const taken = { ...call, kind: 'call_in' };
const made = { ...call, kind: 'call_out' };

/** Whether a log knows that the call was read already, as the side that took it has it. */
const isKnown = (logs: KnownLogs, log: string) => logs.of(log).read(made) === undefined;

it('OP-66: what was read is known of the 100 logs that were asked for last, so that the thread holds as much however many there are', () => {
  const logs = new KnownLogs(new Map());
  logs.of('first').read(taken);
  logs.of('second').read(taken);
  for (let at = 2; at < mostLogs; at += 1) logs.of(`other ${at}`);
  logs.of('first');
  logs.of('one too many');
  expect([isKnown(logs, 'first'), isKnown(logs, 'second')]).toEqual([true, false]);
});

it('OP-66: nothing is known of a log that was forgotten', () => {
  const logs = new KnownLogs(new Map());
  logs.of('one').read(taken);
  logs.forget('one');
  expect(isKnown(logs, 'one')).toBe(false);
});
