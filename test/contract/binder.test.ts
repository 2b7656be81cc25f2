/** What the binder refuses to start with, and what becomes of a reply that breaks its contract. */
import { Readable } from 'node:stream';
import Koa from 'koa';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Api, Violation } from '../../sandbox/contract/api.ts';
import { bind } from '../../sandbox/contract/binder.ts';
import { contract, type Node } from '../../sandbox/contract/document.ts';
import { flatEnvelope, type flatTable } from '../../sandbox/contract/envelopes.ts';
import { mountRouter } from '../../sandbox/contract/mount.ts';
import { partOf } from '../../sandbox/contract/part.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import type { Answer } from '../../sandbox/contract/types.ts';
import type { PlatformFailure } from '../../sandbox/domain/failures.ts';
import { listen } from '../../sandbox/server.ts';
import { raw } from '../sandbox.ts';

type AnyApi = Api<unknown, unknown, PlatformFailure, typeof flatTable>;
type Make = (...given: never[]) => Promise<Answer>;

const json = (schema: Node, ...kinds: string[]) => ({
  description: '',
  content: { 'application/json': { schema, examples: Object.fromEntries(kinds.map((kind) => [kind, { value: {} }])) } },
});
const error = (...kinds: string[]) => json({ $ref: '#/components/schemas/Error' }, ...kinds);

