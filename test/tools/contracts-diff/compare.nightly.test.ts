/** Tests that each change of a contract is found once, with its rating (OP-40, OP-58). */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Node } from '../../../sandbox/contract/document.ts';
import type { Change } from '../../../tools/contracts-diff/change.ts';
import { compare, wholeContract } from '../../../tools/contracts-diff/compare.ts';
import { contract, done, hosted, type Operation, object, reply, request, schemes, text } from './contracts.ts';
import { corpus, same } from './corpus.ts';

const nowhere = () => ({ file: 'openapi/small.yaml', line: 1 });
const changesOf = (before: Node, after: Node) => compare('small', before, after, nowhere);

/** Builds one contract with an operation for each case. */
function contractOfCases(operations: readonly Operation[]): Node {
  return contract(Object.fromEntries(operations.map((operation, index) => [`case${index}`, operation])));
}

/** Returns the name of each case with the ratings of the changes found in its operation. */
function ratingsOf(changes: readonly Change[], names: readonly string[]): string[] {
  return names.map((name, index) => {
    const matching = changes.filter(({ operations }) => operations.includes(`case${index}`));
    return `${name}: ${matching.map(({ rating }) => rating).join(', ') || 'nothing'}`;
  });
}

describe('OP-58: the corpus', () => {
  const names = corpus.map(({ name }) => name);
  let changes: Change[];
  let reverseChanges: Change[];

  beforeAll(() => {
    const [before, after] = [
      contractOfCases(corpus.map((one) => one.before)),
      contractOfCases(corpus.map((one) => one.after)),
    ];
    changes = changesOf(before, after);
    reverseChanges = changesOf(after, before);
  });

  it('each change is found once, with its rating', () => {
    expect(corpus.length).toBeGreaterThan(100);
    expect(ratingsOf(changes, names)).toEqual(corpus.map(({ name, rating }) => `${name}: ${rating}`));
  });

  it('each reverse change is found once, with its rating', () => {
    expect(ratingsOf(reverseChanges, names)).toEqual(corpus.map(({ name, reverse }) => `${name}: ${reverse}`));
  });

  it('every breaking change says what to do, and no other does', () => {
    for (const change of [...changes, ...reverseChanges])
      expect({ ...change, says: change.must !== undefined }).toMatchObject({ says: change.rating === 'breaking' });
  });

  it('equivalent contracts have no change', () => {
    const [one, other] = [
      contractOfCases(same.map(([, operation]) => operation)),
      contractOfCases(same.map(([, , operation]) => operation)),
    ];
    const ratings = ratingsOf(
      changesOf(one, other),
      same.map(([name]) => name),
    );
    expect(ratings).toEqual(same.map(([name]) => `${name}: nothing`));
  });
});

describe('the contract as a whole', () => {
  const inPath = (name: string) => ({
    get: { operationId: 'inPath', parameters: [{ name, in: 'path', required: true, schema: text }], responses: done },
  });
  const before = contract(
    { keeps: request(text), goes: { ...reply(text), security: [{ key: [] }] }, moves: request(text) },
    { info: { title: 'Small', version: '1.0.0' } },
  );
  const after = contract(
    {
      keeps: request(text),
      comes: { ...request(object({ other: text })), tags: ['New'] },
      callback: hosted(reply(text)),
    },
    {
      info: { title: 'New', version: '2.0.0' },
      components: {
        securitySchemes: { ...schemes, token: { type: 'http', scheme: 'basic' } },
        schemas: { Unused: text },
      },
    },
  );
  Object.assign(before.paths as object, { '/in/{one}': inPath('one') });
  Object.assign(after.paths as object, { '/in/{two}': inPath('two'), '/moved': (before.paths as Node)['/moves'] });
  const summarize = (changes: readonly Change[]) =>
    changes.map(({ rating, sentence, operations }) => `${rating}: ${sentence} ${operations}`).sort();

  it('reports added, removed and moved operations, a credential, a name in a path and a title, but neither the version nor unused parts', () => {
    expect(summarize(changesOf(before, after))).toEqual([
      'additive: Operation `POST /comes` was added. comes',
      'breaking: Operation `POST /callback` was added, and the client hosts it. callback',
      'breaking: Operation `POST /goes` was removed. goes',
      'breaking: Operation `POST /moves` moved to `POST /moved`. moves',
      "breaking: `scheme` of security scheme `token` changed from 'bearer' to 'basic'. keeps,comes,callback,inPath,moves",
      'documentation: `name` of parameter `two` changed. inPath',
      'documentation: `name` of path `/in/{two}` changed. inPath',
      'documentation: `title` of the contract changed. ',
    ]);
  });

  it('reports the reverse changes', () => {
    expect(summarize(changesOf(after, before))).toEqual([
      'additive: Operation `POST /goes` was added. goes',
      'breaking: Operation `POST /callback` was removed. callback',
      'breaking: Operation `POST /comes` was removed. comes',
      'breaking: Operation `POST /moved` moved to `POST /moves`. moves',
      "breaking: `scheme` of security scheme `token` changed from 'basic' to 'bearer'. keeps,moves,inPath",
      'documentation: `name` of parameter `one` changed. inPath',
      'documentation: `name` of path `/in/{one}` changed. inPath',
      'documentation: `title` of the contract changed. ',
    ]);
  });

  it('a new contract, and a removed one', () => {
    const file = 'openapi/small.yaml';
    const whole = { contract: 'small', operations: ['keeps', 'goes', 'moves', 'inPath'], pointer: '', file, line: 1 };
    expect([wholeContract('small', 'added', before, file), wholeContract('small', 'removed', before, file)]).toEqual([
      { ...whole, rating: 'additive', sentence: 'The contract is new.' },
      { ...whole, rating: 'breaking', sentence: 'The contract was removed.', must: 'Do without it.' },
    ]);
  });
});

