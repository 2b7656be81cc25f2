/** How the findings of an activity log are kept, waited for and told (OP-66). */
import { describe, expect, it } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import type { CallFinding } from '../../sandbox/activity-log/activity-entry.ts';
import { type ActivityCollections, activitySchema, keyOf } from '../../sandbox/activity-log/stored-log.ts';
import { ActivityEntries } from '../../sandbox/conformance/activity-entries.ts';
import { ActivityFindings } from '../../sandbox/conformance/activity-findings.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { Waiting } from '../../sandbox/runtime/waiting.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Committed } from '../../sandbox/store/store.ts';
import { nothing } from '../../sandbox/store/view.ts';

type Ask = Parameters<ActivityFindings['list']>[0];

/** A log each of whose calls has so many findings. */
function log({ each = 1, unchecked = false } = {}) {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const perCall = Array.from({ length: each }, () => ({ code: 'reply.body.type' }) as CallFinding);
  const validated: unknown[] = [];
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), expect.fail, {
    validate: (seen) => {
      validated.push(seen.request);
      return { findings: perCall, unchecked };
    },
  });
  const rings: (() => void)[] = [];
  const onCommit = (listener: (committed: Committed) => void) =>
    activity.onUpdate((update) =>
      listener(
        update === 'everything'
          ? update
          : update.map((record) => ({ collection: 'activity', id: keyOf(record), record })),
      ),
    );
  const waiting = new Waiting({ onCommit }, (ring) => {
    rings.push(ring);
    return () => rings.splice(rings.indexOf(ring), 1);
  });
  const findings = new ActivityFindings(activity, waiting);
  const seen = { kind: 'call_in', trace: 't', party: 'client', method: 'GET', url: '/', operation: null } as const;
  const raw = { url: '/', request: { headers: [], body: '' }, reply: undefined };
  const call = (request: unknown = null) =>
    activity.call({ ...seen, status: 200, request, reply: null, notices: [], raw });
  const note = async (count: number) => {
    for (let at = 0; at < count; at += 1) await call();
  };
  const clear = () => store.replace<void>({ content: nothing, change: () => {} });
  const list = async (ask: Ask = {}, seconds = 60) => {
    const gone = new AbortController().signal;
    const found = await findings.list(ask, { seconds, gone, aside: (wait) => wait });
    return { ...found, items: found.items.map(({ seq }) => seq) };
  };
  return { activity, call, note, clear, list, rings, waiting, validated };
}

const around = (checked_from: number, checked_to: number, newest: number) => ({
  checked_from,
  checked_to,
  newest,
  unchecked: 0,
});

describe('OP-66: what is found', () => {
  it('is found when a call is logged, on the real values, which the entry masks', async () => {
    const { call, activity, list, validated } = log();
    await call({ secret: 7 });
    expect(validated).toEqual([{ secret: 7 }]);
    expect(activity.after(0)[0]).toMatchObject({
      request: { secret: 'number (masked)' },
      findings: [{ code: 'reply.body.type' }],
    });
    expect(await list()).toEqual({ items: [1], ...around(1, 1, 1) });
  });

  it('is left out of an entry where nothing is', async () => {
    const { note, activity } = log({ each: 0 });
    await note(1);
    const [entry] = activity.after(0);
    expect([entry && 'findings' in entry, entry && 'unchecked' in entry]).toEqual([false, false]);
  });

  it('counts calls that were not looked into whole', async () => {
    const { note, list } = log({ each: 0, unchecked: true });
    await note(3);
    expect(await list()).toEqual({ items: [], ...around(1, 3, 3), unchecked: 3 });
  });

  it('comes immediately, and after the newest entry once there is another', async () => {
    const { note, list, rings } = log();
    await note(2);
    expect(await list()).toMatchObject({ items: [1, 2] });
    const next = list({ after: 2 });
    await expect.poll(() => rings.length).toBe(1);
    await note(1);
    expect(await next).toEqual({ items: [3], ...around(1, 3, 3) });
  });

  it('is told without, when patience ends or the sandbox stops', async () => {
    const { note, list, rings, waiting } = log();
    await note(1);
    const patient = list({ after: 1 }, 5);
    await expect.poll(() => rings.length).toBe(1);
    rings[0]?.();
    expect(await patient).toEqual({ items: [], ...around(1, 1, 1) });
    const stopped = list({ after: 1 });
    await expect.poll(() => rings.length).toBe(1);
    waiting.stop();
    expect(await stopped).toEqual({ items: [], ...around(1, 1, 1) });
  });

  it('tells what is left of a call whole, and with `after` how far to go on', async () => {
    const { note, list } = log({ each: 3 });
    await note(4);
    expect(await list({ limit: 4 })).toEqual({ items: [3, 3, 3, 4, 4, 4], ...around(1, 4, 4) });
    expect(await list({ after: 0, limit: 4 })).toEqual({ items: [1, 1, 1, 2, 2, 2], ...around(1, 2, 4) });
    expect(await list({ after: 2, limit: 1 })).toEqual({ items: [3, 3, 3], ...around(1, 3, 4) });
    expect(await list({ seq: 2 })).toMatchObject({ items: [2, 2, 2] });
    expect(await list({ trace: 'another' })).toMatchObject({ items: [] });
  });

  it('is the newest thousand, and says from which call on', async () => {
    const { note, list } = log({ each: 3 });
    await note(400);
    const { items, ...rest } = await list();
    expect(rest).toEqual(around(68, 400, 400));
    expect([items.length, items[0], items.at(-1)]).toEqual([999, 68, 400]);
  });

  it('starts over with the log', async () => {
    const { note, clear, list, rings } = log();
    await note(3);
    const next = list({ after: 3 });
    await expect.poll(() => rings.length).toBe(1);
    await clear();
    expect(await next).toEqual({ items: [], ...around(1, 0, 0) });
    await note(2);
    expect(await list()).toEqual({ items: [1, 2], ...around(1, 2, 2) });
  });
});

it('OP-57: a call whose address the log has cut is not judged by what is left of it', () => {
  const entries = new ActivityEntries(new Map());
  const call = { kind: 'call_in', method: 'GET', trace: 't', operation: null, status: 404, request: null, reply: null };
  expect(entries.read({ ...call, url: '/rewards/nowhere?q=x' })).toMatchObject({ path: '/nowhere?q=x' });
  expect(entries.read({ ...call, url: '/rewards/nowhere?q=x… (5000 characters)' })).toBe('outside');
});