/** A contract with one operation that is read under a key, and one that makes something under none. */
const bundle = {
  openapi: '3.1.0',
  jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
  info: { title: 'Lamps', version: '1.0.0' },
  paths: {
    '/lamps/{id}': {
      get: {
        operationId: 'getLamp',
        'x-hosted-by': 'platform',
        security: [{ key: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {
          200: json({ $ref: '#/components/schemas/Lamp' }),
          204: { description: '' },
          400: error('invalid_request', 'duplicate_authorization'),
          401: error('unauthorized'),
          404: error('not_found'),
          500: error('internal_error'),
        },
      },
    },
    '/lamps': {
      post: {
        operationId: 'makeLamp',
        'x-hosted-by': 'platform',
        security: [],
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/Lamp' }) },
        responses: { 201: json({ $ref: '#/components/schemas/Lamp' }), 500: error('internal_error') },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    schemas: {
      Lamp: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'lit'],
        properties: { id: { type: 'string' }, lit: { type: 'boolean' } },
      },
      Error: {
        type: 'object',
        additionalProperties: false,
        required: ['name', 'message', 'code', 'status', 'type'],
        properties: {
          ...{ name: { type: 'string' }, message: { type: 'string' }, type: { type: 'string' } },
          ...{ code: { type: 'integer' }, status: { type: 'integer' } },
        },
      },
    },
  },
};

const lamp: Make = async () => ({ status: 200, body: { id: 'a', lit: true } });
const made: Make = async () => ({ status: 201, body: { id: 'a', lit: true } });

/** The API of the lamps; whatever is given takes the place of what is right. */
function lamps(given: { handlers?: Record<string, Make>; authenticators?: string[]; bundle?: Node }): AnyApi {
  const { handlers = { getLamp: lamp, makeLamp: made }, authenticators = ['key'] } = given;
  const read = contract('rewards', given.bundle ?? bundle);
  return {
    contract: { ...read, schemas: new Schemas(read) },
    handlers,
    envelope: flatEnvelope,
    authenticators: Object.fromEntries(authenticators.map((name) => [name, async (sent) => sent && { key: sent }])),
    anyone: {},
  };
}

const silent = { violation: () => expect.fail(), error: () => expect.fail() };

/** Serves the lamps on loopback. Calls the operation that is read, as its handler makes it. */
async function getLamp(handler: Make) {
  const violations: Violation[] = [];
  const errors: unknown[] = [];
  const watch = {
    violation: (found: Violation) => violations.push(found),
    error: (error: unknown, operationId: string) => {
      errors.push([operationId, error]);
      return 'internal_error' as const;
    },
  };
  const operations = bind(lamps({ handlers: { getLamp: handler, makeLamp: made } }), watch);
  const app = new Koa();
  app.use(
    mountRouter(
      { prefix: '', operations, envelope: flatEnvelope },
      () => 'trace',
      () => {},
    ),
  );
  const server = await listen(
    { handle: app.callback(), internal: () => false, newTrace: () => 'trace' },
    '127.0.0.1',
    0,
  );
  onTestFinished(() => server.close());
  const { status, body } = await raw(`http://127.0.0.1:${server.port}/lamps/a`, { headers: { authorization: 'key' } });
  return { status, body, violations, errors };
}

const internalError = {
  status: 500,
  body: {
    name: 'Internal Server Error',
    message: 'Internal error',
    code: 64,
    status: 500,
    type: 'ServerErrorHttpException',
  },
};
const broken = (status: number, where: string, problem: string) => ({
  ...internalError,
  violations: [{ operationId: 'getLamp', status, where, problem }],
  errors: [],
});

test('the binder starts with what the contract says, no more and no less', () => {
  const operations = bind(lamps({}), silent).map(({ operation }) => operation.operationId);
  expect(operations).toEqual(['getLamp', 'makeLamp']);
});

test('it refuses to start without a handler', () => {
  const api = lamps({ handlers: { getLamp: lamp } });
  expect(() => bind(api, silent)).toThrow('rewards: handler missing for makeLamp');
});

test('it refuses to start with a surplus handler', () => {
  const api = lamps({ handlers: { getLamp: lamp, makeLamp: made, breakLamp: lamp } });
  expect(() => bind(api, silent)).toThrow('rewards: handler without an entry in the contract: breakLamp');
});

describe('a contract with two hosts is bound by its parts', () => {
  const { get } = bundle.paths['/lamps/{id}'];
  const two = { ...bundle, paths: { ...bundle.paths, '/lamps/{id}': { get: { ...get, 'x-hosted-by': 'client' } } } };
  const part = (host: 'platform' | 'client', handlers: Record<string, Make>, authenticators: string[]): AnyApi => {
    const api = lamps({ bundle: two, handlers, authenticators });
    return { ...api, contract: partOf(api.contract, host) };
  };
  const ids = (api: AnyApi) => bind(api, silent).map(({ operation }) => operation.operationId);

  test('each takes the handlers of its operations, and the authenticators that these name', () => {
    expect(ids(part('client', { getLamp: lamp }, ['key']))).toEqual(['getLamp']);
    expect(ids(part('platform', { makeLamp: made }, []))).toEqual(['makeLamp']);
  });

  test("it refuses to start with the other host's handler or authenticator, and without its own", () => {
    const surplus = 'rewards: handler without an entry in the contract: makeLamp';
    expect(() => ids(part('client', { getLamp: lamp, makeLamp: made }, ['key']))).toThrow(surplus);
    expect(() => ids(part('client', {}, ['key']))).toThrow('rewards: handler missing for getLamp');
    expect(() => ids(part('client', { getLamp: lamp }, []))).toThrow('rewards: authenticator missing for key');
    const key = 'rewards: authenticator without an entry in the contract: key';
    expect(() => ids(part('platform', { makeLamp: made }, ['key']))).toThrow(key);
  });

  test('what another contract serves already is left out', () => {
    const { contract: whole } = lamps({});
    const one = { ...whole, operations: whole.operations.filter(({ operationId }) => operationId === 'getLamp') };
    expect(partOf(whole, 'platform', one).operations.map(({ operationId }) => operationId)).toEqual(['makeLamp']);
  });
});

test('it refuses to start without an authenticator for a security scheme', () => {
  expect(() => bind(lamps({ authenticators: [] }), silent)).toThrow('rewards: authenticator missing for key');
});

test('it refuses to start with a surplus authenticator', () => {
  const api = lamps({ authenticators: ['key', 'master'] });
  expect(() => bind(api, silent)).toThrow('rewards: authenticator without an entry in the contract: master');
});

test.each([
  ['an unknown keyword', { type: 'object', minLenght: 1 }, 'unknown keyword: "minLenght"'],
  ['a reference to nothing', { $ref: '#/components/schemas/Bulb' }, "can't resolve reference"],
  ['an unknown type', { type: 'lamp' }, 'type must be JSONType or JSONType[]: lamp'],
  ['a pattern that is none', { type: 'string', pattern: '(' }, 'Invalid regular expression'],
])('it refuses to start with a schema that does not compile: %s', (_, Lamp, message) => {
  const components = { ...bundle.components, schemas: { ...bundle.components.schemas, Lamp } };
  expect(() => bind(lamps({ bundle: { ...bundle, components } }), silent)).toThrow(message);
});

test('a contract without the texts that the binder needs is refused', () => {
  const paths = { '/lamps': { post: { ...bundle.paths['/lamps'].post, operationId: undefined } } };
  expect(() => contract('rewards', { ...bundle, paths })).toThrow('the contract lacks a text');
});

test('a reply that keeps the contract goes out as it is', async () => {
  const answer = { status: 200, body: { id: 'a', lit: true }, violations: [], errors: [] };
  expect(await getLamp(lamp)).toEqual(answer);
});

test.each<[what: string, answer: Answer, found: ReturnType<typeof broken>]>([
  ['a body without a field', { status: 200, body: { id: 'a' } }, broken(200, '/lit', 'is required')],
  [
    'a body with a field too many',
    { status: 200, body: { id: 'a', lit: true, watts: 60 } },
    broken(200, '/watts', 'is not part of the contract'),
  ],
  ['a field of another type', { status: 200, body: { id: 'a', lit: 'yes' } }, broken(200, '/lit', 'must be boolean')],
  ['no body where one must be', { status: 200 }, broken(200, '', 'must be object')],
  ['a body where none may be', { status: 204, body: {} }, broken(204, '', 'a body is not documented under 204')],
  [
    'a stream where a body must be',
    { status: 200, stream: new Readable() },
    broken(200, '', 'a stream is not documented under 200'),
  ],
  ['an undocumented status', { status: 201, body: {} }, broken(201, '', 'status 201 is not documented')],
  [
    'a failure whose status is not documented',
    { kind: 'idempotency_conflict' },
    broken(409, '', 'status 409 is not documented'),
  ],
  [
    'a failure that is not documented, under a status that is',
    { kind: 'invalid_cursor' },
    broken(400, '', 'the error invalid_cursor is not documented under 400'),
  ],
])('%s is reported, and the caller gets the internal error', async (_, answer, found) => {
  expect(await getLamp(async () => answer)).toEqual(found);
});

test('a handler that throws is reported, and the caller learns nothing of it', async () => {
  const error = new Error('the filament broke');
  const failing: Make = async () => {
    throw error;
  };
  expect(await getLamp(failing)).toEqual({ ...internalError, violations: [], errors: [['getLamp', error]] });
});

test('a documented failure goes out in the envelope', async () => {
  expect(await getLamp(async () => ({ kind: 'not_found' }))).toEqual({
    status: 404,
    body: { name: 'Not Found', message: 'Not found', code: 44, status: 404, type: 'NotFoundHttpException' },
    violations: [],
    errors: [],
  });
});
