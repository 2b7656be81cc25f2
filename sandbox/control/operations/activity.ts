import { type ActivityEntry, entryFilter } from '../../activity-log/activity-entry.ts';
import { mostStreams } from '../../activity-log/feed.ts';
import { summarize } from '../../activity-log/summary.ts';
import { type Control, type ControlCall, type ControlReply, pageOfLog } from '../control.ts';

/**
 * Returns calls and state changes, oldest first. With `wait`, waits for a match (OP-42). Flushes the store first, so
 * that the result includes everything recorded before the call.
 */
export async function listActivity(
  control: Control,
  call: ControlCall<'listActivity'>,
): Promise<ControlReply<'listActivity'>> {
  await control.store.flush();
  const { after, limit = 1000, wait = 0 } = call.query;
  const matches = entryFilter(call.query, control.ownerOf);
  const isWanted = (entry: ActivityEntry) => entry.seq > (after ?? 0) && matches(entry);
  const look = () => {
    const found = control.activity.after(after ?? 0).filter(matches);
    // With `after`, a reader resumes at that entry. Without it, the newest entries are returned.
    return after === undefined ? found.slice(-limit) : found.slice(0, limit + 1);
  };
  const watched = { collection: 'activity', matches: (entry: unknown) => isWanted(entry as ActivityEntry), look };
  const found = await control.waiting.first(watched, call.patience(wait));
  const page: unknown = await pageOfLog(found, { after, limit });
  return { status: 200, body: page as Mutable };
}

/** Log entries are read-only, which the generated type does not express. */
type Mutable = Extract<ControlReply<'listActivity'>, { status: 200 }>['body'];

/**
 * Returns the contract violations in the log (OP-66). Flushes the store first, so that the result includes everything
 * recorded before the call.
 */
export async function listFindings(
  control: Control,
  call: ControlCall<'listFindings'>,
): Promise<ControlReply<'listFindings'>> {
  await control.store.flush();
  const { wait = 0, ...ask } = call.query;
  return { status: 200, body: await control.findings.list(ask, call.patience(wait)) };
}

/**
 * Returns counts for the whole log (OP-255). Flushes the store first, so that the result includes everything recorded
 * before the call.
 */
export async function summarizeActivity(
  control: Control,
  call: ControlCall<'summarizeActivity'>,
): Promise<ControlReply<'summarizeActivity'>> {
  await control.store.flush();
  const { items } = await control.findings.list({}, call.patience(0));
  const { settings, urls } = control.workspace();
  const body = summarize(control.activity.after(0), {
    blamed: new Set(items.map(({ seq }) => seq)),
    ownServer: settings.client_url === urls.client ? undefined : settings.client_url,
  });
  return { status: 200, body };
}

/** Streams new log entries to one of a limited number of readers (OP-42, OP-59). Flushes the store before the stream begins. */
export async function streamActivity(
  control: Control,
  call: ControlCall<'streamActivity'>,
): Promise<ControlReply<'streamActivity'>> {
  await control.store.flush();
  const after = call.header['Last-Event-ID'] ?? call.query.after;
  const stream = control.feed.open(after, entryFilter(call.query, control.ownerOf));
  if (stream !== undefined) return { status: 200, stream };
  return { kind: 'limit_reached', limit: mostStreams, what: 'concurrent streams', remedy: 'close one first' };
}
