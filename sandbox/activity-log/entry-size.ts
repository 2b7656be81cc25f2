import { weighRecord } from '../store/row.ts';
import type { ActivityEntry, CallEntry, StateEntry } from './activity-entry.ts';
import { cutMark, marked, maskUrl } from './masking.ts';

/** Size limits of the entries of the activity log (OP-57). */

/** Maximum size of a logged body or detail, in bytes. For a larger one, only the size is logged. */
export const mostBodyBytes = 4 * 1024;
const mostUrl = 512;
const mostId = 64;
const mostText = 200;
const mostIds = 100;
const mostNotices = 20;

/** A log entry as stored, and its size. */
export interface Fitted {
  readonly entry: ActivityEntry;
  /** The size of its JSON text, in bytes. */
  readonly bytes: number;
}

/** A call as stored, and its JSON text. */
export interface FittedCall extends Fitted {
  readonly entry: CallEntry;
  readonly text: string;
}

/** Limits the size of a call: truncates long strings with a mark, and omits bodies that are too large. */
export function fitEntry(entry: CallEntry): FittedCall {
  const cut = shortened(entry) as CallEntry;
  const text = JSON.stringify(cut);
  const bytes = Buffer.byteLength(text);
  // Findings do not count towards the size of the bodies.
  if (bytes <= mostBodyBytes || bytes - findingBytes(cut) <= mostBodyBytes) return { entry: cut, text, bytes };
  const trimmed = { ...cut, request: small(cut.request), reply: small(cut.reply) };
  const shorter = JSON.stringify(trimmed);
  return { entry: trimmed, text: shorter, bytes: Buffer.byteLength(shorter) };
}

/** Limits the size of a state change: truncates long strings, and omits a detail that is too large. */
export function boundState(entry: StateEntry): StateEntry {
  const cut = shortened(entry) as StateEntry;
  const bytes = weighRecord(cut.detail, 'the detail of a state change');
  return bytes <= mostBodyBytes ? cut : { ...cut, detail: omittedBody(bytes) };
}

/** Returns the placeholder of an omitted body. */
export function omittedBody(bytes: number): { omitted: string } {
  return { omitted: `${bytes} bytes` };
}

/** Truncates and masks a URL for the log. It truncates first, so that the cost of masking is bounded. */
export function loggedAddress(url: string): string {
  if (url.length <= mostUrl) return maskUrl(url);
  return marked(maskUrl(start(url, mostUrl)), url.length);
}

/** Returns whether an entry's URL was truncated, so that the called operation is unknown. */
export function isCut(url: string): boolean {
  return url.includes(cutMark);
}

/** Estimates the size of the JSON text of an entry that is already in the store, in bytes. */
export function weigh(entry: ActivityEntry): number {
  return weighRecord(entry, 'an entry of the activity log');
}

/** Returns the size of the findings of an entry, in bytes. */
function findingBytes({ findings }: CallEntry): number {
  return findings === undefined ? 0 : Buffer.byteLength(JSON.stringify(findings));
}

/** Truncates long parts of an entry. Usually there are none, and it returns the entry itself. */
function shortened(entry: ActivityEntry): ActivityEntry {
  const { uid, redeem_codes } = entry;
  const about = {
    uid: uid === null || uid.length <= mostId ? uid : cut(uid, mostId),
    redeem_codes: few(redeem_codes, mostIds, mostId),
  };
  const asItIs = about.uid === uid && about.redeem_codes === redeem_codes;
  if (entry.kind === 'state') return asItIs ? entry : { ...entry, ...about };
  const notices = few(entry.notices, mostNotices, mostText);
  return asItIs && notices === entry.notices ? entry : { ...entry, ...about, notices };
}

function few(texts: readonly string[], most: number, longest: number): readonly string[] {
  let isShort = texts.length <= most;
  for (const { length } of texts) isShort &&= length <= longest;
  if (isShort) return texts;
  const first = texts.slice(0, most).map((text) => cut(text, longest));
  return texts.length > most ? [...first, `… (${texts.length} in all)`] : first;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : marked(start(text, most), text.length);
}

/** Copies the start of a string. A slice would keep the whole string in memory. */
function start(text: string, length: number): string {
  return Buffer.from(text.slice(0, length)).toString();
}

function small(body: unknown): unknown {
  if (body === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  return bytes <= mostBodyBytes ? body : omittedBody(bytes);
}
