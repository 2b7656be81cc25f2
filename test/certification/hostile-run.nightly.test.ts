/** A hostile server leads to failed requirements: no crash, no hang, no redirect followed, bounded calls and memory. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Blocked, type Input } from '../../sandbox/certification/verdict.ts';
import { journeyPlatform } from '../../sandbox/sandbox.ts';
import { run } from '../harness/command.ts';
import { closedPort, closesWithTest, serve } from '../harness/http-server.ts';
import { hostileServers, startInterim, startRedirecting } from './hostile-servers.ts';
import { runCertification } from './run.ts';

const hostileProcess = fileURLToPath(new URL('hostile-process.ts', import.meta.url));

/** The most bytes of memory that a run may add. */
const mostBytes = 200 * 1024 * 1024;

const input: Omit<Input, 'client_url'> = {
  service_token: 'service-token',
  basic: 'partner:password',
  api: 'both',
  customers: ['ANN', 'BOB'],
  otp: { gateway: true },
  timeout_ms: 100,
};

/** A hostile server never sends a code. */
const parts = {
  readCode: () => Promise.reject(new Blocked('OTP-01', 'no code came')),
  startPlatform: journeyPlatform(),
};

it.each(Object.keys(hostileServers))('a server that %s fails, and the run ends', async (does) => {
  const [url] = await run([does], {}, hostileProcess).saw(/^http:\S+/m);
  const before = process.memoryUsage().rss;
  const report = await runCertification({ ...input, client_url: url }, parts);
  expect([report.outcome, report.counts.suite_error]).toEqual(['failed', 0]);
  expect(report.failures.length).toBeGreaterThan(0);
  expect(report.balances).toBe('unknown');
  expect(process.memoryUsage().rss - before).toBeLessThan(mostBytes);
  expect(JSON.stringify(report).length).toBeLessThan(4 * 1024 * 1024);
});

it('OP-24: the run reads at most twenty interim replies without an answer, and reports too many', async () => {
  const { url, close } = await startInterim();
  closesWithTest(close);
  const report = await runCertification({ ...input, client_url: url, only: ['v2'] }, parts);
  const messages = report.failures.map(({ message }) => message);
  expect(messages.filter((message) => !message.includes('more than 20'))).toEqual([]);
});

it('a redirect inward is not followed', async () => {
  let calls = 0;
  const inside = await serve((_, __, response) => {
    calls += 1;
    response.end('{}');
  });
  const { url, close } = await startRedirecting(`${inside}/inside`);
  closesWithTest(close);
  const report = await runCertification({ ...input, client_url: url }, parts);
  expect([report.outcome, calls]).toEqual(['failed', 0]);
});

it('a path that does not answer is not called repeatedly', async () => {
  let calls = 0;
  const silent = await serve(() => {
    calls += 1;
  });
  const report = await runCertification({ ...input, client_url: silent, only: ['v2'] }, parts);
  expect(report.calls).toBe(calls);
  expect(calls).toBeLessThan(100);
});

it('if the server does not listen, the run ends with an environment error, not with failures', async () => {
  const report = await runCertification({ ...input, client_url: await closedPort() }, parts);
  expect([report.outcome, report.failures]).toEqual(['environment', []]);
  expect(report.problem).toMatch(/^No response from /);
});
