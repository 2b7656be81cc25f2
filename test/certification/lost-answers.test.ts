/** Tests that one lost answer neither hides a mistake nor causes a failure. The run repeats the affected requirements and adds a note. */
import { buildConnector } from 'undici';
import { expect, it } from 'vitest';
import { ConcurrentCalls } from '../../sandbox/certification/concurrent-calls.ts';
import { conclude } from '../../sandbox/certification/report.ts';
import type { CertifyParts } from '../../sandbox/certification/run-plan.ts';
import type { PartnerServer } from '../harness/partner/server.ts';
import { certifyServer, failedIds, idsWithVerdict, partner, relayed } from './judged.ts';

/** Starts a proxy that drops the answers to selected calls of a server, by path and call number. */
function losingProxy(server: PartnerServer, loses: (path: string, nth: number) => boolean): Promise<PartnerServer> {
  const counts = new Map<string, number>();
  return relayed(server, async (path, forward) => {
    const nth = (counts.get(path) ?? 0) + 1;
    counts.set(path, nth);
    const reply = await forward();
    return loses(path, nth) ? undefined : reply;
  });
}

const ledger = ['CRD-01', 'CRD-02', 'CRD-03', 'DED-01', 'DED-02', 'STA-01', 'ROB-01'];

it('after one lost answer the call is repeated, with a note: the correct server passes, and a mistake is still detected', async () => {
  for (const mistake of [undefined, 'credit-twice'] as const) {
    const server = await losingProxy(await partner({ mistake }), (path, nth) => path === '/creditPoints' && nth === 2);
    const report = await certifyServer(server, { only: ledger, timeout_ms: 2000 });
    expect(failedIds(report)).toEqual(mistake === undefined ? [] : ['CRD-02', 'CRD-03']);
    expect(idsWithVerdict(report, 'blocked')).toEqual([]);
    const note = /^POST \/creditPoints received no response while \S+ was checked, so it was checked again /;
    expect(report.notes).toEqual([expect.stringMatching(note)]);
    expect(report.balances).toBe('restored');
  }
});

it('a path that does not answer is abandoned after two calls, blocks only its dependents, and fails the run', async () => {
  let credits = 0;
  const server = await losingProxy(await partner(), (path, nth) => {
    if (path !== '/creditPoints') return false;
    credits = nth;
    return true;
  });
  const report = await certifyServer(server, { only: ledger, timeout_ms: 500 });
  expect(credits).toBe(2);
  expect(failedIds(report)).toEqual(['ROB-01']);
  expect(idsWithVerdict(report, 'blocked')).toEqual(['CRD-01', 'CRD-02', 'CRD-03']);
  expect(idsWithVerdict(report, 'pass')).toEqual(['DED-01', 'DED-02', 'STA-01']);
  // Otherwise --allow-partial would accept a server that hangs.
  expect(report.outcome).toBe('failed');
  const { failed, unjudged } = conclude(report, 'must', []);
  expect(failed.map(({ id }) => id)).toEqual(['ROB-01']);
  expect(unjudged.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
});

it('a lost first answer does not prevent the run', async () => {
  const server = await losingProxy(await partner(), (path, nth) => path === '/getProfileAndPoints' && nth === 1);
  const report = await certifyServer(server, { only: ['CRD-01'], timeout_ms: 500 });
  expect([report.counts.pass, report.balances]).toEqual([1, 'restored']);
});

/** Connects to a server with a short queue, which accepts at most the given number of open connections. */
function accepting(most: number): { readonly connect: CertifyParts['connect']; readonly refused: () => number } {
  const real = buildConnector({ timeout: 3000 });
  let [open, refused] = [0, 0];
  const connect: CertifyParts['connect'] = (options, callback) => {
    if (open >= most) {
      refused += 1;
      callback(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null);
      return;
    }
    open += 1;
    real(options, (...came) => {
      const [, socket] = came;
      if (socket === null) open -= 1;
      else socket.once('close', () => (open -= 1));
      callback(...came);
    });
  };
  return { connect, refused: () => refused };
}

it('bursts adapt to a server that accepts few connections at the same time', async () => {
  const bursts = ['CRD-03', 'DED-03', 'DED-08', 'DED-11', 'STA-04', 'ROB-12', 'V2-05', 'V2-07'];
  for (const mistake of [undefined, 'overdraw-parallel'] as const) {
    const { connect, refused } = accepting(12);
    const report = await certifyServer(await partner({ mistake, raceMs: 30 }), { only: bursts }, { connect });
    expect(failedIds(report)).toEqual(mistake === undefined ? [] : ['DED-08']);
    expect(idsWithVerdict(report, 'blocked')).toEqual([]);
    expect(refused()).toBeGreaterThan(0);
    expect(report.notes.at(-1)).toMatch(/with at most (5|16) concurrent calls\.$/);
  }
});

it('the limit of concurrent calls is respected, falls to no less than five, and never rises', async () => {
  const calls = new ConcurrentCalls(64);
  let [running, most] = [0, 0];
  const call = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (calls.limit > 5) calls.lower();
    running -= 1;
  };
  await Promise.all(Array.from({ length: 100 }, () => calls.run(call)));
  expect([most, calls.limit]).toEqual([64, 5]);
  most = 0;
  await Promise.all(Array.from({ length: 100 }, () => calls.run(call)));
  expect([most, calls.limit]).toEqual([5, 5]);
});

it('waiting calls start in the order in which they were made, even if the limit falls meanwhile', async () => {
  const calls = new ConcurrentCalls(8);
  const started: number[] = [];
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  const call = async (number: number) => {
    started.push(number);
    if (number === 7) calls.lower();
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  await Promise.all(numbers.map((number) => calls.run(() => call(number))));
  expect([started, calls.limit]).toEqual([numbers, 5]);
});
