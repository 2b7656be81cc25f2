/** How the findings of an activity log are kept, waited for and told, with a checker that the test leads (OP-66). */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ActivityChecker, type Checked, type Noted } from '../../sandbox/conformance/activity-checker.ts';
import { ActivityEntries } from '../../sandbox/conformance/activity-export.ts';
import { ActivityFindings } from '../../sandbox/conformance/activity-findings.ts';
import { Activity, type ActivityBooks, activitySpec } from '../../sandbox/runtime/activity.ts';
import type { ActivityEntry } from '../../sandbox/runtime/activity-entry.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/view.ts';
import { temporaryFolder } from '../harness/folders.ts';

interface Asked {
  readonly log: string;
  readonly entries: readonly Noted[];
  /** Answers with so many findings for each entry. */
  readonly answer: (each: number) => void;
  readonly fail: (message: string) => void;
}

/** A log with its findings. `asked` is what the checker has to do. */
function log(held: { readonly each?: number } = {}) {
  const store = openMemoryStore<ActivityBooks>(activitySpec);
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), () => {});
  const asked: Asked[] = [];
  const forgotten: string[] = [];
  const rings: (() => void)[] = [];
  const checker = {
    check(log: string, entries: readonly Noted[]) {
      const { promise, resolve, reject } = Promise.withResolvers<Checked>();
      const answer = (each: number) =>
        resolve({
          findings: entries.flatMap(({ entry: { seq, trace } }) =>
            Array.from({ length: each }, () => ({ seq, trace }) as never),
          ),
          unchecked: 0,
        });
      asked.push({ log, entries, answer, fail: (message) => reject(new Error(message)) });
      if (held.each !== undefined) answer(held.each);
      return promise;
    },
    forget: (log: string) => forgotten.push(log),
  };
  const timer = (ring: () => void) => {
    rings.push(ring);
    return () => rings.splice(rings.indexOf(ring), 1);
  };
  const findings = new ActivityFindings({ store, wireOf: (entry) => activity.wireOf(entry) }, timer, checker as never);
  const note = (count: number) =>
    store.transact((tx) => {
      for (let at = 0; at < count; at += 1) activity.note(tx, { trace: 't', party: 'client', event: 'noted' });
    });
  /** Empties the log, and fills it anew in the same step, as going back to a snapshot does. */
  const clear = (count = 0) =>
    store.replace<void>({
      content: nothing,
      change: (tx) => {
        for (let at = 0; at < count; at += 1) activity.note(tx, { trace: 'u', party: 'client', event: 'noted' });
      },
    });
  const list = async (query: Parameters<ActivityFindings['list']>[0] = {}, seconds = 60) => {
    const found = await findings.list(query, {
      seconds,
      gone: new AbortController().signal,
      aside: (waiting) => waiting,
    });
    return 'kind' in found ? found : { ...found, items: found.items.map(({ seq }) => seq) };
  };
  return { store, asked, forgotten, rings, findings, note, clear, list };
}

const around = (checked_from: number, checked_to: number, newest: number) => ({
  checked_from,
  checked_to,
  newest,
  unchecked: 0,
});

