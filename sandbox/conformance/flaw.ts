import { maskAt, maskUrl } from '../runtime/masking.ts';
import { printable } from '../runtime/terminal.ts';

/** One thing in a message that is not as the contract says, before it is put into words for people. */
export interface Flaw {
  /** The part of the message and the rule: with the direction before it, the finding's stable code. */
  readonly code: `${MessagePart}.${string}`;
  readonly severity: 'error' | 'notice';
  /** JSON pointer into the message, such as `/body/points/balance`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer of the rule in the bundle. */
  readonly rule: string;
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

const mostCharacters = 200;

/** What stood at a place, as a finding shows it: masked, as JSON, cut. */
export function shown(pointer: string, value: unknown): string {
  return value === undefined ? 'nothing' : cut(JSON.stringify(masked(pointer, value)));
}

/** Pages carry their credentials in addresses: the session in a path, and where a redirect goes. */
function masked(pointer: string, value: unknown): unknown {
  if (pointer === '/session' || pointer === '/entry') return '***';
  return pointer === '/location' || pointer === '/url' ? maskUrl(String(value)) : maskAt(pointer, value);
}

/** A text of somebody else's as it can be shown anywhere, on a terminal and in XML too: cut, with escapes. */
export function cut(text: string, most = mostCharacters): string {
  const short = text.length <= most ? text : `${text.slice(0, most)}...`;
  return printable(short.toWellFormed().replaceAll(noCharacters, '\ufffd'));
}

/** What Unicode calls no characters, and XML has no place for. */
const noCharacters = /[\ufffe\uffff]/g;
