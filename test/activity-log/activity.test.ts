/** Tests the activity log's limits on the size of an entry and on the number and total size of all entries (OP-57). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import type { ActivityEntry } from '../../sandbox/activity-log/activity-entry.ts';
import { CallFile } from '../../sandbox/activity-log/call-file.ts';
import {
  type ActivityCollections,
  activitySchema,
  beginLog,
  logNumber,
} from '../../sandbox/activity-log/stored-log.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/row.ts';
import { Sealer, StoreSealer } from '../../sandbox/store/seal.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';
import { Transactor } from '../../sandbox/store/transactor.ts';
import { WorkingSet } from '../../sandbox/store/working-set.ts';
import { temporaryFolder } from '../harness/folders.ts';

const clock = new Clock({ mode: 'frozen', value: 0 }, () => 0);
const fail = (message: string) => expect.fail(message);

/** Creates an activity log over a store, with optional custom limits. */
function logIn(
  store: Store<ActivityCollections>,
  limits?: { readonly entries: number; readonly bytes: number },
  calls?: CallFile,
) {
  const activity = new Activity(store, clock, fail, { ...(limits && { most: limits }), ...(calls && { calls }) });
  const note = (...sizes: number[]) =>
    store.transact((tx) => {
      for (const size of sizes) {
        activity.note(tx, { trace: 't', party: 'client', event: 'debit', detail: { text: 'x'.repeat(size) } });
      }
    });
  return { activity, note };
}

const bytesOf = (entries: readonly ActivityEntry[]) =>
  entries.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0);

const call = {
  kind: 'call_in',
  began: '2026-01-12T04:30:00.000Z',
  trace: 't',
  party: 'platform',
  method: 'POST',
  url: '/rewards/v1/company/auth',
  operation: 'companyAuth',
  status: 400,
  request: null,
  reply: null,
  notices: [],
} as const;

it('OP-57: long values of an entry are cut, and state their original length', async () => {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const { activity } = logIn(store);
  const numbered = (count: number) => Array.from({ length: count }, (_, at) => `code ${at}`);
  activity.call({
    ...call,
    url: `/rewards/nowhere?q=${'é'.repeat(5000)}`,
    request: {
      uid: '💳'.repeat(100),
      redeemCode: 'r'.repeat(65),
      lines: numbered(150).map((redeemCode) => ({ redeemCode })),
    },
    reply: { note: 'x'.repeat(5000) },
    notices: [...numbered(25), 'n'.repeat(300)].reverse(),
  });
  await store.flush();
  expect(activity.after(0)).toEqual([
    {
      ...call,
      seq: 1,
      at: '1970-01-01T00:00:00.000Z',
      url: `/rewards/nowhere?q=${'é'.repeat(512 - 19)}… (5019 characters)`,
      uid: `${'💳'.repeat(32)}… (200 characters)`,
      redeem_codes: [`${'r'.repeat(64)}… (65 characters)`, ...numbered(99), '… (151 in all)'],
      request: { omitted: '4291 bytes' },
      reply: { omitted: '5011 bytes' },
      notices: [`${'n'.repeat(200)}… (300 characters)`, ...numbered(25).reverse().slice(0, 19), '… (26 in all)'],
    },
  ]);
});

it('OP-57: a cut does not split a surrogate pair into two halves', async () => {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const { activity } = logIn(store);
  await activity.call({ ...call, request: { uid: `x${'💳'.repeat(40)}` } });
  expect(activity.after(0).map(({ uid }) => uid)).toEqual([`x${'💳'.repeat(31)}\ufffd… (81 characters)`]);
});

it('OP-57: the detail of a state change is left out if it is larger than 4 KiB', async () => {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const { activity, note } = logIn(store);
  await note(4096 - 11, 4096 - 10);
  const details = activity.after(0).map((entry) => entry.kind === 'state' && entry.detail);
  expect(details).toEqual([{ text: 'x'.repeat(4085) }, { omitted: '4097 bytes' }]);
});

it('OP-57: the log takes 16 MiB at most: it drops as many of the oldest entries as it needs to', async () => {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const { activity, note } = logIn(store, { entries: 10_000, bytes: 10_000 });
  await note(...Array.from({ length: 40 }, () => 100));
  const before = activity.after(0).length;
  await note(4000);
  const entries = activity.after(0);
  expect(before - entries.length).toBeGreaterThan(10);
  expect(bytesOf(entries)).toBeLessThanOrEqual(10_000);
  expect(bytesOf(entries)).toBeGreaterThan(10_000 - 300);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => 42 - entries.length + at));
});