describe('OP-66: the check', () => {
  it('begins with the first question, with the oldest entry, and says how far it is', async () => {
    const { note, asked, list, rings } = log();
    await note(150);
    expect(asked).toEqual([]);
    expect(await list({}, 0)).toEqual({ items: [], ...around(1, 0, 150) });
    expect(asked.map(({ entries }) => entries.length)).toEqual([100]);
    const waiting = list({}, 5);
    rings[0]?.();
    expect(await waiting).toEqual({ items: [], ...around(1, 0, 150) });
    const whole = list({ after: 145 }, 60);
    asked[0]?.answer(0);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.answer(1);
    expect(await whole).toEqual({ items: [146, 147, 148, 149, 150], ...around(1, 150, 150) });
    expect(asked).toHaveLength(2);
  });

  it('goes on with what comes, and a question after the newest entry waits for it', async () => {
    const { note, list, rings } = log({ each: 1 });
    await note(2);
    expect(await list()).toMatchObject({ items: [1, 2] });
    const next = list({ after: 2 });
    await expect.poll(() => rings.length).toBe(1);
    await note(1);
    expect(await next).toEqual({ items: [3], ...around(1, 3, 3) });
  });

  it('tells what is left of a call whole, and with `after` how far to go on', async () => {
    const { note, list } = log({ each: 3 });
    await note(4);
    expect(await list({ limit: 4 })).toEqual({ items: [3, 3, 3, 4, 4, 4], ...around(1, 4, 4) });
    const page = await list({ after: 0, limit: 4 });
    expect(page).toEqual({ items: [1, 1, 1, 2, 2, 2], ...around(1, 2, 4) });
    expect(await list({ after: 2, limit: 1 })).toEqual({ items: [3, 3, 3], ...around(1, 3, 4) });
    expect(await list({ seq: 2 })).toMatchObject({ items: [2, 2, 2] });
    expect(await list({ trace: 'another' })).toMatchObject({ items: [] });
  });

  it('keeps the newest thousand, and says from which call on', async () => {
    const { note, list } = log({ each: 3 });
    await note(400);
    const kept = await list();
    expect(kept).toMatchObject(around(68, 400, 400));
    expect('items' in kept && [kept.items.length, kept.items[0], kept.items.at(-1)]).toEqual([999, 68, 400]);
  });

  it('says from which call on when the log drops entries before they are checked', async () => {
    const { note, list, asked } = log();
    await note(50);
    const answer = list();
    await note(10_100);
    asked[0]?.answer(1);
    expect(await answer).toMatchObject(around(1, 50, 10_150));
    expect(asked[1]?.entries[0]?.entry.seq).toBe(151);
    asked[1]?.answer(0);
    await expect.poll(() => asked.length).toBe(3);
    expect(await list({}, 0)).toEqual({ items: [], ...around(151, 250, 10_150) });
  });

  it('starts again with a log that was cleared or put back, and knows nothing of the old one', async () => {
    const { note, clear, list, asked, forgotten } = log({ each: 1 });
    await note(3);
    await list();
    await clear();
    await note(5);
    expect(await list()).toEqual({ items: [1, 2, 3, 4, 5], ...around(1, 5, 5) });
    expect(new Set(asked.map(({ log }) => log)).size).toBe(2);
    expect(forgotten).toEqual([asked[0]?.log]);
    expect(await list({ after: 9 })).toMatchObject({ items: [], newest: 5 });
    await clear(6);
    expect(await list({ trace: 't' })).toEqual({ items: [], ...around(1, 6, 6) });
  });

  it('that is under way when the log is cleared counts for nothing', async () => {
    const { note, clear, list, asked } = log();
    await note(3);
    const answer = list();
    await clear();
    asked[0]?.answer(1);
    expect(await answer).toEqual({ items: [], ...around(1, 0, 0) });
  });

  it('that fails is told to everyone who waits and to the next who asks, and then starts anew', async () => {
    const { note, list, asked } = log();
    await note(1);
    const waiting = [list(), list()];
    asked[0]?.fail('out of memory');
    const failed = { kind: 'check_failed', problem: 'out of memory' };
    expect(await Promise.all(waiting)).toEqual([failed, failed]);
    expect(await list({}, 0)).toEqual({ items: [], ...around(1, 0, 1) });
    asked[1]?.fail('again');
    await expect.poll(() => list({}, 0)).toEqual({ kind: 'check_failed', problem: 'again' });
    expect(asked).toHaveLength(2);
    const healed = list();
    asked[2]?.answer(1);
    expect(await healed).toMatchObject({ items: [1] });
  });

  it('ends with its workspace, and every wait with it', async () => {
    const { note, list, findings, asked, forgotten } = log();
    await note(1);
    const waiting = list();
    findings.stop();
    expect(await waiting).toEqual({ kind: 'unavailable' });
    expect(await list()).toEqual({ kind: 'unavailable' });
    expect(forgotten).toEqual([asked[0]?.log]);
  });
});

describe('OP-66: the thread of the check', () => {
  const entries = [{ entry: { seq: 1 } as ActivityEntry, wire: undefined }];
  /** A checker whose thread runs this. */
  const running = async (program: string) => {
    const file = join(await temporaryFolder(), 'thread.mjs');
    await writeFile(file, `import { parentPort } from 'node:worker_threads';\n${program}`);
    const warned: string[] = [];
    return { warned, checker: new ActivityChecker((message) => warned.push(message), pathToFileURL(file)) };
  };

  it.each([
    ['fails while it loads', `throw new Error('no contracts');`, 'no contracts'],
    ['fails at an entry', `parentPort.once('message', () => { throw new Error('no entry'); });`, 'no entry'],
    ['ends', `parentPort.once('message', () => process.exit(3));`, 'its thread ended with code 3'],
  ])('that %s is told to whoever waits and to the operator', async (_title, program, message) => {
    const { checker, warned } = await running(program);
    await expect(checker.check('1', entries)).rejects.toThrow(message);
    expect(warned).toEqual([`The check of the activity log failed: ${message}`]);
    await checker.close();
  });

  it('that ends with the sandbox is no failure', async () => {
    const { checker, warned } = await running(`parentPort.on('message', () => {});`);
    const open = expect(checker.check('1', entries)).rejects.toThrow('the sandbox stops');
    await checker.close();
    await open;
    expect(warned).toEqual([]);
  });
});

it('OP-57: a call whose address the log has cut is not judged by what is left of it', () => {
  const entries = new ActivityEntries(new Map());
  const call = { kind: 'call_in', method: 'GET', trace: 't', operation: null, status: 404, request: null, reply: null };
  expect(entries.read({ ...call, url: '/rewards/nowhere?q=x' })).toMatchObject({ path: '/nowhere?q=x' });
  expect(entries.read({ ...call, url: '/rewards/nowhere?q=x… (5000 characters)' })).toBe('outside');
});
