import type { ActivityEntry } from './activity-entry.ts';

/** How large an entry of the activity log can get, and what each one takes of the log's bytes (OP-57). */

/** Bodies and details larger than this are noted by size instead. */
export const mostBodyBytes = 4 * 1024;
const mostUrl = 512;
const mostId = 64;
const mostText = 200;
const mostIds = 100;
const mostNotices = 20;

/** What ends an address that was cut; no address that somebody called contains it. */
const cutMark = '… (';

/** The entry as it is kept: long texts cut, which shows, and bodies left out that are too large. */
export function fitted(entry: ActivityEntry): ActivityEntry {
  const cut = shortened(entry);
  if (weigh(cut) <= mostBodyBytes) return cut;
  if (cut.kind === 'state') return { ...cut, detail: small(cut.detail) as typeof cut.detail };
  return { ...cut, request: small(cut.request), reply: small(cut.reply) };
}

/** What is noted of a body that is left out. */
export function omitted(bytes: number): { omitted: string } {
  return { omitted: `${bytes} bytes` };
}

/** Whether an entry's address was cut, so that nobody knows what was called. */
export function isCut(url: string): boolean {
  return url.includes(cutMark);
}

/**
 * The bytes of an entry's JSON text. Each is weighed when it is noted, and again when it makes room: to remember what
 * was found for so long costs the collector more.
 */
export function weigh(entry: ActivityEntry): number {
  return Buffer.byteLength(JSON.stringify(entry));
}

function shortened(entry: ActivityEntry): ActivityEntry {
  const uid = entry.uid === null ? null : cut(entry.uid, mostId);
  const about = { uid, redeem_codes: few(entry.redeem_codes, mostIds, mostId) };
  if (entry.kind === 'state') return { ...entry, ...about };
  const { deviations, ...call } = entry;
  // What was there instead is short already.
  const wrong = deviations?.map((deviation) => ({
    ...deviation,
    pointer: cut(deviation.pointer, mostText),
    expected: cut(deviation.expected, mostText),
  }));
  return {
    ...call,
    ...about,
    url: cut(call.url, mostUrl),
    notices: few(call.notices, mostNotices, mostText),
    ...(wrong !== undefined && { deviations: wrong }),
  };
}

function few(texts: readonly string[], most: number, longest: number): readonly string[] {
  const kept = texts.slice(0, most).map((text) => cut(text, longest));
  return texts.length > most ? [...kept, `… (${texts.length} in all)`] : kept;
}

/** Written anew, since a slice would keep the whole text in memory. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${Buffer.from(text.slice(0, most)).toString()}${cutMark}${text.length} characters)`;
}

function small(body: unknown): unknown {
  if (body === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  return bytes <= mostBodyBytes ? body : omitted(bytes);
}
