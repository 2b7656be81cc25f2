import type { components } from '../../generated/proxy/types.ts';
import { maskUrl } from '../activity-log/masking.ts';
import { type Weight, weightOf } from '../contract/basis.ts';
import type { CheckedContract, CheckedOperation } from './contracts.ts';
import { type Exchange, header } from './exchange.ts';
import { cut, type Flaw } from './flaw.ts';

/** A finding as reports carry it (OP-90). */
export type Finding = components['schemas']['Finding'];

/** Whether a finding fails what it was found in, where everything of this weight and above is to. */
export function fails({ severity }: Pick<Finding, 'severity'>, on: Weight = 'error'): boolean {
  return severity === 'error' || severity === on;
}

/** Where in the contracts a flaw belongs: an operation, or a contract that knows no such one. */
export interface FindingPlace {
  readonly contract: CheckedContract;
  readonly operation: CheckedOperation | undefined;
  readonly hostedBy: Finding['hosted_by'];
  /** What a flaw there rests on. */
  readonly basisOf: (flaw: Flaw) => string;
}

/** Most characters of an address, a pointer or a rule that a finding keeps. */
export const mostPlaceCharacters = 1000;

/** A flaw of an exchange as a finding: who is at fault, and where the contract says so. */
export function finding(exchange: Exchange, place: FindingPlace, direction: Finding['direction'], flaw: Flaw): Finding {
  const { code, rule, ...said } = flaw;
  const basis = place.basisOf(flaw);
  return {
    code: `${direction}.${code}`,
    severity: code === 'body.unchecked' ? 'notice' : weightOf(basis),
    basis,
    pointer: cut(said.pointer, mostPlaceCharacters),
    expected: cut(said.expected, mostPlaceCharacters),
    actual: cut(said.actual, mostPlaceCharacters),
    party: direction === 'request' ? 'caller' : 'host',
    hosted_by: place.hostedBy,
    direction,
    api: place.contract.api,
    operation: place.operation?.operationId ?? null,
    method: cut(exchange.method),
    url: cut(maskUrl(exchange.url), mostPlaceCharacters),
    status: exchange.reply?.status ?? null,
    contract: place.contract.lines.at(rule),
    trace: traceOf(exchange),
    times: 1,
  };
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-/;

/** The trace of an exchange: the host's word first, else the caller's. */
export function traceOf({ trace, reply, request }: Pick<Exchange, 'trace' | 'reply' | 'request'>): string | null {
  const returned = header(reply?.headers, 'x-trace-id');
  const id = trace ?? returned ?? traceparent.exec(header(request.headers, 'traceparent') ?? '')?.[1];
  return id === undefined ? null : cut(id);
}
