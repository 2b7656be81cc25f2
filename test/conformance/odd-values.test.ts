/** An unexpected value anywhere in a capture entry does not stop the check (OP-90). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { entry } from '../harness/captures.ts';
import { example } from '../harness/exchanges.ts';
import { checkText } from './statements/check.ts';

const mark = '@odd@';
/** The first two cannot be converted to a string. One is too deeply nested, and the other overrides toString with a number. */
const oddValues = [
  '['.repeat(6000).concat(']'.repeat(6000)),
  '{"toString":1,"valueOf":1}',
  'null',
  '-1.5',
  '"\\u0000"',
  '{}',
];

/** Yields copies of a value, each with the mark in a different position. */
function* markedCopies(value: unknown): Generator<unknown> {
  yield mark;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    for (const below of markedCopies(field)) {
      yield Array.isArray(value) ? Object.assign([...value], { [name]: below }) : { ...value, [name]: below };
    }
  }
}

/** Serializes the entries as JSON, each with one unexpected value. */
function texts(entries: readonly unknown[]): string[] {
  const places = entries.flatMap((one) => [...markedCopies(one)].map((copy) => JSON.stringify(copy)));
  return places.flatMap((text) => oddValues.map((value) => text.replace(`"${mark}"`, () => value)));
}

async function countEntries(capture: string): Promise<number> {
  const { exchanges } = await checkText(capture);
  return exchanges.checked + exchanges.outside + exchanges.unreadable;
}

const recorded = (file: string) => readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8');
const lines = (file: string) => recorded(file).trimEnd().split('\n');

it('a HAR: each entry is checked, skipped, or counted as unreadable', async () => {
  const signIn = entry(example('listRewards', 200));
  const postData = {
    mimeType: 'application/x-www-form-urlencoded',
    params: [{ name: 'secret', value: 'x' }],
  };
  const form = { ...signIn.request, queryString: [{ name: 'a', value: 'b' }], postData };
  const entries = texts([entry(example('creditPoints', 200)), { ...signIn, request: form }]);
  expect(await countEntries(`{"log":{"entries":[${entries.join()}]}}`)).toBe(entries.length);
});

it('an export of newman: each entry is checked, skipped, or counted as unreadable', async () => {
  const [, execution = ''] = lines('newman.json').filter((line) => line.includes('"request":'));
  const { request, response } = JSON.parse(execution.replace(/,$/, ''));
  const { data } = response.stream;
  const small = { ...response, stream: { ...response.stream, data: data.slice(0, 3) } };
  const fields = [{ key: 'a', value: 'b' }];
  const formRequest = {
    ...request,
    url: { ...request.url, query: fields },
    body: { mode: 'urlencoded', urlencoded: fields },
  };
  const entries = texts([{ request: formRequest, response: small }]);
  expect(await countEntries(`{"run":{"executions":[${entries.join()}]}}`)).toBe(entries.length);
});

it('JSON of k6: no line stops the check', async () => {
  const [call = ''] = lines('k6.json').filter((line) => line.includes('"metric":"http_reqs","type":"Point"'));
  const entries = texts([JSON.parse(call)]).filter((line) => line.startsWith('{"metric":"http_reqs"'));
  expect(await countEntries([call, ...entries].join('\n'))).toBeGreaterThan(entries.length / 2);
});

it('an export of the activity log: each entry is checked, skipped, or counted as unreadable', async () => {
  const { request, reply } = example('creditPoints', 200);
  const call = {
    kind: 'call_out',
    operation: 'creditPoints',
    method: 'POST',
    url: '/client/v1/points/credit',
    status: 200,
    notices: ['fault x: status'],
    request: { ...(request.body as object), email: 'string of 5 (masked)', token: 'array of 2 (masked)' },
    reply: reply.body,
  };
  // Each entry has a distinct trace, so that no two are paired as the two sides of one call.
  const entries = texts([call]).map((text, at) =>
    text.startsWith('{"') ? text.replace('{', `{"trace":"${at}",`) : text,
  );
  expect(await countEntries(`{"items":[${entries.join()}]}`)).toBe(entries.length);
});
