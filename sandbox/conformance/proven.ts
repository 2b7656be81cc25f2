import { header, type Message } from './exchange.ts';
import type { BodyRule } from './ruled-operation.ts';

/** Bodies that are remembered for one rule, and the most bytes of one. */
const mostBodies = 2;
const mostBytes = 32 * 1024;

/** A body that can be remembered, with what its headers say about it. */
export interface Seen {
  readonly bytes: Buffer;
  readonly coding: string;
}

/** Bodies that were right under a rule, the newest first. */
const proven = new WeakMap<BodyRule, readonly Seen[]>();

/** Heads that are remembered for one rule, and the most characters of one. */
const mostHeads = 4;
const mostCharacters = 4096;

/** Heads of requests that were right under a rule, the newest first: all that the check looks at beside the body. */
const provenHeads = new WeakMap<BodyRule, readonly string[]>();

/** Whether a head was right under the rule shortly before. */
export function isProvenHead(rule: BodyRule, head: string): boolean {
  return provenHeads.get(rule)?.includes(head) === true;
}

/** Remembers a head in which nothing was wrong. */
export function proveHead(rule: BodyRule, head: string): void {
  if (head.length <= mostCharacters)
    provenHeads.set(rule, [head, ...(provenHeads.get(rule) ?? [])].slice(0, mostHeads));
}

/** What is compared of a body; undefined where nothing is. */
export function seenOf({ headers, body }: Message): Seen | undefined {
  if (body.kind !== 'bytes' || body.bytes.length === 0 || body.bytes.length > mostBytes) return undefined;
  const coding = body.plain === true ? 'plain' : header(headers, 'content-encoding');
  return { bytes: body.bytes, coding: `${coding} ${header(headers, 'content-type')}` };
}

/** Whether the same body was right under the rule just before: a page that is read again is not looked into again. */
export function isProven(rule: BodyRule, seen: Seen | undefined): boolean {
  if (seen === undefined) return false;
  return (proven.get(rule) ?? []).some(({ bytes, coding }) => coding === seen.coding && bytes.equals(seen.bytes));
}

/** Remembers a body in which nothing was wrong. */
export function prove(rule: BodyRule, seen: Seen | undefined): void {
  if (seen !== undefined) proven.set(rule, [seen, ...(proven.get(rule) ?? [])].slice(0, mostBodies));
}
