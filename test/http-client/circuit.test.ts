/** The circuit of an operation that does not answer (OP-61). */
import { describe, expect, test } from 'vitest';
import {
  admit,
  afterFailure,
  afterUntried,
  type Circuit,
  Circuits,
  circuitLimits,
  circuitOf,
  closedCircuit,
} from '../../sandbox/http-client/circuit.ts';

const circuitAfter = (failures: number, now = 0) =>
  Array.from({ length: failures }).reduce<Circuit>((circuit) => afterFailure(circuit, now), closedCircuit);

describe('the rule', () => {
  test('five failures in a row open it for 30 s', () => {
    expect(circuitAfter(4, 1000)).toEqual({ kind: 'closed', failures: 4 });
    expect(circuitAfter(5, 1000)).toEqual({ kind: 'open', until: 31_000 });
  });

  test('open, it lets nothing through until its time is up, and then one probe', () => {
    const open = circuitAfter(5);
    expect(admit(open, 29_999)).toEqual({ circuit: open, refusal: 'circuit open until 1970-01-01T00:00:30.000Z' });
    const probing = { kind: 'probing', until: 30_000 } as const;
    expect(admit(open, 30_000)).toEqual({ circuit: probing });
    expect(admit(probing, 40_000)).toEqual({ circuit: probing, waits: true });
  });

  test('a clock that is set back does not keep it open: an end more than 30 s ahead is of the clock before', () => {
    const open = circuitAfter(5, 86_400_000);
    expect(admit(open, 86_400_000)).toMatchObject({ refusal: 'circuit open until 1970-01-02T00:00:30.000Z' });
    expect(admit(open, 86_399_999)).toEqual({ circuit: { kind: 'probing', until: 86_430_000 } });
    expect(admit(open, 0)).toEqual({ circuit: { kind: 'probing', until: 86_430_000 } });
  });

  test('a failed probe opens it again; calls in progress do not prolong it', () => {
    expect(afterFailure({ kind: 'probing', until: 30_000 }, 45_000)).toEqual({ kind: 'open', until: 75_000 });
    expect(afterFailure(circuitAfter(5), 10_000)).toEqual(circuitAfter(5));
  });

  test('a call that was never made changes nothing; if it was the probe, another probe may go', () => {
    for (const circuit of [closedCircuit, circuitAfter(4), circuitAfter(5)])
      expect(afterUntried(circuit)).toEqual(circuit);
    const open = afterUntried({ kind: 'probing', until: 30_000 });
    expect(admit(open, 30_001)).toEqual({ circuit: { kind: 'probing', until: 30_000 } });
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

/** Whether calls may start: true, false while they wait, or why not. */
async function asked(circuits: Circuits, ...keys: string[]): Promise<(boolean | string)[]> {
  const results: (boolean | string)[] = keys.map(() => false);
  for (const [index, key] of keys.entries()) {
    void circuits.ask(key).then(
      () => (results[index] = true),
      (error: Error) => (results[index] = error.message),
    );
  }
  // After whatever needs no wait.
  await new Promise((resolve) => setImmediate(resolve));
  return results;
}

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
  const fail = (key: string) => {
    for (let time = 0; time < circuitLimits.failures; time += 1) circuits.failed(key);
  };
  for (let number = 0; number <= circuitLimits.circuits; number += 1) fail(`key ${number}`);
  const open = expect.stringContaining('circuit open until');
  expect(await asked(circuits, 'key 0', 'key 1', `key ${circuitLimits.circuits}`)).toEqual([true, open, open]);
});

test('1,000 calls wait for a probe; one more is refused and blames this side, until the probe has ended', async () => {
  let now = 0;
  const circuits = new Circuits(() => now);
  for (let time = 0; time < circuitLimits.failures; time += 1) circuits.failed('a');
  now = 30_000;
  const [probe, ...waiting] = await asked(circuits, ...Array.from({ length: circuitLimits.waiting + 1 }, () => 'a'));
  expect([probe, new Set(waiting)]).toEqual([true, new Set([false])]);
  await expect(circuits.ask('a')).rejects.toMatchObject({
    how: 'not_sent',
    message: '1000 calls are already waiting for a probe of this address',
  });
  circuits.answered('a');
  expect(await asked(circuits, 'a')).toEqual([true]);
});
