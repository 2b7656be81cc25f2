/** Rules: pure functions from traffic to a verdict on one statement of the interface, or on one open point. */

import { readFileSync } from 'node:fs';
import { idsOf, isStated, weightOf } from '../../contract/basis.ts';
import { getOrCreate } from '../../runtime/caches.ts';
import type { CheckedOperation } from '../contracts.ts';
import { type callOf, cut, displayValue, type Finding, mostPlaceCharacters } from '../finding.ts';
import type { ParsedExchange } from './parsed-exchange.ts';
import type { Trace } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';

export type Party = Finding['party'];

/** A violation of a rule in an exchange. */
export interface Issue {
  /** JSON pointer into the message of the party at fault, such as `/body/items/3/product_type`. */
  readonly pointer: string;
  readonly expected: string;
  /** The actual value, or `undefined` if there was none. */
  readonly actual: unknown;
}

interface Rule {
  /** The last part of the finding's code. It must stay stable. */
  readonly id: string;
  /** `stated` with statement ids, or an open point. The basis decides whether a violation is an error or a warning. */
  readonly basis: string;
  /** The party that can break the rule: the caller with its request, or the host with its reply. */
  readonly party: Party;
}

/**
 * A rule about a request and its reply. `judge` returns the issues that it found, or an empty list if the exchange satisfies the
 * rule. It returns `undefined` if the exchange shows neither.
 */
export interface ExchangeRule extends Rule {
  readonly operations: readonly string[];
  judge(exchange: ParsedExchange): readonly Issue[] | undefined;
}

type Judge = ExchangeRule['judge'];

/** Creates a rule about the request of an exchange. The caller is at fault if it is broken. */
export function callerRule(id: string, basis: string, operations: readonly string[], judge: Judge): ExchangeRule {
  return { id, basis, party: 'caller', operations, judge };
}

/** Creates a rule about the reply of an exchange. The host is at fault if it is broken. */
export function hostRule(id: string, basis: string, operations: readonly string[], judge: Judge): ExchangeRule {
  return { id, basis, party: 'host', operations, judge };
}

/** One observation of a trace rule: an exchange that satisfied the rule, or one that violated it. */
export interface Observation {
  readonly at: TraceEvent;
  /** Other exchanges that the issue depends on. */
  readonly with?: readonly TraceEvent[];
  /** `undefined` if the rule is satisfied. */
  readonly issue?: Issue;
  /** The operations without any call, if the issue is a missing call. */
  readonly absent?: readonly string[];
}

/** A rule about a whole recording. It yields no observation if the recording does not show whether the rule is satisfied. */
export interface TraceRule extends Rule {
  observe(trace: Trace): Iterable<Observation>;
}

/** Creates a trace rule about requests. The caller is at fault if it is broken. */
export function callerTraceRule(id: string, basis: string, observe: TraceRule['observe']): TraceRule {
  return { id, basis, party: 'caller', observe };
}

/** Creates a trace rule about replies. The host is at fault if it is broken. */
export function hostTraceRule(id: string, basis: string, observe: TraceRule['observe']): TraceRule {
  return { id, basis, party: 'host', observe };
}

/** Returns an observation of an exchange. Unless the condition holds, it has an issue, which also depends on other exchanges. */
export function observe(
  at: TraceEvent,
  others: readonly TraceEvent[],
  condition: boolean,
  pointer: string,
  expected: string,
  actual: unknown,
  absent?: readonly string[],
): Observation {
  if (condition) return { at };
  return { at, with: others, issue: { pointer, expected, actual }, ...(absent && { absent }) };
}

/** Yields an observation of an exchange whose value must equal that of another exchange, if both values are known. */
export function* observeSame(
  at: TraceEvent,
  other: TraceEvent | undefined,
  pointer: string,
  expected: string,
  wanted: string | number | undefined,
  actual: string | number | undefined,
): Generator<Observation> {
  if (other === undefined || wanted === undefined || actual === undefined) return;
  yield observe(at, [other], actual === wanted, pointer, expected, actual);
}

/** Yields an observation of an exchange that must follow one of the earlier exchanges. It has an issue if all of them follow it. */
export function* observeOrder(
  trace: Trace,
  at: TraceEvent,
  earlier: readonly TraceEvent[],
  ...issue: [pointer: string, expected: string, actual: string]
): Generator<Observation> {
  const follows = earlier.some((one) => trace.isBefore(one, at));
  const isFirst = earlier.length > 0 && earlier.every((one) => trace.isBefore(at, one));
  if (follows || isFirst) yield observe(at, earlier.slice(0, 1), follows, ...issue);
}

/** The verdict on an exchange that satisfies a rule. */
export const satisfied: readonly Issue[] = [];

/** Returns `satisfied` if the condition holds, or else a verdict with one issue. */
export function unless(condition: boolean, pointer: string, expected: string, actual: unknown): readonly Issue[] {
  return condition ? satisfied : [{ pointer, expected, actual }];
}

/** Converts an issue of a single exchange (`rule`) or of a recording (`trace`) to a finding. */
export function ruleFinding(
  part: 'rule' | 'trace',
  { id, basis, party }: Rule,
  { pointer, expected, actual }: Issue,
  call: ReturnType<typeof callOf>,
  { operationId: operation, hostedBy: hosted_by, contract: { api } }: CheckedOperation,
): Finding {
  const direction = party === 'caller' ? 'request' : 'reply';
  return {
    code: `${direction}.${part}.${id}`,
    severity: weightOf(basis),
    basis,
    pointer,
    expected: cut(expected, mostPlaceCharacters),
    // Values that trace rules store are not secret.
    actual: displayValue(part === 'trace' ? '' : pointer, actual),
    party,
    hosted_by,
    direction,
    api,
    operation,
    ...call,
    contract: lineOf(basis),
    times: 1,
  };
}

const root = new URL('../../../', import.meta.url);
const documents = {
  stated: { file: 'docs/interface.md', line: /^(?:- |\| )\*\*([A-Z]\d{1,2})\*\* / },
  open: { file: 'docs/register.yaml', line: /^- id: (OP-\d{2,3})$/ },
} as const;

const read = new Map<string, ReadonlyMap<string, number>>();

/** Returns the source line of the first statement or open point in a basis. */
export function lineOf(basis: string): Finding['contract'] {
  const document = isStated(basis) ? 'stated' : 'open';
  return { file: documents[document].file, line: linesOf(document).get(idsOf(basis)[0] ?? '') ?? 1 };
}

/** Returns whether an id is that of a row in docs/register.yaml. */
export function isOpenPoint(id: string): boolean {
  return linesOf('open').has(id);
}

function linesOf(document: keyof typeof documents): ReadonlyMap<string, number> {
  const { file, line } = documents[document];
  return getOrCreate(read, file, () => readLines(file, line));
}

function readLines(file: string, form: RegExp): ReadonlyMap<string, number> {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
  const found = lines.map((text, index) => [form.exec(text)?.[1] ?? '', index + 1] as const);
  return new Map(found.filter(([id]) => id !== ''));
}
