/** Captures in which one value is not what anybody expects there (OP-90): no place of an entry ends the check. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { checkCapture } from '../../sandbox/conformance/capture.ts';
import { entry } from '../harness/captures.ts';
import { example } from '../harness/exchanges.ts';
import { sharedChecker } from '../harness/proxy.ts';

const mark = '@odd@';
/** Neither of the first two can be made a text: the one is too deep for it, the other has a field where its method was. */
const odd = [
  '['.repeat(6000).concat(']'.repeat(6000)),
  '{"toString":1,"valueOf":1}',
  'null',
  '-1.5',
  '"\\u0000"',
  '{}',
];

/** A value as often as it has places, each time with the mark at another one. */
function* spoilt(value: unknown): Generator<unknown> {
  yield mark;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, field] of Object.entries(value)) {
    for (const below of spoilt(field)) {
      yield Array.isArray(value) ? Object.assign([...value], { [name]: below }) : { ...value, [name]: below };
    }
  }
}

/** The entries as JSON, each with one odd value. */
function texts(entries: readonly unknown[]): string[] {
  const places = entries.flatMap((one) => [...spoilt(one)].map((made) => JSON.stringify(made)));
  return places.flatMap((text) => odd.map((value) => text.replace(`"${mark}"`, () => value)));
}

async function told(capture: string): Promise<number> {
  const options = { version: '0.0.0', addresses: {} };
  const { exchanges } = (await checkCapture(Readable.from([capture]), sharedChecker(), options)).report;
  return exchanges.checked + exchanges.outside + exchanges.unreadable;
}

const recorded = (file: string) => readFileSync(new URL(`recorded/${file}`, import.meta.url), 'utf8');
const lines = (file: string) => recorded(file).trimEnd().split('\n');

it('a HAR: each entry is checked, or told to be something else', async () => {
  const signIn = entry(example('listRewards', 200));
  const postData = {
    mimeType: 'application/x-www-form-urlencoded',
    params: [{ name: 'secret', value: 'x' }],
  };
  const form = { ...signIn.request, queryString: [{ name: 'a', value: 'b' }], postData };
  const made = texts([entry(example('creditPoints', 200)), { ...signIn, request: form }]);
  expect(await told(`{"log":{"entries":[${made.join()}]}}`)).toBe(made.length);
});

it('an export of newman: each entry is checked, or told to be something else', async () => {
  const [, execution = ''] = lines('newman.json').filter((line) => line.includes('"request":'));
  const { request, response } = JSON.parse(execution.replace(/,$/, ''));
  const { data } = response.stream;
  const small = { ...response, stream: { ...response.stream, data: data.slice(0, 3) } };
  const fields = [{ key: 'a', value: 'b' }];
  const asked = {
    ...request,
    url: { ...request.url, query: fields },
    body: { mode: 'urlencoded', urlencoded: fields },
  };
  const made = texts([{ request: asked, response: small }]);
  expect(await told(`{"run":{"executions":[${made.join()}]}}`)).toBe(made.length);
});

it('JSON of k6: no line ends it', async () => {
  const [call = ''] = lines('k6.json').filter((line) => line.includes('"metric":"http_reqs","type":"Point"'));
  const made = texts([JSON.parse(call)]).filter((line) => line.startsWith('{"metric":"http_reqs"'));
  expect(await told([call, ...made].join('\n'))).toBeGreaterThan(made.length / 2);
});

it('an export of the activity log: each entry is checked, or told to be something else', async () => {
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
  // Each with a trace of its own, so that none is taken for another's other side.
  const made = texts([call]).map((text, at) => (text.startsWith('{"') ? text.replace('{', `{"trace":"${at}",`) : text));
  expect(await told(`{"items":[${made.join()}]}`)).toBe(made.length);
});
