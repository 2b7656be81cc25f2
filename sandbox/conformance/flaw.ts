import { maskedText, maskUrl } from '../activity-log/masking.ts';
import { printable } from '../runtime/terminal.ts';

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

/** A text of somebody else's as it can be shown anywhere, on a terminal and in XML too: cut, with escapes. */
export function cut(text: string, most = mostCharacters): string {
  const short = text.length <= most ? text : `${text.slice(0, most)}...`;
  return printable(short.toWellFormed().replaceAll(noCharacters, '\ufffd'));
}

/** What Unicode calls no characters, and XML has no place for. */
const noCharacters = /[\ufffe\uffff]/g;
