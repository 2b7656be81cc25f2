/** Tests that ambiguous messages are not forwarded, even if another Node version's parser accepts them (OP-88). */
import { describe, expect, test } from 'vitest';
import { replyProblem, requestProblem } from '../../sandbox/proxy/framing.ts';

const request = (...more: readonly string[]) => ({
  method: 'POST',
  url: '/rewards/v1/company/auth',
  httpVersion: '1.1',
  rawHeaders: ['Host', 'localhost', ...more],
});
const reply = (...rawHeaders: readonly string[]) => ({
  statusCode: 200,
  statusMessage: 'OK',
  httpVersion: '1.1',
  rawHeaders: [...rawHeaders],
});

const unclear: readonly [what: string, headers: readonly string[], problem: string][] = [
  [
    'a length and chunks',
    ['Content-Length', '5', 'Transfer-Encoding', 'chunked'],
    'The message has both Content-Length and Transfer-Encoding.',
  ],
  ['a length that is not a number', ['Content-Length', '+5'], 'The Content-Length is not a number.'],
  ['another coding', ['Transfer-Encoding', 'gzip, chunked'], 'The Transfer-Encoding must be chunked.'],
];

describe('OP-88: a request or reply with', () => {
  test.each(unclear)('%s has no clear end', (_, headers, problem) => {
    expect(requestProblem(request(...headers))).toBe(problem);
    expect(replyProblem(reply(...headers))).toBe(`its framing is ambiguous: ${problem}`);
  });

  test.each(['Host', 'Origin', 'Sec-Fetch-Site', 'Content-Length', 'Transfer-Encoding'])(
    'two %s headers is ambiguous',
    (name) => {
      const twice = request(...(name === 'Host' ? [] : [name, '1']), name.toUpperCase(), '1');
      expect(requestProblem(twice)).toBe(`The request has more than one ${name.toLowerCase()} header.`);
    },
  );

  test.each([['Content-Length', '5'], ['Transfer-Encoding', 'Chunked'], []])('%s %s is forwarded', (...headers) => {
    expect(requestProblem(request(...headers))).toBeUndefined();
    expect(replyProblem(reply(...headers))).toBeUndefined();
  });
});
