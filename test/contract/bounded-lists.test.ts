/** Validation of a long list of invalid items ends early, but still finds issues outside the list. */
import { expect, it } from 'vitest';
import { Schemas } from '../../sandbox/contract/schemas.ts';

const item = { type: 'object', required: ['sku'], properties: { tags: { type: 'array', items: { type: 'string' } } } };
const lists = { type: 'array', items: { $ref: '#/components/schemas/Item' } };
const codes = { type: 'array', items: { type: 'integer' } };
const order = {
  type: 'object',
  required: ['uid'],
  properties: { lines: lists, either: { oneOf: [lists, codes] }, count: { type: 'integer' } },
};
const bundle = { openapi: '3.1.0', components: { schemas: { Item: item, Order: order } } };
const check = new Schemas({ api: 'lists', bundle, operations: [], securitySchemes: [] }).check(
  '/components/schemas/Order',
);
const places = (value: object) => check(value)?.map(({ where, problem }) => `${where} ${problem}`);
const many = <T>(of: T) => Array.from({ length: 5000 }, () => of);

it('the first 20 issues of a long list are those of a short one', () => {
  for (const broken of [{}, 1, { tags: [1, 2, 3] }]) {
    const short = places({ uid: 'A', lines: Array(20).fill(broken) });
    expect([short?.length, places({ uid: 'A', lines: many(broken) })]).toEqual([20, short]);
  }
  const [short, long] = [Array(20).fill(1), many(1)].map((tags) => places({ uid: 'A', lines: [{ tags }, { tags }] }));
  expect([short?.length, long]).toEqual([20, short]);
});

it('a broken item after many valid ones is found', () => {
  expect(places({ uid: 'A', lines: [...many({ sku: 'A' }), {}] })).toEqual(['/lines/5000/sku is required']);
});

it('a list in a union has the issues of the branch that comes closest, and what precedes it keeps its own', () => {
  // In the first branch, validation ends early. In the second, only the last item is invalid.
  expect(places({ lines: [{}], either: [...many(1), 'x'] })).toEqual([
    '/uid is required',
    '/lines/0/sku is required',
    '/either/5000 must be an integer',
  ]);
});

it('issues after a long list are found, as far as there are fewer than 20', () => {
  const lines = [{ sku: 'A', tags: many('x') }, {}];
  expect(places({ uid: 'A', lines, count: 'x' })).toEqual(['/lines/1/sku is required', '/count must be an integer']);
});

it('the validation of a list ends after 201 errors', () => {
  const reached = new Set<number>();
  const lines = many({}).map((_, at) => ({
    get tags() {
      reached.add(at);
      return [];
    },
  }));
  check({ uid: 'A', lines });
  expect(reached.size).toBe(201);
});
