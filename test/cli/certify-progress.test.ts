/** Tests the progress output of `certify` during a run. */
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { RequirementVerdict } from '../../sandbox/certification/verdict.ts';
import { progress } from '../../sandbox/cli/certify-output.ts';
import type { Io } from '../../sandbox/cli/io.ts';
import { reported } from '../harness/reported.ts';

/** Captures the progress output of a run, and lets the test advance the run. */
function follow(isTTY: boolean, quiet = false) {
  let text = '';
  const stderr = Object.assign(
    new Writable({
      write(chunk, _, done) {
        text += chunk;
        done();
      },
    }),
    { isTTY, columns: 60 },
  );
  let [tick, every] = [() => {}, 0];
  const timer = (run: () => void, milliseconds: number) => {
    [tick, every] = [run, milliseconds];
    return () => {};
  };
  const { onProgress, stop } = progress({ stderr } as unknown as Io, { quiet, data: '' }, timer);
  const wait = async () => {
    tick();
    await Promise.resolve();
  };
  const verdict = reported().verdicts[0] as RequirementVerdict;
  return { wait, stop, judge: () => onProgress(verdict, { done: 1, of: 9 }), text: () => text, every: () => every };
}

it('a slow server shows progress in a log: a line every ten seconds, also before the first verdict', async () => {
  const run = follow(false);
  await run.wait();
  run.judge();
  await run.wait();
  expect(run.every()).toBe(10_000);
  expect(run.text()).toBe('No requirement checked yet, 10 s\n1 of 9 requirements checked: 1 pass (TOK-01), 20 s\n');
});

it('on a terminal one line is written again every second, no longer than the terminal is wide', async () => {
  const run = follow(true);
  await run.wait();
  run.judge();
  expect(run.every()).toBe(1000);
  expect(run.text()).toBe(
    '\r\u001b[KNo requirement checked yet, 1 s\r\u001b[K1 of 9 requirements checked: 1 pass (TOK-01), 1 s',
  );
});

it('--quiet shows none', async () => {
  const run = follow(false, true);
  await run.wait();
  run.judge();
  expect(run.text()).toBe('');
});
