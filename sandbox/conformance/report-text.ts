import { styleText } from 'node:util';
import { idsOf, isStated } from '../contract/basis.ts';
import { printable } from '../runtime/terminal.ts';
import { answerWords } from './answers.ts';
import { callWords, type Finding } from './finding.ts';
import type { Report } from './finding-collector.ts';
import { ruleWords, statementWords } from './statements/statements.ts';

type Paint = (style: 'red' | 'yellow' | 'green' | 'cyan' | 'dim', text: string) => string;

const colours = { error: 'red', warning: 'yellow', notice: 'cyan' } as const;

/** Writes a report for people, with one block per finding followed by the totals. `colour` adds terminal colours. */
export function textReport(report: Report, colour: boolean): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const { exchanges, totals, coverage, findings } = report;
  const lines = (...texts: readonly (string | undefined)[]) =>
    `${texts.filter((text) => text !== undefined).join('\n')}\n`;
  const nothing = nothingWords(report);
  const unmatched = unmatchedWords(report);
  const last = unmatched === undefined ? undefined : paint('yellow', printable(unmatched));
  const blocks = findings.map((found) => block(found, paint));
  if (nothing !== undefined) return lines(...blocks, paint('red', nothing), last);
  const rest = totals.not_kept > 0 ? [`and ${totals.not_kept} more not listed`] : [];
  const skipped = [
    exchanges.unreadable > 0 ? `${count(exchanges.unreadable, 'entry', 'entries')} without a call` : '',
    totals.notices > 0 ? count(totals.notices, 'notice') : '',
  ].filter((text) => text !== '');
  const covered = `Coverage: ${coverage.percent} % (${coverage.covered} of ${coverage.documented} documented requests and successes).`;
  const statements = statementWords(report.statements);
  const gaps = captureGapsText(report);
  const opinions = opinionWords(report);
  const incomplete = gaps === undefined ? undefined : paint('yellow', gaps);
  const summary = [verdict(report, paint), ...skipped].join(' ');
  return lines(...blocks, ...rest, summary, incomplete, opinions, covered, statements, last);
}

/** Summarizes the findings in one sentence. Only a complete capture without findings is clean. */
function verdict(report: Report, paint: Paint): string {
  const { errors, warnings } = report.totals;
  const checked = count(report.exchanges.checked, 'exchange');
  const found = `${count(errors, 'error')} and ${count(warnings, 'warning')} in ${checked}.`;
  if (errors + warnings > 0) return paint(errors > 0 ? 'red' : 'yellow', found);
  if (captureGapsText(report) !== undefined) return paint('yellow', `No findings in the captured parts of ${checked}.`);
  if (report.exchanges.outside > 0) return paint('yellow', `No findings in ${checked}.`);
  return paint('green', `Clean: ${checked} checked.`);
}

function block(found: Finding, paint: Paint): string {
  const { severity, party, hosted_by, code, operation, api, pointer, times, contract } = found;
  const blamed = party === 'host' && hosted_by !== 'nobody' ? `host (${hosted_by})` : party;
  const head = paint(colours[severity], `${severity} ${code}`);
  const repeated = times > 1 ? `, ${times} times` : '';
  const trace = found.trace === null ? '' : `, trace ${found.trace}`;
  return [
    `${head}${severity === 'notice' ? '' : `  at fault: ${blamed}`}${repeated}`,
    printable(`  ${callWords(found)}  (${operation ?? 'no operation'} of ${api}${trace})`),
    printable(`  ${pointer}: ${found.expected}; found ${found.actual}`),
    paint('dim', printable(`  ${contract.file}:${contract.line}, ${foundBy(found)}`)),
    '',
  ].join('\n');
}

/** Describes the basis of a finding. `answered` is the answer to its open point. */
export function restsOn({
  basis,
  source,
  answered,
}: Pick<Finding, 'basis' | 'source'> & { answered?: string | undefined }): string {
  const ids = idsOf(basis).join(', ');
  const rests = isStated(basis)
    ? `stated by the interface (${ids})`
    : `${answered ?? 'assumed by this sandbox'} (${ids})`;
  return source === undefined ? rests : `${rests}; found by Prism only`;
}

function foundBy({ answer, ...found }: Finding): string {
  return restsOn({ ...found, ...(answer && { answered: answerWords(answer) }) });
}

/** Formats a finding as one line. */
export function findingLine(found: Finding): string {
  const { severity, code, method, url, pointer, expected, actual, party } = found;
  const what = `${method} ${url}: ${pointer} ${expected}, found ${actual}`;
  const blamed = severity === 'notice' ? '' : `at fault: ${party}; `;
  return printable(`${severity} ${code} ${what} (${blamed}${foundBy(found)})`);
}

const places: Readonly<Record<string, string>> = {
  body: 'a value in the body',
  query: 'a query parameter',
  path: 'a parameter in the path',
  header: 'a header',
};

