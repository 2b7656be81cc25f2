import { hash } from 'node:crypto';
import type { BodyRule } from './contracts.ts';
import { mostCheckedBytes } from './decoding.ts';
import { header, type Message } from './exchange.ts';

/** Most bodies that are remembered for one rule. */
const mostBodies = 200;

/** Digests of bodies that were right under a rule. */
const proven = new WeakMap<BodyRule, Set<string>>();

/** What tells a body from every other one, its media type and coding included; undefined where there is nothing to compare. */
export function digestOf({ headers, body }: Message): string | undefined {
  if (body.kind !== 'bytes' || body.bytes.length === 0 || body.bytes.length > mostCheckedBytes) return undefined;
  const coding = body.plain === true ? 'plain' : header(headers, 'content-encoding');
  return `${hash('sha256', body.bytes, 'base64')} ${coding} ${header(headers, 'content-type')}`;
}

/** Whether the same body was right under the rule before: a page that is read again need not be looked into again. */
export function isProven(rule: BodyRule, digest: string | undefined): boolean {
  return digest !== undefined && proven.get(rule)?.has(digest) === true;
}

/** Remembers a body in which nothing was wrong. */
export function prove(rule: BodyRule, digest: string | undefined): void {
  if (digest === undefined) return;
  const known = proven.get(rule) ?? new Set();
  proven.set(rule, known);
  if (known.size >= mostBodies) known.clear();
  known.add(digest);
}
