/**
 * Sends 20,000 generated requests to the sandbox through the validation proxy, which checks each of them. This is the long form of
 * fuzz.test.ts.
 */
import { afterAll, expect, it } from 'vitest';
import { FindingCollector } from '../../sandbox/conformance/finding-collector.ts';
import { startProxy } from '../../sandbox/proxy/proxy.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { fuzz, served, type Tally } from './fuzz/run.ts';

const seeds = Array.from({ length: 16 }, (_, at) => `long ${at}`);
const requests = 1250;
const tally: Tally = new Map();
const closers: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const close of closers) await close();
});

it.each(seeds)(
  'through proxy and checker: no failure, every reply documented, an order succeeds at the end: %s',
  {
    timeout: 300_000,
  },
  async (seed) => {
    const checker = sharedChecker();
    const collector = new FindingCollector(checker, 'proxy', '0.0.0');
    await fuzz(seed, requests, tally, async (sandbox) => {
      const options = { host: '127.0.0.1', port: 0, mode: 'report', upstreams: {}, replyMilliseconds: 60_000 } as const;
      const proxy = await startProxy(checker, collector, { ...options, sandbox: new URL(sandbox) });
      closers.push(proxy.close);
      return proxy.url;
    });
    // The sandbox must comply with its contracts regardless of the requests.
    // Ignore trace findings, because the generator imitates the platform and contradicts the platform's own calls.
    const ours = collector.report.findings.filter(
      ({ code, party, severity }) => party !== 'caller' && severity !== 'notice' && !code.includes('.trace.'),
    );
    expect(ours).toEqual([]);
  },
);

it('every operation succeeded at least once and, where possible, was refused at least once', () => {
  const succeededOperations = served.filter(({ operation }) => (tally.get(operation.operationId)?.answered ?? 0) > 0);
  const refusedOperations = served.filter(({ operation }) => (tally.get(operation.operationId)?.refused ?? 0) > 0);
  const ids = (operations: typeof served) => operations.map(({ operation }) => operation.operationId);
  // This operation replies to a call in progress, and a run has none. See test/control/listener.test.ts.
  expect(ids(succeededOperations)).toEqual(ids(served).filter((id) => id !== 'postListenerReply'));
  const refusable = served.filter(
    ({ operation }) => operation.body || operation.parameters.length || operation.security.length,
  );
  expect(ids(refusedOperations)).toEqual(expect.arrayContaining(ids(refusable)));
});
