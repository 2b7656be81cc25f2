/** What happens, as it happens: one stream of the activity log for all screens. */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { adminToken, api, ask, base, CallFailure, type Schemas } from './api.ts';

export type CallEntry = Schemas['ActivityCall'];
export type StateEntry = Schemas['ActivityState'];
export type Entry = CallEntry | StateEntry;
type FeedStatus = 'connecting' | 'live' | 'lost' | 'refused';

/** Most entries that the log stores. */
const most = 10_000;

/** Entries that are read before anything is drawn, so that a screen appears soon on a slow connection. */
const atFirst = 100;
/** Entries that are read unless the whole log is wanted. */
const usually = 1000;
/** The log takes 16 MiB, and a reply 1 MiB. */
const mostPages = 40;

/** Whether all of the log is wanted. */
let whole = false;
let entries: readonly Entry[] = [];
let status: FeedStatus = 'connecting';
const watchers = new Set<() => void>();
let open: AbortController | undefined;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Resolves once the screen is drawn with the data that it requested: reading more before would delay that data. A page in
 * the background is not drawn, and does not wait.
 */
async function drawn() {
  await pause(500);
  const frames = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await Promise.race([frames, pause(2000)]);
}

/** When the sandbox last responded, as real time; undefined before it did. */
let lastHeard: Date | undefined;

let telling = false;
/** Has the screens read again, but not for each entry of a burst. What leaves no entry in the log calls it too. */
export function tell() {
  if (telling) return;
  telling = true;
  setTimeout(() => {
    telling = false;
    for (const watcher of watchers) watcher();
  }, 60);
}

function become(now: FeedStatus) {
  status = now;
  if (now === 'live') lastHeard = new Date();
  tell();
}

/** Reads the log, follows it, and starts over whenever the stream ends: after a reset the log is another one. */
export async function followActivity() {
  for (;;) {
    try {
      entries = whole ? (await between(0, Infinity)).slice(-most) : await newest(atFirst);
      become('live');
      open = new AbortController();
      if (!whole && entries.length === atFirst) {
        await drawn();
        const first = entries[0]?.seq ?? 1;
        entries = [...(await between(first - 1 - (usually - atFirst), first)), ...entries];
        tell();
      }
      await stream(entries.at(-1)?.seq ?? 0, open.signal);
    } catch (failure) {
      if (failure instanceof CallFailure && failure.status === 401) return become('refused');
      if (!open?.signal.aborted) become('lost');
    }
    await pause(open?.signal.aborted ? 0 : 1000);
  }
}

/** The newest of the log. */
async function newest(limit: number) {
  return (await ask(api.GET('/activity', { params: { query: { limit } } }))).items;
}

/** The entries between two of them, the ends left out, in as many replies as they take. */
async function between(start: number, end: number) {
  const found: Entry[] = [];
  let after = Math.max(0, start) as number | null;
  for (let pages = 0; pages < mostPages && after !== null && after < end - 1; pages += 1) {
    const query = { after, limit: Math.min(most, end - 1 - after) };
    const { items, next } = await ask(api.GET('/activity', { params: { query } }));
    found.push(...items.filter(({ seq }) => seq < end));
    after = next;
  }
  return found;
}

/** Takes entries until the stream ends. */
async function stream(after: number, signal: AbortSignal) {
  const token = adminToken();
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(`${base}/activity/stream?after=${after}`, { headers, signal });
  if (!response.ok || response.body === null) throw new CallFailure('no stream', response.status, undefined);
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    const fresh = events.flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? []).map((data) => JSON.parse(data));
    if (fresh.length === 0) continue;
    lastHeard = new Date();
    entries = [...entries, ...fresh].slice(-most);
    tell();
  }
}

/** Reads the whole log. */
export function readAll() {
  whole = true;
  open?.abort();
}

/** The entries read so far, oldest first, and the status of the stream. Redraws when there are more. */
export function useFeed() {
  const [, draw] = useState(0);
  // In the task of the drawing: what arrived before a later effect would be drawn only with the next entry.
  useLayoutEffect(() => {
    const watcher = () => draw((count) => count + 1);
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }, []);
  return { entries, status, lastHeard, partial: !whole && (entries[0]?.seq ?? 1) > 1 };
}

/**
 * The result of `load`, loaded again after each change in the sandbox and each change of `inputs`. Earlier data stays while
 * newer data is loading. While the sandbox does not respond, no failure is returned: the banner of main.tsx reports it,
 * once.
 */
export function useFresh<T>(
  load: () => Promise<T>,
  inputs: readonly unknown[],
): { data: T | undefined; failure: CallFailure | undefined } {
  const [seen, setSeen] = useState({ data: undefined, failure: undefined } as {
    data: T | undefined;
    failure: CallFailure | undefined;
  });
  useEffect(() => {
    let gone = false;
    const attempt = async () => {
      try {
        const data = await load();
        if (!gone) setSeen({ data, failure: undefined });
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure;
        const reported = status === 'lost' ? undefined : failure;
        if (!gone) setSeen((before) => ({ data: before.data, failure: reported }));
      }
    };
    const run = oneAtATime(attempt);
    watchers.add(run);
    run();
    return () => {
      gone = true;
      watchers.delete(run);
    };
  }, inputs);
  return status === 'lost' ? { data: seen.data, failure: undefined } : seen;
}

/** Runs `attempt` once more after the current run, however often it was requested in the meantime. */
function oneAtATime(attempt: () => Promise<void>) {
  let running = false;
  let isRequested = false;
  return async () => {
    isRequested = true;
    if (running) return;
    running = true;
    while (isRequested) {
      isRequested = false;
      await attempt();
    }
    running = false;
  };
}
