/** What a rule is: a pure function from traffic to a verdict on one statement of the interface, or on one open point. */

import { readFileSync } from 'node:fs';
import { maskUrl } from '../../activity-log/masking.ts';
import { idsOf, isStated, weightOf } from '../../contract/basis.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { Exchange } from '../exchange.ts';
import { cut, displayValue, type Finding, mostPlaceCharacters, traceOf } from '../finding.ts';
import type { ParsedExchange } from './parsed-exchange.ts';
import type { Trace } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';

export type Party = Finding['party'];

/** Where an exchange breaks a rule. */
export interface Issue {
  /** JSON pointer into the message of the party at fault, such as `/body/items/3/product_type`. */
  readonly pointer: string;
  readonly expected: string;
  /** The value that was there; `undefined` where nothing was. */
  readonly actual: unknown;
}

interface Rule {
  /** The last part of the finding's code. Stable. */
  readonly id: string;
  /** `stated` and the statements, or the open point. It decides whether a violation is an error or a warning. */
  readonly basis: string;
  /** Who breaks the rule: the caller by its request, or the host by its reply. */
  readonly party: Party;
}

/**
 * A rule over a request and its reply. It returns the issues it found, none if the exchange keeps the rule, and
 * `undefined` where the exchange does not show whether it does.
 */
export interface ExchangeRule extends Rule {
  readonly operations: readonly string[];
  judge(exchange: ParsedExchange): readonly Issue[] | undefined;
}

type Judge = ExchangeRule['judge'];

/** A rule that the caller of an exchange keeps or breaks by its request. */
export function callerRule(id: string, basis: string, operations: readonly string[], judge: Judge): ExchangeRule {
  return { id, basis, party: 'caller', operations, judge };
}

/** A rule that the host of an exchange keeps or breaks by its reply. */
export function hostRule(id: string, basis: string, operations: readonly string[], judge: Judge): ExchangeRule {
  return { id, basis, party: 'host', operations, judge };
}

/** One observation of a trace rule: the exchange that satisfied the rule, or how it violated it. */
export interface Observation {
  readonly at: TraceEvent;
  /** The other exchanges it takes to see this. */
  readonly with?: readonly TraceEvent[];
  /** Undefined if the rule is satisfied. */
  readonly issue?: Issue;
  /** The operations whose calls were looked for and not found, where the issue is that there is none. */
  readonly absent?: readonly string[];
}

/** A rule over a whole recording. What the recording does not show is not among the observations. */
export interface TraceRule extends Rule {
  observe(trace: Trace): Iterable<Observation>;
}

/** A rule that callers keep or break by their requests. */
export function callerTraceRule(id: string, basis: string, observe: TraceRule['observe']): TraceRule {
  return { id, basis, party: 'caller', observe };
}

/** A rule that hosts keep or break by their replies. */
export function hostTraceRule(id: string, basis: string, observe: TraceRule['observe']): TraceRule {
  return { id, basis, party: 'host', observe };
}

/** The verdict of an exchange that keeps a rule. */
export const satisfied: readonly Issue[] = [];

/** The verdict of an exchange that keeps a rule if the condition holds, and breaks it in this way otherwise. */
export function unless(condition: boolean, pointer: string, expected: string, actual: unknown): readonly Issue[] {
  return condition ? satisfied : [{ pointer, expected, actual }];
}

type Call = Pick<Finding, 'method' | 'url' | 'status' | 'trace'>;

/** An issue that one exchange shows. */
export function exchangeFinding(
  rule: ExchangeRule,
  issue: Issue,
  exchange: Exchange,
  operation: CheckedOperation,
): Finding {
  const call = {
    method: cut(exchange.method),
    url: cut(maskUrl(exchange.url), mostPlaceCharacters),
    status: exchange.reply?.status ?? null,
    trace: traceOf(exchange),
  };
  return made('rule', rule, issue, call, operation);
}

/** An issue that a recording shows. */
export function traceFinding(rule: TraceRule, issue: Issue, at: TraceEvent, operation: CheckedOperation): Finding {
  const { method, url, status = null, trace } = at;
  return made('trace', rule, issue, { method, url, status, trace }, operation);
}

function made(
  part: 'rule' | 'trace',
  { id, basis, party }: ExchangeRule | TraceRule,
  { pointer, expected, actual }: Issue,
  call: Call,
  operation: CheckedOperation,
): Finding {
  const direction = party === 'caller' ? 'request' : 'reply';
  return {
    code: `${direction}.${part}.${id}`,
    severity: weightOf(basis),
    basis,
    pointer,
    expected: cut(expected, mostPlaceCharacters),
    // What trace rules remember are no secrets.
    actual: displayValue(part === 'trace' ? '' : pointer, actual),
    party,
    hosted_by: operation.hostedBy,
    direction,
    api: operation.contract.api,
    operation: operation.operationId,
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

/** The line of the first statement, or of the open point, that a basis names. */
export function lineOf(basis: string): Finding['contract'] {
  const document = isStated(basis) ? 'stated' : 'open';
  return { file: documents[document].file, line: linesOf(document).get(idsOf(basis)[0] ?? '') ?? 1 };
}

/** Whether an id is that of a row of docs/register.yaml. */
export function isOpenPoint(id: string): boolean {
  return linesOf('open').has(id);
}

function linesOf(document: keyof typeof documents): ReadonlyMap<string, number> {
  const { file, line } = documents[document];
  const lines = read.get(file) ?? readLines(file, line);
  read.set(file, lines);
  return lines;
}

function readLines(file: string, form: RegExp): ReadonlyMap<string, number> {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
  return new Map(
    lines.flatMap((text, index) => (form.exec(text)?.[1] ? [[form.exec(text)?.[1] ?? '', index + 1]] : [])),
  );
}
