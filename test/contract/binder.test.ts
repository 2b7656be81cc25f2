/** Tests APIs that the binder refuses to bind. */
import { describe, expect, test } from 'vitest';
import { partOf } from '../../sandbox/assembly/apis.ts';
import { bind } from '../../sandbox/contract/binder.ts';
import { contract } from '../../sandbox/contract/document.ts';
import { compileSchemas } from '../../sandbox/contract/schemas.ts';
import { type AnyApi, bundle, type Handler, lamp, lamps, makeLamp } from './lamps.ts';

const silent = { violation: () => expect.fail(), error: () => expect.fail() };

test('the binder binds exactly the operations of the contract', () => {
  const operations = bind(lamps({}), silent).map(({ operation }) => operation.operationId);
  expect(operations).toEqual(['getLamp', 'makeLamp']);
});

test.each([
  ['without a handler', { handlers: { getLamp: lamp } }, 'handler missing for makeLamp'],
  [
    'with a surplus handler',
    { handlers: { getLamp: lamp, makeLamp, breakLamp: lamp } },
    'handler without an entry in the contract: breakLamp',
  ],
  ['without an authenticator', { authenticators: [] }, 'authenticator missing for key'],
  [
    'with a surplus authenticator',
    { authenticators: ['key', 'master'] },
    'authenticator without an entry in the contract: master',
  ],
])('it refuses to start %s', (_, overrides, message) => {
  expect(() => bind(lamps(overrides), silent)).toThrow(`rewards: ${message}`);
});

describe('OP-01: of a contract that shares operations with another at the same address, the others are bound', () => {
  const part = (boundOperation: string, handlers: Record<string, Handler>, authenticators: string[]): AnyApi => {
    const api = lamps({ handlers, authenticators });
    return { ...api, contract: partOf(api.contract, new Set([boundOperation])) };
  };
  const ids = (api: AnyApi) => bind(api, silent).map(({ operation }) => operation.operationId);

  test('to their own handlers and authenticators', () => {
    expect(ids(part('makeLamp', { getLamp: lamp }, ['key']))).toEqual(['getLamp']);
    expect(ids(part('getLamp', { makeLamp }, []))).toEqual(['makeLamp']);
  });

  test('without a surplus or missing handler or authenticator', () => {
    const surplus = 'handler without an entry in the contract: makeLamp';
    expect(() => ids(part('makeLamp', { getLamp: lamp, makeLamp }, ['key']))).toThrow(surplus);
    expect(() => ids(part('makeLamp', {}, ['key']))).toThrow('handler missing for getLamp');
    expect(() => ids(part('makeLamp', { getLamp: lamp }, []))).toThrow('authenticator missing for key');
    const key = 'authenticator without an entry in the contract: key';
    expect(() => ids(part('getLamp', { makeLamp }, ['key']))).toThrow(key);
  });
});

test.each([
  ['an unknown keyword', { type: 'object', minLenght: 1 }, 'unknown keyword: "minLenght"'],
  ['a dangling reference', { $ref: '#/components/schemas/Bulb' }, "can't resolve reference"],
  ['an unknown type', { type: 'lamp' }, 'type must be JSONType or JSONType[]: lamp'],
  ['an invalid pattern', { type: 'string', pattern: '(' }, 'Invalid regular expression'],
])('a contract with a schema that does not compile is not generated: %s', (_, Lamp, message) => {
  const components = { ...bundle.components, schemas: { ...bundle.components.schemas, Lamp } };
  expect(() => compileSchemas(contract('rewards', { ...bundle, components }))).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^rewards: \w+Lamp: the schema at \/\S+ does not compile$/),
      cause: expect.objectContaining({ message: expect.stringContaining(message) }),
    }),
  );
});

test('a contract without the texts that the binder needs is refused', () => {
  const paths = { '/lamps': { post: { ...bundle.paths['/lamps'].post, operationId: undefined } } };
  expect(() => contract('rewards', { ...bundle, paths })).toThrow('the contract needs text here');
});
