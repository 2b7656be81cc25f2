/** Tests the circuit breaker of an operation that does not answer (OP-61). */
import { describe, expect, test } from 'vitest';
import { Circuits, circuitLimits, circuitOf } from '../../sandbox/http-client/circuit.ts';

/** Returns whether each call may start: `true`, `false` while it waits, or the reason for its refusal. */
async function asked(circuits: Circuits, ...keys: string[]): Promise<(boolean | string)[]> {
  const results: (boolean | string)[] = keys.map(() => false);
  for (const [index, key] of keys.entries()) {
    void circuits.ask(key).then(
      () => (results[index] = true),
      (error: Error) => (results[index] = error.message),
    );
  }
  // Let every call that does not have to wait settle.
  await new Promise((resolve) => setImmediate(resolve));
  return results;
}

/** Creates circuits in which operation `a` has failed this many times, on a clock that the test controls. */
function failedCircuits(failures: number, at = 0) {
  const clock = { now: at };
  const circuits = new Circuits(() => clock.now);
  for (let time = 0; time < failures; time += 1) circuits.failed('a');
  return { circuits, clock };
}

describe('the rule', () => {
  test('five failures in a row open it for 30 s', async () => {
    expect(await asked(failedCircuits(4, 1000).circuits, 'a')).toEqual([true]);
    const refusal = 'circuit open until 1970-01-01T00:00:31.000Z';
    expect(await asked(failedCircuits(5, 1000).circuits, 'a')).toEqual([refusal]);
  });

  test('open, it lets nothing through until its time is up, and then one probe', async () => {
    const { circuits, clock } = failedCircuits(5);
    clock.now = 29_999;
    expect(await asked(circuits, 'a')).toEqual(['circuit open until 1970-01-01T00:00:30.000Z']);
    clock.now = 30_000;
    expect(await asked(circuits, 'a')).toEqual([true]);
    clock.now = 40_000;
    expect(await asked(circuits, 'a')).toEqual([false]);
  });

  test.each([86_399_999, 0])(
    'a clock that is set back to %d does not keep it open: an end more than 30 s ahead is of the clock before',
    async (earlier) => {
      const { circuits, clock } = failedCircuits(5, 86_400_000);
      expect(await asked(circuits, 'a')).toEqual(['circuit open until 1970-01-02T00:00:30.000Z']);
      clock.now = earlier;
      expect(await asked(circuits, 'a')).toEqual([true]);
    },
  );

  test('a failed probe opens it again; calls in progress do not prolong it', async () => {
    const { circuits, clock } = failedCircuits(5);
    clock.now = 10_000;
    circuits.failed('a');
    expect(await asked(circuits, 'a')).toEqual(['circuit open until 1970-01-01T00:00:30.000Z']);
    clock.now = 45_000;
    expect(await asked(circuits, 'a')).toEqual([true]);
    circuits.failed('a');
    expect(await asked(circuits, 'a')).toEqual(['circuit open until 1970-01-01T00:01:15.000Z']);
  });

  test.each([0, 4, 5])('after %d failures, a call that was never made changes nothing', async (failures) => {
    const { circuits } = failedCircuits(failures);
    const before = await asked(circuits, 'a');
    circuits.untried('a');
    expect(await asked(circuits, 'a')).toEqual(before);
  });

  test('a probe that was never made makes room for another probe', async () => {
    const { circuits, clock } = failedCircuits(5);
    clock.now = 30_000;
    expect(await asked(circuits, 'a')).toEqual([true]);
    circuits.untried('a');
    expect(await asked(circuits, 'a', 'a')).toEqual([true, false]);
  });
});

test('OP-61: a circuit belongs to one operation at one origin and path, whatever the query', () => {
  const of = (operation: string, url: string) => circuitOf(operation, new URL(url));
  const circuit = of('getProfile', 'https://partner.example/a/getProfile?uid=1');
  expect(of('getProfile', 'https://PARTNER.example:443/a/getProfile?uid=2#x')).toBe(circuit);
  const others = [
    of('credit', 'https://partner.example/a/getProfile'),
    of('getProfile', 'https://partner.example/b/getProfile'),
    of('getProfile', 'https://partner.example:8443/a/getProfile'),
    of('getProfile', 'http://partner.example/a/getProfile'),
    of('getProfile', 'https://other.example/a/getProfile'),
  ];
  expect(new Set([circuit, ...others]).size).toBe(1 + others.length);
});

test('each operation has its own circuit, and an answer restarts the count', async () => {
  let now = 0;
  const circuits = new Circuits(() => now);
  const fail = (key: string, times: number) => {
    for (let time = 0; time < times; time += 1) circuits.failed(key);
  };
  const open = expect.stringContaining('circuit open until');
  fail('a', 4);
  circuits.answered('a');
  fail('a', 4);
  fail('b', 5);
  expect(await asked(circuits, 'a', 'b')).toEqual([true, open]);
  now = 30_000;
  expect(await asked(circuits, 'b', 'b')).toEqual([true, false]);
  circuits.answered('b');
  expect(await asked(circuits, 'b', 'b')).toEqual([true, true]);
  fail('b', 5);
  circuits.clear();
  expect(await asked(circuits, 'b')).toEqual([true]);
});

test('only the newest circuits are stored, however many fail', async () => {
  const circuits = new Circuits(() => 0);
  for (let number = 0; number <= circuitLimits.circuits; number += 1)
    for (let time = 0; time < circuitLimits.failures; time += 1) circuits.failed(`key ${number}`);
  const open = expect.stringContaining('circuit open until');
  expect(await asked(circuits, 'key 0', 'key 1', `key ${circuitLimits.circuits}`)).toEqual([true, open, open]);
});

test('1,000 calls wait for a probe; one more is refused and blames this side, until the probe has ended', async () => {
  const { circuits, clock } = failedCircuits(circuitLimits.failures);
  clock.now = 30_000;
  const [probe, ...waiting] = await asked(circuits, ...Array.from({ length: circuitLimits.waiting + 1 }, () => 'a'));
  expect([probe, new Set(waiting)]).toEqual([true, new Set([false])]);
  await expect(circuits.ask('a')).rejects.toMatchObject({
    how: 'not_sent',
    message: '1000 calls are already waiting for a probe of this address',
  });
  circuits.answered('a');
  expect(await asked(circuits, 'a')).toEqual([true]);
});