describe('parts that several operations share', () => {
  const withRefusal = (status: number) => ({ responses: { ...done, [status]: { description: 'No.' } } });
  const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const contractWith = (length: object, values: readonly string[], event: readonly string[], status: number) =>
    contract(
      {
        a: request(to('Length')),
        b: reply(object({ part: to('Length') })),
        c: { ...request(to('Values')), ...reply(to('Values')) },
        d: withRefusal(status),
        e: withRefusal(status),
      },
      {
        components: {
          securitySchemes: schemes,
          schemas: { Length: { ...text, ...length }, Values: { enum: values }, Event: { enum: event } },
        },
        webhooks: { changed: { post: { operationId: 'changed', ...request(to('Event')) } } },
      },
    );
  const [less, more] = [
    contractWith({}, ['a'], ['x'], 409),
    contractWith({ maxLength: 5 }, ['a', 'b'], ['x', 'y'], 422),
  ];
  const location = { contract: 'small', file: 'openapi/small.yaml', line: 1 };
  const schema = (name: string) => ({ ...location, pointer: `/components/schemas/${name}/enum` });

  it('each is reported once, with all operations and its own pointer; a part that is sent and read breaks if either breaks', () => {
    expect(changesOf(less, more)).toEqual([
      {
        ...location,
        rating: 'breaking',
        sentence: "`maxLength` of `Length` was set to '5'.",
        must: 'Keep what you send within it. Expect what it allows now.',
        operations: ['a', 'b'],
        pointer: '/components/schemas/Length/maxLength',
        after: 5,
      },
      {
        ...schema('Values'),
        rating: 'breaking',
        sentence: "Enum of `Values` gained values: 'b'.",
        must: 'Handle them.',
        operations: ['c'],
        before: ['a'],
        after: ['a', 'b'],
      },
      {
        ...location,
        rating: 'breaking',
        sentence: 'Response `409` was removed.',
        must: 'Do not wait for it.',
        operations: ['d', 'e'],
        pointer: '/paths/~1d/post/responses/409',
      },
      {
        ...schema('Event'),
        rating: 'breaking',
        sentence: "Enum of `Event` gained values: 'y'.",
        must: 'Handle them.',
        operations: ['changed'],
        before: ['x'],
        after: ['x', 'y'],
      },
      {
        ...location,
        rating: 'additive',
        sentence: 'Reply `422` was added.',
        operations: ['d', 'e'],
        pointer: '/paths/~1d/post/responses/422',
      },
    ]);
  });

  it('the reverse: a partner may receive less in a webhook', () => {
    expect(changesOf(more, less).map(({ rating, pointer }) => `${rating} ${pointer}`)).toEqual([
      'breaking /components/schemas/Length',
      'breaking /components/schemas/Values/enum',
      'breaking /paths/~1d/post/responses/422',
      'additive /paths/~1d/post/responses/409',
      'additive /components/schemas/Event/enum',
    ]);
  });
});

describe("this project's own contracts", () => {
  // One contract with webhooks, one whose operations the client hosts, and the largest one.
  it.each(['rewards', 'client', 'sandbox'])('%s: against itself, there is no change', (name) => {
    const bundle = JSON.parse(readFileSync(new URL(`../../../generated/${name}/bundle.json`, import.meta.url), 'utf8'));
    // Change the version, because identical contracts are not compared at all.
    expect(changesOf(bundle, { ...bundle, info: { ...bundle.info, version: '9.9.9' } })).toEqual([]);
  });
});