const keywords: Readonly<Record<string, string>> = {
  type: 'does not have the type in the contract',
  required: 'is missing, but required',
  enum: 'is not one of the values in the contract',
  const: 'is not the value in the contract',
  pattern: 'does not have the format in the contract',
  format: 'does not have the format in the contract',
  minLength: 'is shorter than the contract allows',
  maxLength: 'is longer than the contract allows',
  minimum: 'is smaller than the contract allows',
  maximum: 'is greater than the contract allows',
  minItems: 'has fewer items than the contract requires',
  maxItems: 'has more items than the contract allows',
  additionalProperties: 'is not part of the contract',
  unevaluatedProperties: 'is not part of the contract',
};

const others: Readonly<Record<string, string>> = {
  'url.undocumented': 'the path is in no contract, but nearly the path of one',
  'url.outside': 'the path is not part of this interface',
  'url.malformed': 'the path is not valid percent-encoded UTF-8',
  'method.undocumented': 'the path is in a contract, but not with this method',
  'credential.missing': 'the required credential is missing',
  'credential.scheme': 'the credential does not use the scheme in the contract',
  'media-type.undocumented': 'the content type is not in the contract',
  'status.undocumented': 'the status is not in the contract',
  'body.missing': 'the required body is missing',
  'body.undocumented': 'there is a body that is not in the contract',
  'body.malformed': 'the body is not JSON',
  'body.undecodable': 'the body is not in the encoding named in its headers',
  'body.too-deep': 'the JSON of the body is nested too deeply',
  'body.other-customer': 'the data belongs to another customer than requested',
  'body.unchecked': 'the body could not be checked',
};

/** Returns what a finding code means, and what to do about it. */
export function wordsOf(code: string): { readonly what: string; readonly help: string } {
  const [direction = '', part = '', keyword = ''] = code.split('.');
  const words = others[`${part}.${keyword}`] ?? ruleWords(keyword);
  const wrong =
    words ?? `${places[part] ?? part} ${keywords[keyword] ?? `violates the rule ${keyword} of the contract`}`;
  const message = direction === 'request' ? 'request' : 'response';
  const who = direction === 'request' ? 'sent the request' : 'sent the response';
  return {
    what: `In a ${message}, ${wrong}.`,
    help: [
      `In a ${message}, ${wrong}. The fault is with the party that ${who}.`,
      'The result shows the line of the contract, the location in the message, and the expected and actual values.',
      'An error violates the interface as specified: fix the message.',
      'A warning violates an assumption of this sandbox (an OP id in docs/register.yaml). Production may accept the message, so ask before you change it.',
    ].join(' '),
  };
}

/** Describes the capture gaps. Returns `undefined` if there are none. */
export function captureGapsText({ incomplete }: Report): string | undefined {
  const { messages, bodies, headers, credentials, replies } = incomplete;
  if (messages === 0) return undefined;
  const parts = [
    bodies > 0 ? `the body of ${bodies}` : '',
    headers > 0 ? `the headers of ${headers}` : '',
    credentials > 0 ? `the credential of ${credentials}` : '',
    replies > 0 ? `the response to ${replies}` : '',
  ].filter((part) => part !== '');
  const what = `parts of ${count(messages, 'message')} are missing (${parts.join(', ')})`;
  return `The capture is incomplete: ${what}. Missing parts were not checked and are not findings.`;
}

/** Explains why nothing was checked. Returns `undefined` if something was. */
export function nothingWords({ exchanges, source }: Report): string | undefined {
  const { checked, outside, unreadable } = exchanges;
  if (checked > 0) return undefined;
  if (source === 'proxy') return 'Nothing was checked: the proxy forwarded no call that a contract describes.';
  if (outside > 0) return `Nothing was checked: the capture has ${count(outside, 'call')}, and no contract matches.`;
  if (unreadable > 0)
    return `Nothing was checked: the capture has ${count(unreadable, 'entry', 'entries')}, but no call.`;
  return 'Nothing was checked: the capture contains no calls. Check that recording was on, or use another file.';
}

/** Lists the addresses of unchecked calls, with the flag that includes them. Returns `undefined` if every call was checked. */
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

/** Maximum number of addresses listed in one line. */
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

/** Formats a number with its noun, in the singular or plural. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Describes how often Prism and the validator disagree. Returns `undefined` if Prism was not used, or agrees. */
function opinionWords({ second_opinion: second }: Pick<Report, 'second_opinion'>): string | undefined {
  if (second === null || second.prism_only + second.validator_only === 0) return undefined;
  const { exchanges, prism_only, validator_only } = second;
  return `Prism and the validator disagree. Of ${count(exchanges, 'exchange')}: ${prism_only} with findings from Prism only (source: prism), ${validator_only} with findings from the validator only.`;
}
