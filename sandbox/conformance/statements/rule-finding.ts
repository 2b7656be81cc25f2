/** Findings of rules, in the form of all others. */

import { readFileSync } from 'node:fs';
import { maskUrl } from '../../activity-log/masking.ts';
import { idsOf, isStated, weightOf } from '../../contract/basis.ts';
import type { CheckedOperation } from '../contracts.ts';
import type { Exchange } from '../exchange.ts';
import { cut, displayValue, type Finding, mostPlaceCharacters, traceOf } from '../finding.ts';
import type { ExchangeRule, Issue, TraceRule } from './rule.ts';
import type { TraceEvent } from './trace-event.ts';

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
    actual: displayValue(pointer, actual),
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
  const { file, line } = documents[isStated(basis) ? 'stated' : 'open'];
  const lines = read.get(file) ?? linesOf(file, line);
  read.set(file, lines);
  return { file, line: lines.get(idsOf(basis)[0] ?? '') ?? 1 };
}

function linesOf(file: string, form: RegExp): ReadonlyMap<string, number> {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
  return new Map(
    lines.flatMap((text, index) => (form.exec(text)?.[1] ? [[form.exec(text)?.[1] ?? '', index + 1]] : [])),
  );
}
