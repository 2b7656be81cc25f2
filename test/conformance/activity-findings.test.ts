/** Tests storing, awaiting and listing the findings in an activity log (OP-66). */
import { describe, expect, it, vi } from 'vitest';
import { Activity } from '../../sandbox/activity-log/activity.ts';
import type { CallFinding } from '../../sandbox/activity-log/activity-entry.ts';
import { type ActivityCollections, activitySchema } from '../../sandbox/activity-log/stored-log.ts';
import { ActivityEntries } from '../../sandbox/conformance/activity-entries.ts';
import { ActivityFindings } from '../../sandbox/conformance/activity-findings.ts';
import { noAnswers } from '../../sandbox/conformance/answers.ts';
import { Clock } from '../../sandbox/runtime/clock.ts';
import { Waiting } from '../../sandbox/runtime/waiting.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import { nothing } from '../../sandbox/store/row.ts';

type ListQuery = Parameters<ActivityFindings['list']>[0];

/** Creates a log in which every call has `each` findings. */
function log({ each = 1, unchecked = false } = {}) {
  const store = openMemoryStore<ActivityCollections>(activitySchema);
  const perCall = Array.from({ length: each }, () => ({ code: 'reply.body.type' }) as CallFinding);
  const activity = new Activity(store, new Clock({ mode: 'frozen', value: 0 }, () => 0), expect.fail);
  const timers: (() => void)[] = [];
  const waiting = new Waiting(store, activity, (callback) => {
    timers.push(callback);
    return () => timers.splice(timers.indexOf(callback), 1);
  });
  const findings = new ActivityFindings(activity, waiting, () => noAnswers);
  const fields = {
    kind: 'call_in',
    began: '2026-01-12T04:30:00.000Z',
    trace: 't',
    party: 'client',
    method: 'GET',
    url: '/',
    operation: null,
  } as const;
  const validated = { findings: perCall, unchecked };
  const call = (request: unknown = null) =>
    activity.call({ ...fields, status: 200, request, reply: null, notices: [], validated });
  const logCalls = async (count: number) => {
    for (let at = 0; at < count; at += 1) await call();
  };
  const clear = () => store.replace<void>({ content: nothing, change: () => {} });
  const list = async (query: ListQuery = {}, seconds = 60) => {
    const gone = new AbortController().signal;
    const result = await findings.list(query, { seconds, gone, aside: (wait) => wait });
    return { ...result, items: result.items.map(({ seq }) => seq) };
  };
  return { activity, call, logCalls, clear, list, timers, waiting };
}

const range = (checked_from: number, checked_to: number, newest: number) => ({
  checked_from,
  checked_to,
  newest,
  unchecked: 0,
});

describe('OP-66: findings of an activity log', () => {
  it('are absent from the entry of a correct call', async () => {
    const { logCalls, activity } = log({ each: 0 });
    await logCalls(1);
    const [entry] = activity.after(0);
    expect([entry && 'findings' in entry, entry && 'unchecked' in entry]).toEqual([false, false]);
  });

  it('are returned immediately, or as soon as a newer call is logged', async () => {
    const { logCalls, list, timers } = log();
    await logCalls(2);
    expect(await list()).toMatchObject({ items: [1, 2] });
    const next = list({ after: 2 });
    await expect.poll(() => timers.length).toBe(1);
    await logCalls(1);
    expect(await next).toEqual({ items: [3], ...range(1, 3, 3) });
  });

  it('are an empty list when the wait times out or the sandbox stops', async () => {
    const { logCalls, list, timers, waiting } = log();
    await logCalls(1);
    const timedOut = list({ after: 1 }, 5);
    await expect.poll(() => timers.length).toBe(1);
    timers[0]?.();
    expect(await timedOut).toEqual({ items: [], ...range(1, 1, 1) });
    const stopped = list({ after: 1 });
    await expect.poll(() => timers.length).toBe(1);
    waiting.stop();
    expect(await stopped).toEqual({ items: [], ...range(1, 1, 1) });
  });

  it('include all findings of a call or none, and with `after` the entry to continue from', async () => {
    const { logCalls, list } = log({ each: 3 });
    await logCalls(4);
    expect(await list({ limit: 4 })).toEqual({ items: [3, 3, 3, 4, 4, 4], ...range(1, 4, 4) });
    expect(await list({ after: 0, limit: 4 })).toEqual({ items: [1, 1, 1, 2, 2, 2], ...range(1, 2, 4) });
    expect(await list({ after: 2, limit: 1 })).toEqual({ items: [3, 3, 3], ...range(1, 3, 4) });
    expect(await list({ seq: 2 })).toMatchObject({ items: [2, 2, 2] });
    expect(await list({ trace: 'another' })).toMatchObject({ items: [] });
  });

  it('are limited to the newest thousand, with the first call that they cover', async () => {
    const { logCalls, list } = log({ each: 3 });
    await logCalls(400);
    const { items, ...rest } = await list();
    expect(rest).toEqual(range(68, 400, 400));
    expect([items.length, items[0], items.at(-1)]).toEqual([999, 68, 400]);
  });

  it('are followed from the first request on, and until then nothing listens to the log', async () => {
    const { activity, list } = log();
    const subscribed = vi.spyOn(activity, 'onUpdate');
    await list();
    await list();
    expect(subscribed).toHaveBeenCalledOnce();
  });

  it('start over when the log is cleared', async () => {
    const { logCalls, clear, list, timers } = log();
    await logCalls(3);
    const next = list({ after: 3 });
    await expect.poll(() => timers.length).toBe(1);
    await clear();
    expect(await next).toEqual({ items: [], ...range(1, 0, 0) });
    await logCalls(2);
    expect(await list()).toEqual({ items: [1, 2], ...range(1, 2, 2) });
  });
});

it('OP-66: include those of rules over several calls, at the call that breaks the rule', async () => {
  const { activity, list } = log({ each: 0 });
  const update = async (status: string, taken: number) => {
    const request = { redeemCode: 'RDM-1', status, orderStatus: status, remark: '', projectCode: 'DEMO01' };
    const fields = { kind: 'call_in', trace: status, party: 'client', method: 'POST', notices: [] } as const;
    const call = { ...fields, url: '/client/updateRedeemStatus', operation: 'updateRedeemStatus' };
    const validated = { findings: [], unchecked: false };
    await activity.call({ ...call, began: '2026-01-12T04:30:00.000Z', status: taken, request, reply: null, validated });
  };
  await update('Delivered', 200);
  expect(await list()).toMatchObject({ items: [] });
  await update('Rejected', 200);
  expect(await list({ severity: 'error' })).toEqual({ items: [2], ...range(1, 2, 2) });
  expect(await list({ after: 2, limit: 1 }, 0)).toMatchObject({ items: [] });
});

it('OP-57: a call whose URL the log truncated is not checked', () => {
  const entries = new ActivityEntries(new Map());
  const call = {
    kind: 'call_in',
    began: '2026-01-12T04:30:00.000Z',
    method: 'GET',
    trace: 't',
    operation: null,
    status: 404,
    request: null,
    reply: null,
  };
  expect(entries.read({ ...call, url: '/rewards/nowhere?q=x' })).toMatchObject({ path: '/nowhere?q=x' });
  expect(entries.read({ ...call, url: '/rewards/nowhere?q=x… (5000 characters)' })).toBe('outside');
});
