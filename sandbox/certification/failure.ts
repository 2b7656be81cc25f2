/** Builds the report entries of failed requirements. Their calls contain no secrets and can be pasted into a shell. */

import type { components } from '../../generated/sandbox/types.ts';
import { maskUrl } from '../activity-log/masking.ts';
import type { CheckedOperation, ContractSet } from '../conformance/contracts.ts';
import type { HeaderList } from '../conformance/exchange.ts';
import { idsOf, isStated } from '../contract/basis.ts';
import { escapePointer } from '../contract/document.ts';
import type { Answer } from './answer.ts';
import type { Requirement } from './requirement.ts';
import type { Evidence, Failure } from './verdict.ts';

/** Maximum number of calls in a failure. */
const mostExchanges = 6;

/** Builds the failure of a requirement from its evidence. Replaces secrets with variables. */
export function failure(
  requirement: Requirement,
  seen: Evidence,
  contracts: ContractSet,
  { clientUrl, secrets }: { readonly clientUrl: string; readonly secrets: Secrets },
): Failure {
  const hide = (text: string) => secrets.hide(text);
  return {
    requirement: requirement.id,
    message: hide(seen.message),
    pointer: seen.pointer,
    expected: hide(seen.expected),
    actual: hide(seen.actual),
    statement: requirement.basis,
    docs: docsOf(requirement.basis),
    contract: seen.finding?.contract ?? contractPlaceOf(requirement, seen, contracts),
    change: hide(seen.change ?? requirement.change),
    breaks: [],
    again: `--only ${requirement.id}`,
    exchanges: seen.answers.slice(-mostExchanges).map((answer) => reportedExchange(answer, clientUrl, secrets)),
  };
}

/** Returns the documentation page of a basis, relative to the address of the documentation. */
function docsOf(basis: string): string {
  const [id = ''] = idsOf(basis);
  return isStated(basis) ? `interface#${id.toLowerCase()}` : `open-points#${id.toLowerCase()}`;
}

/**
 * Returns the contract location for a requirement: its operation, the operation of the deciding call, or the top of the
 * contract.
 */
function contractPlaceOf(
  { operation: operationId, group }: Requirement,
  { answers }: Evidence,
  contracts: ContractSet,
): Failure['contract'] {
  const operations = group === 'calling' ? [...contracts.rewards, ...contracts.webhook] : contracts.client;
  const { method, path = '' } = answers.at(-1)?.call ?? {};
  const isSent = (operation: CheckedOperation) => operation.method === method && operation.path === path.split('?')[0];
  const found = operations.find((operation) => operation.operationId === operationId) ?? operations.find(isSent);
  const operation = found ?? operations[0];
  if (operation === undefined) throw new Error('the server has no contract');
  const place = `/paths/${escapePointer(operation.path)}/${operation.method.toLowerCase()}`;
  return operation.contract.lines.at(found === undefined ? '/info' : place);
}

type Exchange = components['schemas']['CertificationExchange'];

/** Maximum number of header fields of a message in a report. */
const mostHeaders = 50;
/** Maximum length of a string in a report, in characters. */
const mostCharacters = 4096;

/** A segment of text: literal text, or the name of the variable that replaces a secret. */
type Piece = { readonly literal: string } | { readonly variable: string };

/** The secrets of a run, and the variables that replace them in reports. */
export class Secrets {
  readonly #variables = new Map<string, string>();

  /** Registers a secret and its variable. Ignores a secret that is too short to distinguish from other text. */
  add(secret: string | undefined, variable: string): void {
    if (secret !== undefined && secret.length >= 4) this.#variables.set(secret, variable);
  }

  /** Returns the text with secrets replaced by variables. */
  hide(text: string): string {
    return plain(this.split(text));
  }

  /** Splits text into literals and variables. Replaces longer secrets first, because one secret may contain another. */
  split(text: string): readonly Piece[] {
    const longestFirst = [...this.#variables].toSorted(([one], [other]) => other.length - one.length);
    let pieces: readonly Piece[] = [{ literal: text }];
    for (const [secret, variable] of longestFirst) {
      pieces = pieces.flatMap((piece): readonly Piece[] => {
        if ('variable' in piece) return [piece];
        const [first = '', ...others] = piece.literal.split(secret);
        return [{ literal: first }, ...others.flatMap((literal) => [{ variable }, { literal }])];
      });
    }
    return pieces;
  }
}

/** Builds the report entry of a call and its result. */
export function reportedExchange(answer: Answer, clientUrl: string, secrets: Secrets): Exchange {
  const { call, status, headers, body, problem, detail } = answer;
  const shortened = (text: string) => cut(secrets.split(text));
  const hide = (text: string) => plain(shortened(text));
  const hideHeaders = (list: HeaderList) =>
    list.slice(0, mostHeaders).map(([name, value]) => [name, hide(value)]) as Exchange['request_headers'];
  const sent = call.body?.toString('utf8');
  const url = secrets.split(`${(call.base ?? clientUrl).replace(/\/$/, '')}${maskUrl(call.path)}`);
  return {
    curl: [
      `curl -i ${call.method === 'HEAD' ? '-I' : `-X ${call.method}`} ${quoted(url)}`,
      ...call.headers.slice(0, mostHeaders).map(([name, value]) => `-H ${quoted(shortened(`${name}: ${value}`))}`),
      ...(sent === undefined ? [] : [`--data-raw ${quoted(shortened(sent))}`]),
    ].join(betweenArguments),
    method: call.method,
    url: plain(url),
    request_headers: hideHeaders(call.headers),
    request_body: sent === undefined ? null : hide(sent),
    status: status ?? null,
    reply_headers: hideHeaders(headers),
    reply_body: status === undefined ? null : hide(body.toString('utf8')),
    problem: problem === undefined ? null : `${problem}: ${detail ?? ''}`,
  };
}

/** The separator between curl arguments: a line continuation. */
const betweenArguments = ' \\\n  ';

/** Splits a curl command into lines, one per argument. */
export function argumentLines(curl: string): readonly string[] {
  return curl.split(/ \\\n {2}(?=-H |--data-raw )/);
}

/** Quotes text for a shell: variables in double quotes, and other text in single quotes, to prevent expansion. */
function quoted(pieces: readonly Piece[]): string {
  const words = pieces.map((piece) => {
    if ('variable' in piece) return `"$${piece.variable}"`;
    return piece.literal === '' ? '' : `'${piece.literal.replaceAll("'", "'\\''")}'`;
  });
  return words.join('') || "''";
}

function plain(pieces: readonly Piece[]): string {
  return pieces.map((piece) => ('literal' in piece ? piece.literal : `$${piece.variable}`)).join('');
}

/** Truncates text to the maximum length, without splitting a variable. */
function cut(pieces: readonly Piece[]): readonly Piece[] {
  let left = mostCharacters;
  const fitting: Piece[] = [];
  for (const piece of pieces) {
    const { length } = plain([piece]);
    if (length > left) return [...fitting, { literal: `${'literal' in piece ? piece.literal.slice(0, left) : ''}...` }];
    left -= length;
    fitting.push(piece);
  }
  return fitting;
}
