/** How much the activity log can hold: entries of bounded size, and a bound in number and in bytes (OP-57). */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Activity, type ActivityBooks, activitySpec } from '../../sandbox/runtime/activity.ts';
import type { ActivityEntry } from '../../sandbox/runtime/activity-entry.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Store } from '../../sandbox/store/store.ts';
import { temporaryFolder } from '../harness/folders.ts';

const clock = new Clock({ mode: 'frozen', value: 0 }, () => 0);
const fail = (message: string) => expect.fail(message);

/** A log over a store, with bounds of its own where they are given. */
function logIn(store: Store<ActivityBooks>, limits?: { readonly entries: number; readonly bytes: number }) {
  const activity = new Activity(store, clock, fail, limits && { most: limits });
  const note = (...sizes: number[]) =>
    store.transact((tx) => {
      for (const size of sizes) {
        activity.note(tx, { trace: 't', party: 'client', event: 'noted', detail: { text: 'x'.repeat(size) } });
      }
    });
  return { activity, note };
}

const bytesOf = (entries: readonly ActivityEntry[]) =>
  entries.reduce((sum, entry) => sum + Buffer.byteLength(JSON.stringify(entry)), 0);

const call = {
  kind: 'call_in',
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

const found = { code: 'reply.body.type', severity: 'error', basis: 'stated B3' } as const;

it('OP-57: what is long in an entry is cut, and says how long it was', async () => {
  const store = openMemoryStore<ActivityBooks>(activitySpec);
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
    deviations: [{ ...found, pointer: `/${'p'.repeat(300)}`, expected: 'e'.repeat(201), actual: 'a'.repeat(200) }],
  });
  await store.flush();
  expect(store.all('activity')).toEqual([
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
      deviations: [
        {
          ...found,
          pointer: `/${'p'.repeat(199)}… (301 characters)`,
          expected: `${'e'.repeat(200)}… (201 characters)`,
          actual: 'a'.repeat(200),
        },
      ],
    },
  ]);
});

it('OP-57: a character of two halves is not cut in two', async () => {
  const store = openMemoryStore<ActivityBooks>(activitySpec);
  logIn(store).activity.call({ ...call, request: { uid: `x${'💳'.repeat(40)}` } });
  await store.flush();
  expect(store.all('activity').map(({ uid }) => uid)).toEqual([`x${'💳'.repeat(31)}\ufffd… (81 characters)`]);
});

it('OP-57: the detail of a state change is left out where it has more than 4 KiB', async () => {
  const store = openMemoryStore<ActivityBooks>(activitySpec);
  const { note } = logIn(store);
  await note(4096 - 11, 4096 - 10);
  const details = store.all('activity').map((entry) => entry.kind === 'state' && entry.detail);
  expect(details).toEqual([{ text: 'x'.repeat(4085) }, { omitted: '4097 bytes' }]);
});

it('OP-57: the log takes 16 MiB at most: the oldest make room, as many as it takes', async () => {
  const store = openMemoryStore<ActivityBooks>(activitySpec);
  const { note } = logIn(store, { entries: 10_000, bytes: 10_000 });
  await note(...Array.from({ length: 40 }, () => 100));
  const before = store.count('activity');
  await note(4000);
  const entries = store.all('activity');
  expect(before - entries.length).toBeGreaterThan(10);
  expect(bytesOf(entries)).toBeLessThanOrEqual(10_000);
  expect(bytesOf(entries)).toBeGreaterThan(10_000 - 300);
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => 42 - entries.length + at));
});

it('OP-57: whatever is noted, also after a restart, the bounds hold and the newest is there', async () => {
  const limits = { entries: 12, bytes: 5000 };
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.array(fc.nat({ max: 4500 }), { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: fc.constantFrom('restart', 'reset', 'of an older version') },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const dir = await temporaryFolder();
      const open = () =>
        openLowdbStore<ActivityBooks>({ dir, spec: activitySpec, warn: fail, checkpointAfterBytes: 4000 });
      let store = await open();
      for (const what of steps) {
        if (Array.isArray(what)) {
          await logIn(store, limits).note(...what);
          const entries = store.all('activity');
          const last = store.get('tallies', 'activity') ?? 0;
          expect(entries.length).toBeLessThanOrEqual(limits.entries);
          expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => last - entries.length + 1 + at));
          expect(entries.length).toBeGreaterThan(0);
          expect(store.get('tallies', 'activity_bytes')).toBe(bytesOf(entries));
          expect(bytesOf(entries)).toBeLessThanOrEqual(limits.bytes);
        } else if (what === 'restart') {
          await store.close();
          store = await open();
        } else if (what === 'reset') {
          await store.transact((tx) => {
            for (const id of tx.ids('activity')) tx.remove('activity', id);
            for (const id of tx.ids('tallies')) tx.remove('tallies', id);
          });
        } else await store.transact((tx) => tx.remove('tallies', 'activity_bytes'));
      }
      await store.close();
    }),
    { numRuns: 25 },
  );
});
