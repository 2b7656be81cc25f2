import type { components } from '../../generated/proxy/types.ts';
import { maskedText, maskUrl } from '../activity-log/masking.ts';
import { type Weight, weightOf } from '../contract/basis.ts';
import { printable } from '../runtime/terminal.ts';
import type { CheckedContract, CheckedOperation } from './contracts.ts';
import { type Exchange, header } from './exchange.ts';

/** A finding as reports carry it (OP-90). */
export type Finding = components['schemas']['Finding'];

/** Whether a finding fails what it was found in, where everything of this weight and above is to. */
export function fails({ severity }: Pick<Finding, 'severity'>, on: Weight = 'error'): boolean {
  return severity === 'error' || severity === on;
}

/** A call with its answer, such as `POST /creditPoints -> 422`. */
export function callWords({ method, url, status }: Pick<Finding, 'method' | 'url' | 'status'>): string {
  return `${method} ${url}${status === null ? '' : ` -> ${status}`}`;
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
    method: cut(exchange.method),
    url: cut(maskUrl(exchange.url), mostPlaceCharacters),
    status: exchange.reply?.status ?? null,
    contract: place.contract.lines.at(rule),
    trace: traceOf(exchange),
    times: 1,
  };
}

/** Whether a flaw says only that something was not checked. */
export function isNotice({ code }: Flaw): boolean {
  return code === 'body.unchecked' || code === 'url.outside';
}

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-/;

/** The trace of an exchange: the host's word first, else the caller's. */
export function traceOf({ trace, reply, request }: Pick<Exchange, 'trace' | 'reply' | 'request'>): string | null {
  const returned = header(reply?.headers, 'x-trace-id');
  const id = trace ?? returned ?? traceparent.exec(header(request.headers, 'traceparent') ?? '')?.[1];
  return id === undefined ? null : cut(id);
}

/** One thing in a message that is not as the contract says, before it is put into words for people. */
export interface Flaw {
  /** The part of the message and the rule: with the direction before it, the finding's stable code. */
  readonly code: `${MessagePart}.${string}`;
  /** JSON pointer into the message, such as `/body/points/balance`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer of the rule in the bundle. */
  readonly rule: string;
  /** Whether a capture had asterisks there in place of what was sent. */
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

/** Each place of a part of a message once: what was said of it first. */
export function onePerPlace(flaws: readonly Flaw[]): readonly Flaw[] {
  const once = new Map<string, Flaw>();
  for (const flaw of flaws) {
    const key = `${flaw.code.split('.')[0]} ${flaw.pointer}`;
    if (!once.has(key)) once.set(key, flaw);
  }
  return [...once.values()];
}

const mostCharacters = 200;

/** What stood at a place, as a finding shows it: masked, as JSON, cut. */
export function displayValue(pointer: string, value: unknown): string {
  return value === undefined ? 'nothing' : cut(masked(pointer, value));
}

/** Pages carry their credentials in addresses: the session in a path, and where a redirect goes. */
function masked(pointer: string, value: unknown): string {
  if (pointer === '/location' || pointer === '/url') return JSON.stringify(maskUrl(String(value)));
  return maskedText(pointer === '/session' || pointer === '/entry' ? '/token' : pointer, value);
}

/** Another party's text, cut and escaped, so that it is safe anywhere, on a terminal and in XML too. */
export function cut(text: string, most = mostCharacters): string {
  const short = text.length <= most ? text : `${text.slice(0, most)}...`;
  return printable(short.toWellFormed().replaceAll(noCharacters, '\ufffd'));
}

/** What Unicode calls no characters, and XML has no place for. */
const noCharacters = /[\ufffe\uffff]/g;
