/** Tests the order of queued certifications, and how a run frees its slot (OP-204). */
import { expect, it } from 'vitest';
import {
  CertificationQueue,
  type QueuedRun,
  type RunCertification,
  type RunControls,
} from '../../sandbox/certification/queue.ts';
import type { Timer } from '../../sandbox/runtime/clock.ts';

const input = { client_url: 'http://127.0.0.1:1', customers: ['CUST0001'] };
const endedEarly = { problem: 'The run was stopped before its first call.' };

/** Creates a queue with controllable runs. Exposes the controls of the started runs and their timers. */
function queue(certify: RunCertification = () => new Promise(() => {})) {
  const timers: { run: () => void; milliseconds: number; isCancelled: boolean }[] = [];
  const timer: Timer = (run, milliseconds) => {
    const set = { run, milliseconds, isCancelled: false };
    timers.push(set);
    return () => {
      set.isCancelled = true;
    };
  };
  const begun: RunControls[] = [];
  const runs = new CertificationQueue((controls) => {
    begun.push(controls);
    return certify(controls);
  }, timer);
  const start = (share: string, judged = () => {}) => runs.start({ input, share, judged });
  return { runs, timers, begun, start };
}

const positions = (runs: readonly QueuedRun[]) => runs.map(({ position }) => position);

it('OP-204: four runs are active, and waiting tenants take turns', async () => {
  const { begun, start } = queue();
  const [a1, a2, a3, a4, a5, a6] = [start('a'), start('a'), start('a'), start('a'), start('a'), start('a')];
  const [b1, b2, c1] = [start('b'), start('b'), start('c')];
  expect(positions([a1, a2, a3, a4, b1, c1, b2, a5, a6])).toEqual([null, null, null, null, 1, 2, 3, 4, 5]);
  a1.end();
  expect(await a1.ended).toEqual(endedEarly);
  // The aborted run sends no further calls.
  expect(begun[0]?.cutting.aborted).toBe(true);
  await b1.begun;
  expect(positions([b1, c1, b2, a5, a6])).toEqual([null, 1, 2, 3, 4]);
});

it('OP-204: a waiting run can be stopped, and the others move up', async () => {
  const { start } = queue();
  for (const share of ['a', 'b', 'c', 'd']) start(share);
  const [e, f] = [start('e'), start('f')];
  e.end();
  expect(await e.ended).toEqual(endedEarly);
  expect(positions([e, f])).toEqual([null, 1]);
});

it('OP-204: the queue is full with a hundred waiting runs', async () => {
  const { runs, start } = queue();
  const all = Array.from({ length: 104 }, (_, at) => start(`tenant ${at}`));
  expect([runs.full, all.at(-1)?.position]).toEqual([true, 100]);
  all[103]?.end();
  await all[103]?.ended;
  expect(runs.full).toBe(false);
});

it('OP-204: a run gets a stop request after 30 minutes and is aborted a minute later, then the next one begins', async () => {
  const { timers, begun, start } = queue();
  const [first] = [start('a'), start('b'), start('c'), start('d')];
  const next = start('e');
  expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([1800_000, 1800_000, 1800_000, 1800_000]);
  begun[0]?.called();
  timers[0]?.run();
  expect([begun[0]?.ending.aborted, begun[0]?.cutting.aborted]).toEqual([true, false]);
  expect(timers.at(-1)?.milliseconds).toBe(60_000);
  timers.at(-1)?.run();
  expect(await first?.ended).toEqual({ problem: 'The run was interrupted.' });
  expect(begun[0]?.cutting.aborted).toBe(true);
  await next.begun;
  expect(positions([first as QueuedRun, next])).toEqual([null, null]);
  // The run's timers are cancelled too.
  expect(timers[4]?.isCancelled).toBe(true);
});

it('OP-204: verdicts of an aborted run are ignored', async () => {
  const { begun, start } = queue();
  let verdicts = 0;
  const run = start('a', () => {
    verdicts += 1;
  });
  begun[0]?.called();
  begun[0]?.judged({} as never, { done: 1, of: 2 });
  run.cut();
  await run.ended;
  begun[0]?.judged({} as never, { done: 2, of: 2 });
  expect(verdicts).toBe(1);
});

it('OP-204: a run that fails reports the error, and frees its slot', async () => {
  const { start } = queue(() => Promise.reject(new Error('no requirements')));
  const run = start('a');
  expect(await run.ended).toEqual({ problem: 'Internal error in the run: no requirements' });
  expect(run.position).toBeNull();
});
