/** Tests the structured log, which contains one JSON line per call and per warning (OP-219). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { CallLog } from '../../sandbox/operator/call-log.ts';
import type { LogLevel } from '../../sandbox/options.ts';
import type { ObservedCall } from '../../sandbox/runtime/observer.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const bin = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));

const call: ObservedCall = {
  workspace: 'demo',
  api: 'rewards',
  operation: 'listRewards',
  method: 'GET',
  url: '/rewards/v1/partner/rewards?limit=2&token=tok_secret',
  status: 200,
  trace: 'f'.repeat(32),
  caller: 'machine',
  seconds: 0.00123456,
};

/** A stream whose buffered lines the test reads on demand. */
class Reader {
  readonly #lines: string[] = [];
  writableLength = 0;

  write(line: string): void {
    this.#lines.push(line);
    this.writableLength += line.length;
  }

  /** Returns the lines written since the last call, parsed. */
  read(): Record<string, unknown>[] {
    this.writableLength = 0;
    return this.#lines.splice(0).map((line) => JSON.parse(line));
  }
}

/** Returns the lines that a log with this level writes. */
function linesAt(level: LogLevel, write: (log: CallLog) => void): Record<string, unknown>[] {
  const reader = new Reader();
  write(new CallLog(level, reader));
  return reader.read();
}

it('OP-219: a call is one line, with its address masked', () => {
  const { seconds, ...seen } = call;
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const url = '/rewards/v1/partner/rewards?limit=2&token=***';
  expect(linesAt('info', (log) => log.call(call))).toEqual([
    { ...seen, level: 'info', time, url, ms: 1.23, msg: 'call' },
  ]);
});

it.each<[LogLevel, string[]]>([
  ['info', ['info call', 'error call', 'warn the disk is nearly full']],
  ['warn', ['error call', 'warn the disk is nearly full']],
  ['error', ['error call']],
])('OP-219: the level %s writes these lines', (level, expected) => {
  const lines = linesAt(level, (log) => {
    log.call(call);
    log.call({ ...call, status: 503 });
    log.warn('the disk is nearly full');
  });
  expect(lines.map(({ level: of, msg }) => `${of} ${msg}`)).toEqual(expected);
});

it('OP-219: without a reader the log drops lines beyond 1 MiB, and reports their number at the next reading', () => {
  const reader = new Reader();
  const log = new CallLog('error', reader);
  for (let calls = 0; calls < 8_000; calls += 1) log.call({ ...call, status: 500 });
  expect(reader.writableLength).toBeGreaterThan(1024 * 1024);
  expect(reader.writableLength).toBeLessThan(1025 * 1024);
  const entries = reader.read();
  expect(entries.length).toBeLessThan(8_000);
  log.call({ ...call, status: 500 });
  log.call({ ...call, status: 500 });
  expect(reader.read().map(({ msg, lines }) => [msg, lines])).toEqual([
    ['lines were dropped because stderr was not read', 8_000 - entries.length],
    ['call', undefined],
    ['call', undefined],
  ]);
});

/** Starts a sandbox that logs to this stderr. Returns its process, and the addresses that it prints. */
async function startLogging(stderr: 'pipe' | number, ...more: readonly string[]) {
  const flags = ['--port', '0', '--data', await temporaryFolder(), '--json', '--no-docs', '--no-proxy'];
  const args = [bin, ...flags, '--log-level', 'info', ...more];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', stderr] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout as Readable, 'data');
  return { child, ...JSON.parse(String(line)) };
}

it('OP-219: a sandbox whose stderr nobody reads still serves, and ends on SIGTERM', async () => {
  const { child, urls } = await startLogging('pipe');
  const fetchRewards = () => fetch(`${urls.rewards}/v1/partner/rewards?filled=${'x'.repeat(4000)}`);
  for (let calls = 0; calls < 200; calls += 20) {
    const replies = await Promise.all(Array.from({ length: 20 }, fetchRewards));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('OP-219: a start with --log-level writes only JSON to stderr', async () => {
  const flags = ['--port', '0', '--data', await temporaryFolder(), '--json', '--operations', '0'];
  const { stop, saw, ended } = inProcess([...flags, '--log-level', 'info']);
  const [line] = await saw(/^\{.*\}$/m);
  const { urls, operations } = JSON.parse(line);
  expect((await fetch(`${operations}/readyz`)).status).toBe(200);
  await fetch(`${urls.rewards}/v1/partner/rewards?token=tok_secret`);
  stop();
  const { code, stderr } = await ended;
  const lines = stderr
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));
  expect({ code, lines: lines.map(({ level, operation, status, msg }) => [level, operation, status, msg]) }).toEqual({
    code: 0,
    lines: [
      ['info', 'listRewards', 401, 'call'],
      ['warn', undefined, undefined, 'Stopping: waiting for calls in progress.'],
    ],
  });
  expect(stderr).not.toContain('tok_secret');
});

it('OP-219: failed log writes are counted, and the sandbox keeps serving', async () => {
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  const { child, urls, operations } = await startLogging(full.fd, '--operations', '0');
  for (let calls = 0; calls < 3; calls += 1) {
    expect((await fetch(`${urls.rewards}/v1/partner/rewards`)).status).toBe(401);
  }
  const metrics = await (await fetch(`${operations}/metrics`)).text();
  expect(metrics).toContain('\nrewards_sandbox_log_write_failures_total 3\n');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
