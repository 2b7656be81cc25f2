/** The circuit of an address that does not answer (OP-61). */
import { describe, expect, test } from 'vitest';
import {
  asked,
  type Circuit,
  Circuits,
  circuitLimits,
  closed,
  failed,
  untried,
} from '../../sandbox/runtime/circuit.ts';

const opened = (failures: number, now = 0) =>
  Array.from({ length: failures }).reduce<Circuit>((circuit) => failed(circuit, now), closed);

describe('the rule', () => {
  test('five failures in a row open it for 30 s', () => {
    expect(opened(4, 1000)).toEqual({ kind: 'closed', failures: 4 });
    expect(opened(5, 1000)).toEqual({ kind: 'open', until: 31_000 });
  });

  test('open, it lets nothing through until its time is up, and then one probe', () => {
    const open = opened(5);
    expect(asked(open, 29_999)).toEqual({ circuit: open, refusal: 'circuit open until 1970-01-01T00:00:30.000Z' });
    const probing = { kind: 'probing', until: 30_000 } as const;
    expect(asked(open, 30_000)).toEqual({ circuit: probing });
    expect(asked(probing, 40_000).refusal).toBe('circuit open since 1970-01-01T00:00:30.000Z, a probe is out');
  });

  test('a probe that fails opens it anew; calls that were under way do not prolong it', () => {
    expect(failed({ kind: 'probing', until: 30_000 }, 45_000)).toEqual({ kind: 'open', until: 75_000 });
    expect(failed(opened(5), 10_000)).toEqual(opened(5));
  });

  test('a call that was never made changes nothing, and where it was the probe, another probe may go', () => {
    for (const circuit of [closed, opened(4), opened(5)]) expect(untried(circuit)).toEqual(circuit);
    const open = untried({ kind: 'probing', until: 30_000 });
    expect(asked(open, 30_001)).toEqual({ circuit: { kind: 'probing', until: 30_000 } });
  });
});

test('each address has its own, and an answer in between starts the count anew', () => {
  let now = 0;
  const circuits = new Circuits(() => now);
  const fail = (address: string, times: number) => {
    for (let time = 0; time < times; time += 1) circuits.failed(address);
  };
  fail('a', 4);
  circuits.answered('a');
  fail('a', 4);
  fail('b', 5);
  expect([circuits.ask('a'), circuits.ask('b')]).toEqual([undefined, expect.stringContaining('circuit open until')]);
  now = 30_000;
  expect([circuits.ask('b'), circuits.ask('b')]).toEqual([undefined, expect.stringContaining('a probe is out')]);
  circuits.answered('b');
  expect([circuits.ask('b'), circuits.ask('b')]).toEqual([undefined, undefined]);
  fail('b', 5);
  circuits.clear();
  expect(circuits.ask('b')).toBe(undefined);
});

test('the circuits of the newest addresses are kept, however many fail', () => {
  const circuits = new Circuits(() => 0);
  const fail = (address: string) => {
    for (let time = 0; time < circuitLimits.failures; time += 1) circuits.failed(address);
  };
  for (let number = 0; number <= circuitLimits.addresses; number += 1) fail(`address ${number}`);
  expect(circuits.ask('address 0')).toBe(undefined);
  expect(circuits.ask('address 1')).toContain('circuit open until');
  expect(circuits.ask(`address ${circuitLimits.addresses}`)).toContain('circuit open until');
});
