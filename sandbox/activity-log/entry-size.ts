import { weighRecord } from '../store/record.ts';
import type { ActivityEntry, CallEntry, StateEntry } from './activity-entry.ts';
import { maskUrl } from './masking.ts';

/** How large an entry of the activity log can get, and what each one takes of the log's bytes (OP-57). */

/** Of a body or detail larger than this, only the size is logged. */
export const mostBodyBytes = 4 * 1024;
const mostUrl = 512;
const mostId = 64;
const mostText = 200;
const mostIds = 100;
const mostNotices = 20;

/** The end of an address that was cut; no called address contains it. */
const cutMark = '… (';

/** An entry as it is stored, and its size. */
export interface Fitted {
  readonly entry: ActivityEntry;
  /** The bytes of its JSON text. */
  readonly bytes: number;
}

/** A call as it is stored, and its JSON text. */
export interface FittedCall extends Fitted {
  readonly entry: CallEntry;
  readonly text: string;
}

/** A call as it is stored: long texts are cut, with a mark, and bodies that are too large are omitted. */
export function fitEntry(entry: CallEntry): FittedCall {
  const cut = shortened(entry) as CallEntry;
  const text = JSON.stringify(cut);
  const bytes = Buffer.byteLength(text);
  // What was found says nothing about how large the bodies are.
  if (bytes <= mostBodyBytes || bytes - findingBytes(cut) <= mostBodyBytes) return { entry: cut, text, bytes };
  const trimmed = { ...cut, request: small(cut.request), reply: small(cut.reply) };
  const shorter = JSON.stringify(trimmed);
  return { entry: trimmed, text: shorter, bytes: Buffer.byteLength(shorter) };
}

/** A state change as it is stored: long texts are cut, and a detail that is too large is omitted. */
export function boundState(entry: StateEntry): StateEntry {
  const cut = shortened(entry) as StateEntry;
  const bytes = weighRecord(cut.detail, 'the detail of a state change');
  return bytes <= mostBodyBytes ? cut : { ...cut, detail: omittedBody(bytes) };
}

/** The placeholder of an omitted body. */
export function omittedBody(bytes: number): { omitted: string } {
  return { omitted: `${bytes} bytes` };
}

/**
 * Masks the start of an address for a log. The address is cut before it is masked, so that the cost of masking is bounded.
 */
export function loggedAddress(url: string): string {
  if (url.length <= mostUrl) return maskUrl(url);
  return withCutMark(maskUrl(start(url, mostUrl)), url.length);
}

/** Whether an entry's address was cut, so that the called operation is unknown. */
export function isCut(url: string): boolean {
  return url.includes(cutMark);
}

/** About the bytes of the JSON text of an entry that is in the store already. */
export function weigh(entry: ActivityEntry): number {
  return weighRecord(entry, 'an entry of the activity log');
}

/** What the findings of an entry take. */
function findingBytes({ findings }: CallEntry): number {
  return findings === undefined ? 0 : Buffer.byteLength(JSON.stringify(findings));
}

/** The entry itself if no part is too long, which is the usual case. */
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
  return text.length <= most ? text : withCutMark(start(text, most), text.length);
}

/** The start of a text as a copy: a slice would keep the whole text in memory. */
function start(text: string, length: number): string {
  return Buffer.from(text.slice(0, length)).toString();
}

function withCutMark(text: string, length: number): string {
  return `${text}${cutMark}${length} characters)`;
}

function small(body: unknown): unknown {
  if (body === null) return null;
  const bytes = Buffer.byteLength(JSON.stringify(body));
  return bytes <= mostBodyBytes ? body : omittedBody(bytes);
}
