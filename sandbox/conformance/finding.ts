import type { components } from '../../generated/proxy/types.ts';
import { maskedText, maskUrl } from '../activity-log/masking.ts';
import { type Weight, weightOf } from '../contract/basis.ts';
import { printable } from '../runtime/terminal.ts';
import type { CheckedContract, CheckedOperation } from './contracts.ts';
import { type Exchange, header } from './exchange.ts';

/** A finding as it appears in reports (OP-90). */
export type Finding = components['schemas']['Finding'];

/** Returns whether a finding is severe enough to fail a check. `on` is the lowest severity that fails it. */
export function fails({ severity }: Pick<Finding, 'severity'>, on: Weight = 'error'): boolean {
  return severity === 'error' || severity === on;
}

/** Describes a call with its status, such as `POST /creditPoints -> 422`. */
export function callWords({ method, url, status }: Pick<Finding, 'method' | 'url' | 'status'>): string {
  return `${method} ${url}${status === null ? '' : ` -> ${status}`}`;
}

/** The contract context of a flaw: an operation, or only a contract if no operation matches. */
export interface FindingPlace {
  readonly contract: CheckedContract;
  readonly operation: CheckedOperation | undefined;
  readonly hostedBy: Finding['hosted_by'];
  /** Returns the basis of a flaw in this context. */
  readonly basisOf: (flaw: Flaw) => string;
}

/** Maximum length of an address, a pointer or a rule in a finding, in characters. */
export const mostPlaceCharacters = 1000;

/** Converts a flaw of an exchange to a finding, with the party at fault and the line in the contract. */
export function finding(exchange: Exchange, place: FindingPlace, direction: Finding['direction'], flaw: Flaw): Finding {
  const { code, rule, ...said } = flaw;
  const basis = place.basisOf(flaw);
  return {
    code: `${direction}.${code}`,
    severity: isNotice(flaw) ? 'notice' : weightOf(basis),
    basis,
    pointer: cut(said.pointer, mostPlaceCharacters),
    expected: cut(said.expected, mostPlaceCharacters),
    actual: cut(said.actual, mostPlaceCharacters),
    party: direction === 'request' ? 'caller' : 'host',
    hosted_by: place.hostedBy,
    direction,
    api: place.contract.api,
    operation: place.operation?.operationId ?? null,
    ...callOf(exchange),
    contract: place.contract.lines.at(rule),
    times: 1,
  };
}

/** Returns the fields of a finding that identify its exchange. */
export function callOf(exchange: Exchange): Pick<Finding, 'method' | 'url' | 'status' | 'trace'> {
  return {
    method: cut(exchange.method),
    url: cut(maskUrl(exchange.url), mostPlaceCharacters),
    status: exchange.reply?.status ?? null,
    trace: traceOf(exchange),
  };
}

/** Returns whether a flaw only reports that something was not checked. */
export function isNotice({ code }: Flaw): boolean {
  return code === 'body.unchecked' || code === 'url.outside';
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-/;

/** Returns the trace id of an exchange. The host's trace id has priority over the caller's. */
export function traceOf({ trace, reply, request }: Pick<Exchange, 'trace' | 'reply' | 'request'>): string | null {
  const returned = header(reply?.headers, 'x-trace-id');
  const id = trace ?? returned ?? traceparent.exec(header(request.headers, 'traceparent') ?? '')?.[1];
  return id === undefined ? null : cut(id);
}

/** A contract violation in a message, before it is reported as a finding. */
export interface Flaw {
  /** The message part and the rule. Prefixed with the direction, it is the stable code of the finding. */
  readonly code: `${MessagePart}.${string}`;
  /** JSON pointer into the message, such as `/body/points/balance`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer of the rule in the bundle. */
  readonly rule: string;
  /** Whether the capture has asterisks in place of the sent value. */
  readonly blank?: boolean;
}

export type MessagePart =
  | 'url'
  | 'method'
  | 'credential'
  | 'media-type'
  | 'body'
  | 'query'
  | 'path'
  | 'header'
  | 'status';

/** Returns the first flaw at each location of a message part. */
export function onePerPlace(flaws: readonly Flaw[]): readonly Flaw[] {
  const once = new Map<string, Flaw>();
  for (const flaw of flaws) {
    const key = `${flaw.code.split('.')[0]} ${flaw.pointer}`;
    if (!once.has(key)) once.set(key, flaw);
  }
  return [...once.values()];
}

const mostCharacters = 200;

/** Formats a value for a finding: masked, as JSON, and shortened. */
export function displayValue(pointer: string, value: unknown): string {
  if (value === undefined) return 'nothing';
  // Pages have credentials in addresses: the session in a path, and the target of a redirect.
  if (pointer === '/location' || pointer === '/url') return cut(JSON.stringify(maskUrl(String(value))));
  return cut(maskedText(pointer === '/session' || pointer === '/entry' ? '/token' : pointer, value));
}

/** Shortens and escapes another party's text, so that it is safe everywhere, including on a terminal and in XML. */
export function cut(text: string, most = mostCharacters): string {
  const short = text.length <= most ? text : `${text.slice(0, most)}...`;
  return printable(short.toWellFormed().replaceAll(noCharacters, '\ufffd'));
}

/** Unicode noncharacters, which XML does not allow. */
const noCharacters = /[\ufffe\uffff]/g;
