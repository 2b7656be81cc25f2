/** Structured logs: a line of JSON for each call, and for what an operator should know (OP-219). */
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CallLog } from '../../sandbox/operator/call-log.ts';
import type { LogLevel } from '../../sandbox/operator/log-levels.ts';
import type { ObservedCall } from '../../sandbox/runtime/observer.ts';
import { run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

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

/** The lines that a log writes of a level, as they are read back. */
async function written(level: LogLevel, write: (log: CallLog) => void): Promise<Record<string, unknown>[]> {
  const file = join(await temporaryFolder(), 'log');
  const log = new CallLog({ level, fd: openSync(file, 'w') });
  write(log);
  log.close();
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  let before = -1;
  await expect
    .poll(async () => {
      const now = (await lines()).length;
      const isSettled = now === before;
      before = now;
      return isSettled;
    })
    .toBe(true);
  return (await lines()).map((line) => JSON.parse(line));
}

it('OP-219: a call is one line, with its address masked', async () => {
  expect(await written('info', (log) => log.call(call))).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      workspace: 'demo',
      method: 'GET',
      trace: 'f'.repeat(32),
      api: 'rewards',
      operation: 'listRewards',
      status: 200,
      caller: 'machine',
      url: '/rewards/v1/partner/rewards?limit=2&token=***',
      ms: 1.23,
      msg: 'call',
    },
  ]);
});

it.each<[LogLevel, string[]]>([
  ['info', ['info call', 'error call', 'warn the disk is nearly full']],
  ['warn', ['error call', 'warn the disk is nearly full']],
  ['error', ['error call']],
])('OP-219: the level %s has these lines', async (level, expected) => {
  const lines = await written(level, (log) => {
    log.call(call);
    log.call({ ...call, status: 503 });
    log.warn('the disk is nearly full');
  });
  expect(lines.map(({ level: of, msg }) => `${of} ${msg}`)).toEqual(expected);
});

it('OP-219: where nobody reads, lines are left out and counted, and nobody waits', async () => {
  const lines = await written('info', (log) => {
    // More at once than may wait, before any of it can be written.
    for (let calls = 0; calls < 8_000; calls += 1) log.call(call);
  });
  expect(lines.length).toBeLessThan(8_000);
  expect(lines.length * JSON.stringify(lines[0]).length).toBeLessThan(1024 * 1024);
});

it('OP-219: a start with --log-level has nothing but JSON on stderr', async () => {
  const folder = await temporaryFolder();
  const { child, saw, ended } = run([
    '--port',
    '0',
    '--data',
    folder,
    '--json',
    '--operations',
    '0',
    '--log-level',
    'info',
  ]);
  const [line] = await saw(/^\{.*\}$/m);
  const { urls, operations } = JSON.parse(line);
  expect((await fetch(`${operations}/readyz`)).status).toBe(200);
  await fetch(`${urls.rewards}/v1/partner/rewards?token=tok_secret`);
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  const lines = stderr
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each));
  expect({ code, lines: lines.map(({ level, operation, status, msg }) => [level, operation, status, msg]) }).toEqual({
    code: 0,
    lines: [
      ['info', 'listRewards', 401, 'call'],
      ['warn', undefined, undefined, 'Stopping: calls under way may end.'],
    ],
  });
  expect(stderr).not.toContain('tok_secret');
});
