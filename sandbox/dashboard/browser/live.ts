/** Live activity: one stream of the activity log for all screens. */
import { useEffect, useState } from 'preact/hooks';
import { adminToken, api, ask, base, CallFailure, type Schemas } from './api.ts';
import { useWatched } from './route.ts';

export type CallEntry = Schemas['ActivityCall'];
export type StateEntry = Schemas['ActivityState'];
export type Entry = CallEntry | StateEntry;
type FeedStatus = 'connecting' | 'live' | 'lost' | 'refused';

/** Maximum number of entries that the log stores. */
const most = 10_000;

/** Number of entries to read before the first render, so that a screen appears quickly on a slow connection. */
const atFirst = 100;
/** Number of entries to read if the whole log is not needed. */
const usually = 1000;
/** Maximum number of replies to read: the log's limit is 16 MiB, and a reply's is 1 MiB. */
const mostPages = 40;

/** Whether to read the whole log. */
let whole = false;
let entries: readonly Entry[] = [];
let status: FeedStatus = 'connecting';
const watchers = new Set<() => void>();
let open: AbortController | undefined;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Resolves once the screen has rendered the data that it requested, because reading more before then would delay that
 * data. A background page renders no frames, so a timeout limits the wait.
 */
async function drawn() {
  await pause(500);
  const frames = new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  await Promise.race([frames, pause(2000)]);
}

/** Real time of the sandbox's last response; `undefined` before the first. */
let lastHeard: Date | undefined;

let telling = false;
/** Makes the screens reload their data, at most once per burst of entries. Call it after changes that leave no log entry. */
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

/** Reads and follows the log. Starts over whenever the stream ends, because a reset replaces the log. */
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

/** Reads the newest entries of the log. */
async function newest(limit: number) {
  return (await ask(api.GET('/activity', { params: { query: { limit } } }))).items;
}

/** Reads the entries between two numbers, both exclusive, in as many replies as needed. */
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

/** Receives entries until the stream ends. */
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

/** Returns the entries read so far, oldest first, and the status of the stream. Re-renders when entries arrive. */
export function useFeed() {
  useWatched(watchers);
  return { entries, status, lastHeard, partial: !whole && (entries[0]?.seq ?? 1) > 1 };
}

type Fresh<T> = { data: T | undefined; failure: CallFailure | undefined };

/**
 * Returns the result of `load`. Reloads after each change in the sandbox and each change of `inputs`, and retains the
 * earlier data meanwhile. While the sandbox does not respond, it returns no failure, because the banner of main.tsx
 * reports that.
 */
export function useFresh<T>(load: () => Promise<T>, inputs: readonly unknown[]): Fresh<T> {
  const [seen, setSeen] = useState<Fresh<T>>({ data: undefined, failure: undefined });
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

/** Runs `attempt` again after the current run, once, regardless of how many requests arrived in the meantime. */
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