it('a call that is logged during a transaction comes after it, and a refused transaction uses no number', async () => {
  const written = Promise.withResolvers<number>();
  const begun = Promise.withResolvers<void>();
  const commit = () => {
    begun.resolve();
    return written.promise;
  };
  const disk = { commit, applied: () => {}, prepare: () => expect.fail('nothing is replaced'), close: async () => {} };
  const store = new Transactor<ActivityCollections>(new WorkingSet(activitySchema), disk, fail);
  const { activity, note } = logIn(store);
  const refusing = (tx: Tx<ActivityCollections>) => {
    activity.note(tx, { trace: 't', party: 'client', event: 'debit' });
    throw new Error('refused');
  };
  const refused = expect(store.transact(refusing)).rejects.toThrow('refused');
  const accepted = note(1, 1);
  await begun.promise;
  const called = activity.call(call);
  expect(activity.after(0)).toEqual([]);
  written.resolve(0);
  await Promise.all([refused, accepted, called]);
  expect(activity.after(0).map(({ seq, kind }) => [seq, kind])).toEqual([
    [1, 'state'],
    [2, 'state'],
    [3, 'call_in'],
  ]);
});

it('calls are not in the store, and the next state change removes from it those that the log dropped', async () => {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const { activity, note } = logIn(store, { entries: 3, bytes: 100_000 });
  await note(1, 1);
  for (let number = 0; number < 3; number += 1) await activity.call(call);
  expect(activity.after(0).map(({ seq }) => seq)).toEqual([3, 4, 5]);
  await note(1);
  expect(activity.after(0).map(({ seq }) => seq)).toEqual([4, 5, 6]);
  expect(store.all('activity').map(({ seq }) => seq)).toEqual([6]);
});

it('OP-57: after any sequence of entries, restarts and resets the log is within its limits and has the newest entries', async () => {
  const limits = { entries: 12, bytes: 5000 };
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.array(fc.nat({ max: 4500 }), { minLength: 1, maxLength: 5 }) },
    { weight: 3, arbitrary: fc.nat({ max: 8 }) },
    { weight: 1, arbitrary: fc.constantFrom('restart', 'reset') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), fc.boolean(), async (steps, isSealed) => {
      const dir = await temporaryFolder();
      const key = isSealed ? new Uint8Array(32).fill(7) : undefined;
      const open = async () => {
        const sealer = new StoreSealer(new Sealer(key));
        const store = await openLowdbStore<ActivityCollections>({
          dir,
          schema: activitySchema,
          warn: fail,
          checkpointAfterBytes: 4000,
          sealer,
        });
        const most = { calls: limits.entries, bytes: limits.bytes };
        const place = {
          dir,
          files: diskFiles,
          sealer,
          warn: fail,
          log: () => logNumber(store),
          most,
        };
        const calls = await CallFile.open(place);
        return { store, calls, ...logIn(store, limits, calls) };
      };
      let log = await open();
      let written = 0;
      for (const what of steps) {
        const before = log.activity.after(0);
        if (typeof what === 'number') {
          for (let number = 0; number < what; number += 1) await log.activity.call(call);
          written += what;
        } else if (Array.isArray(what)) {
          await log.note(...what);
          written += what.length;
        } else if (what === 'restart') {
          await log.calls.close();
          await log.store.close();
          log = await open();
          expect(log.activity.after(0)).toEqual(before);
        } else {
          await log.store.replace({ content: nothing, change: beginLog });
          written = 0;
        }
        const entries = log.activity.after(0);
        expect(entries.length).toBeLessThanOrEqual(limits.entries);
        expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => written - entries.length + 1 + at));
        expect(entries.length > 0).toBe(written > 0);
        expect(bytesOf(entries)).toBeLessThanOrEqual(limits.bytes);
      }
      await log.calls.close();
      await log.store.close();
    }),
    // The log retains a call across a restart, even if the following state change was dropped.
    { numRuns: 25, examples: [[[1, [3821, 878], [0], 'restart'], false]] },
  );
});
