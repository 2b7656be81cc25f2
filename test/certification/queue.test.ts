/** The queue of certifications: who begins when, and how a run leaves its place (OP-204). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { CertificationThreads, inTurn, type ThreadRun } from '../../sandbox/conformance/certification/threads.ts';
import type { Timer } from '../../sandbox/runtime/timer.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { nowhere } from '../harness/nowhere.ts';

const task = {
  input: { client_url: 'http://127.0.0.1:1', customers: ['CUST0001'] },
  allowed: [],
  own: { port: 1, proxyPort: undefined, addresses: nowhere.addresses() },
  origin: 'http://127.0.0.1:1',
  certificate: undefined,
};
const endedEarly = { problem: 'The run was ended before its first call.' };

/** Threads that do what the text of a program says, and the timers that they set. */
async function threads(program: string) {
  const file = join(await temporaryFolder(), 'program.mjs');
  await writeFile(file, `import { parentPort } from 'node:worker_threads';\n${program}`);
  const timers: { run: () => void; milliseconds: number; isCancelled: boolean }[] = [];
  const timer: Timer = (run, milliseconds) => {
    const set = { run, milliseconds, isCancelled: false };
    timers.push(set);
    return () => {
      set.isCancelled = true;
    };
  };
  const certifying = new CertificationThreads(pathToFileURL(file), () => Promise.reject(new Error('no names')), timer);
  const runs: ThreadRun[] = [];
  onTestFinished(async () => {
    for (const run of runs.toReversed()) run.cut();
    await Promise.all(runs.map(({ ended }) => ended));
  });
  const start = (share: string, judged = () => {}) => {
    const run = certifying.start({ task, share, judged });
    runs.push(run);
    return run;
  };
  return { certifying, timers, start };
}

/** Says nothing and goes on. */
const silent = "parentPort.on('message', () => {});";
/** Calls, judges something, and does not end when it is told to. */
const stubborn = `parentPort.on('message', () => {});
parentPort.postMessage({ kind: 'called' });
parentPort.postMessage({ kind: 'judged', verdict: {}, done: 1, of: 2 });`;

const positions = (runs: readonly ThreadRun[]) => runs.map(({ position }) => position);

it('OP-204: two run, and who has runs takes turns with everybody else who waits', async () => {
  const { start } = await threads(silent);
  const [a1, a2, a3, a4] = [start('a'), start('a'), start('a'), start('a')];
  const [b1, b2, c1] = [start('b'), start('b'), start('c')];
  expect(positions([a1, a2, b1, c1, b2, a3, a4])).toEqual([null, null, 1, 2, 3, 4, 5]);
  a1.end();
  expect(await a1.ended).toEqual(endedEarly);
  await b1.begun;
  expect(positions([b1, c1, a3, b2, a4])).toEqual([null, 1, 2, 3, 4]);
});

it('OP-204: a run that waits can be ended, and the others move up', async () => {
  const { start } = await threads(silent);
  start('a');
  start('b');
  const [c, d] = [start('c'), start('d')];
  c.end();
  expect(await c.ended).toEqual(endedEarly);
  expect(positions([c, d])).toEqual([null, 1]);
});

it('OP-204: a hundred wait, and then the queue is full', async () => {
  const { certifying, start } = await threads(silent);
  const runs = Array.from({ length: 102 }, (_, at) => start(`tenant ${at}`));
  expect([certifying.full, runs.at(-1)?.position]).toEqual([true, 100]);
  runs[101]?.end();
  await runs[101]?.ended;
  expect(certifying.full).toBe(false);
});

it('OP-204: a run is told to end after 30 minutes, and cut off a minute later where it does not: the next one begins', async () => {
  const { timers, start } = await threads(stubborn);
  const called = Promise.withResolvers<void>();
  const first = start('a', called.resolve);
  start('b');
  const next = start('c');
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([30 * 60_000, 30 * 60_000]);
  await called.promise;
  timers[0]?.run();
  expect(timers.at(-1)?.milliseconds).toBe(60_000);
  timers.at(-1)?.run();
  expect(await first.ended).toEqual({ problem: 'The run was cut off.' });
  await next.begun;
  expect(positions([first, next])).toEqual([null, null]);
  // Its timers are gone with it.
  expect(timers[2]?.isCancelled).toBe(true);
});

it('OP-204: of equal turns the first to come is the first to run', () => {
  const run = (share: string, name: string) => ({ share, name });
  const queue = [run('a', 'a1'), run('b', 'b1'), run('a', 'a2'), run('c', 'c1'), run('b', 'b2')];
  expect(inTurn(queue, []).map(({ name }) => name)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2']);
  expect(inTurn(queue, [run('a', 'a0')]).map(({ name }) => name)).toEqual(['b1', 'c1', 'a1', 'b2', 'a2']);
});
