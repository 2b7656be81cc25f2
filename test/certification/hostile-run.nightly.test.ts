/**
 * Tests that a hostile server leads to failed requirements, without crashes, hangs or followed redirects, and with
 * bounded calls and memory.
 */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { run } from '../harness/command.ts';
import { closesWithTest, serve } from '../harness/http-server.ts';
import { input, parts } from './hostile-input.ts';
import { hostileServers, startInterim, startRedirecting } from './hostile-servers.ts';
import { runCertification } from './run.ts';

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Maximum memory growth of a run, in bytes. */
const mostBytes = 200 * 1024 * 1024;

/**
 * Limits the heap, so that excessive memory use ends the process with an error. Without it, memory use depends on the
 * timing of garbage collection.
 */
const smallHeap = { NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=8' };

it.each(Object.keys(hostileServers))('a server that %s fails, and the run ends', async (does) => {
  const [url] = await run([does], {}, program('hostile-process.ts')).saw(/^http:\S+/m);
  const certification = await run([url], smallHeap, program('hostile-certification.ts')).ended;
  expect([certification.code, certification.stderr]).toEqual([0, '']);
  const { report, addedBytes } = JSON.parse(certification.stdout) as { report: Report; addedBytes: number };
  expect([report.outcome, report.counts.suite_error]).toEqual(['failed', 0]);
  expect(report.failures.length).toBeGreaterThan(0);
  expect(report.balances).toBe('unknown');
  expect(addedBytes).toBeLessThan(mostBytes);
  expect(certification.stdout.length).toBeLessThan(4 * 1024 * 1024);
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
