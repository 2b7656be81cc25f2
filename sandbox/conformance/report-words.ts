/** What reports say in words, for people who have not read the contracts. */
import type { Report } from './finding-book.ts';
import { ruleWords } from './statements/statement-words.ts';

const places: Readonly<Record<string, string>> = {
  body: 'a value in the body',
  query: 'a query parameter',
  path: 'a parameter in the path',
  header: 'a header',
};

const keywords: Readonly<Record<string, string>> = {
  type: 'is not of the type that the contract gives it',
  required: 'is not there, and must be',
  enum: 'is none of the values that the contract lists',
  const: 'is not the one value that the contract gives',
  pattern: 'has not the form that the contract gives',
  format: 'has not the form that the contract gives',
  minLength: 'is shorter than the contract allows',
  maxLength: 'is longer than the contract allows',
  minimum: 'is smaller than the contract allows',
  maximum: 'is greater than the contract allows',
  minItems: 'has fewer items than the contract asks for',
  maxItems: 'has more items than the contract allows',
  additionalProperties: 'is not part of the contract',
  unevaluatedProperties: 'is not part of the contract',
};

const others: Readonly<Record<string, string>> = {
  'url.undocumented': 'the path is in no contract',
  'url.malformed': 'the path cannot be read as percent-encoded UTF-8',
  'method.undocumented': 'the path is in a contract, the method is not',
  'credential.missing': 'no credential came where the contract asks for one',
  'credential.scheme': 'the credential is of another scheme than the contract asks for',
  'media-type.undocumented': 'the content type is not one of the contract',
  'status.undocumented': 'the status is not one of the contract',
  'body.missing': 'there is no body where the contract asks for one',
  'body.undocumented': 'there is a body where the contract has none',
  'body.malformed': 'the body is not JSON',
  'body.undecodable': 'the body is not in the coding that its headers name',
  'body.too-deep': 'the JSON of the body is nested too deep',
  'body.other-customer': 'it is about another customer than was asked for',
  'body.unchecked': 'the body could not be checked',
};

/** What a code says is wrong, and what to do about it. */
export function wordsOf(code: string): { readonly what: string; readonly help: string } {
  const [direction = '', part = '', keyword = ''] = code.split('.');
  const known = others[`${part}.${keyword}`] ?? ruleWords(keyword);
  const wrong = known ?? `${places[part] ?? part} ${keywords[keyword] ?? `breaks the rule ${keyword} of the contract`}`;
  const who = direction === 'request' ? 'who sent the request' : 'who answered it';
  return {
    what: `In a ${direction}, ${wrong}.`,
    help: [
      `In a ${direction}, ${wrong}. At fault is ${who}.`,
      'The result names the line of the contract, the place in the message, what was expected and what was there.',
      'An error breaks what the interface states: correct the message.',
      'A warning breaks an assumption of this sandbox, an OP id of docs/register.yaml: production may take it, so ask before you correct it.',
    ].join(' '),
  };
}

/** What a capture lacks, in words; undefined where it lacks nothing. */
export function lackingWords({ incomplete }: Report): string | undefined {
  const { messages, bodies, headers, credentials, replies } = incomplete;
  if (messages === 0) return undefined;
  const parts = [
    bodies > 0 ? `the body of ${bodies}` : '',
    headers > 0 ? `the headers of ${headers}` : '',
    credentials > 0 ? `the credential of ${credentials}` : '',
    replies > 0 ? `the reply to ${replies}` : '',
  ].filter((part) => part !== '');
  const what = `of ${count(messages, 'message')} something is not in it (${parts.join(', ')})`;
  return `The capture is incomplete: ${what}. What is not in it was not judged, and is nobody's fault.`;
}

/** That nothing was checked, and why; undefined where something was. */
export function nothingWords({ exchanges, source }: Report): string | undefined {
  const { checked, outside, unreadable } = exchanges;
  if (checked > 0) return undefined;
  if (source === 'proxy') return 'Nothing was checked: the proxy passed no call that a contract describes.';
  if (outside > 0) return `Nothing was checked: ${count(outside, 'call')}, and no contract matches.`;
  if (unreadable > 0) return `Nothing was checked: ${count(unreadable, 'entry', 'entries')}, and none holds a call.`;
  return 'Nothing was checked: the capture holds no calls. Check that the recording was on, or name another file.';
}

/** Where calls went that were not checked, with the flag that would have them checked; undefined where there are none. */
export function unmatchedWords({ exchanges, unmatched }: Report): string | undefined {
  const { checked, outside } = exchanges;
  if (outside === 0) return undefined;
  const listed = unmatched.slice(0, mostAddresses);
  const rest = outside - listed.reduce((sum, { calls }) => sum + calls, 0);
  const places = [
    ...listed.map((one) => `${count(one.calls, 'call')} to ${one.address}${flagWords(one)}`),
    ...(rest > 0 ? [`${count(rest, listed.length > 0 ? 'other call' : 'call')}`] : []),
  ];
  const guessed = unmatched.some(({ server }) => server !== null);
  const [first] = unmatched;
  const hint =
    checked === 0 && !guessed && first !== undefined
      ? ` If your client server is among them, add --server client=ADDRESS, such as --server client=${first.address}.`
      : '';
  return `Checked ${checked} of ${count(checked + outside, 'call')}. No contract matches ${places.join(', ')}.${hint}`;
}

/** Most addresses that a line names. */
const mostAddresses = 5;

const serverWords: Readonly<Record<string, string>> = {
  client: 'your client server',
  rewards: 'the rewards platform',
  general: 'the general API',
};

function flagWords({ address, server }: Report['unmatched'][number]): string {
  if (server === null) return '';
  return ` (if that is ${serverWords[server]}, add --server ${server}=${address})`;
}

/** A number with its noun. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Where Prism and the validator disagree; undefined where Prism was not asked, or agrees. */
export function opinionWords({ second_opinion: second }: Pick<Report, 'second_opinion'>): string | undefined {
  if (second === null || second.prism_only + second.validator_only === 0) return undefined;
  const { exchanges, prism_only, validator_only } = second;
  return `Prism disagrees with the validator: of ${count(exchanges, 'exchange')}, ${prism_only} with findings of Prism only (source: prism), ${validator_only} with findings of the validator only.`;
}
