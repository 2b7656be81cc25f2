/** Binds and serves a small contract about lamps, for tests of the binder and of replies. */
import Koa from 'koa';
import type { Api, Violation } from '../../sandbox/contract/api.ts';
import { bind } from '../../sandbox/contract/binder.ts';
import { contract, type Node } from '../../sandbox/contract/document.ts';
import { flatEnvelope } from '../../sandbox/contract/envelopes.ts';
import type { FlatFailure, flatTable } from '../../sandbox/contract/failure-tables.ts';
import type { OperationState } from '../../sandbox/contract/operation.ts';
import { Routes } from '../../sandbox/contract/routes.ts';
import { Schemas } from '../../sandbox/contract/schemas.ts';
import type { HandlerAnswer } from '../../sandbox/contract/types.ts';
import { carryOut } from '../../sandbox/http/pipeline.ts';
import { bareServer } from '../harness/bare-server.ts';
import { raw } from '../harness/sandbox.ts';

export interface Workshop {
  readonly name: string;
}
export type AnyApi = Api<unknown, unknown, Workshop, unknown, FlatFailure, typeof flatTable>;
export type Handler = (...parameters: never[]) => Promise<HandlerAnswer>;

const json = (schema: Node, ...kinds: string[]) => ({
  description: '',
  content: { 'application/json': { schema, examples: Object.fromEntries(kinds.map((kind) => [kind, { value: {} }])) } },
});
const error = (...kinds: string[]) => json({ $ref: '#/components/schemas/Error' }, ...kinds);

/** A contract with a read operation that needs a key and a create operation that does not. */
export const bundle = {
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
          name: { type: 'string' },
          message: { type: 'string' },
          type: { type: 'string' },
          code: { type: 'integer' },
          status: { type: 'integer' },
        },
      },
    },
  },
};

/** The party that hosts the lamps. */
export const workshop: Workshop = { name: 'workshop' };
export const lamp: Handler = async () => ({ status: 200, body: { id: 'a', lit: true } });
export const makeLamp: Handler = async () => ({ status: 201, body: { id: 'a', lit: true } });

/** Builds the lamps API. `overrides` replaces its correct parts. */
export function lamps(overrides: {
  handlers?: Record<string, Handler>;
  authenticators?: string[];
  bundle?: Node;
}): AnyApi {
  const { handlers = { getLamp: lamp, makeLamp }, authenticators = ['key'] } = overrides;
  const read = contract('rewards', overrides.bundle ?? bundle);
  return {
    contract: { ...read, schemas: new Schemas(read) },
    party: () => workshop,
    handlers,
    envelope: () => flatEnvelope,
    authenticators: Object.fromEntries(authenticators.map((name) => [name, async (_, sent) => sent && { key: sent }])),
    anyone: {},
  };
}

/** Serves the lamps on loopback with this handler for the read operation, and calls the operation. */
export async function getLamp(handler: Handler) {
  const { read, violations, errors } = await serveLamps(handler);
  const { status, body } = await read();
  return { status, body, violations, errors };
}

/** Serves the lamps on loopback with this handler for the read operation. */
export async function serveLamps(handler: Handler, document: Node = bundle) {
  const violations: Violation[] = [];
  const errors: unknown[] = [];
  const watch = {
    violation: (violation: Violation) => violations.push(violation),
    error: (error: unknown, operationId: string) => {
      errors.push([operationId, error]);
      return { kind: 'internal_error' as const };
    },
  };
  const routes = new Routes(bind(lamps({ handlers: { getLamp: handler, makeLamp }, bundle: document }), watch));
  const app = new Koa<OperationState>();
  app.use(async (ctx) => {
    const routed = routes.find(ctx.method, ctx.path.replace('/workshop', ''));
    if (routed.kind !== 'found') throw new Error(`no lamp at ${ctx.path}`);
    const { operation, values: path } = routed;
    const origin = { kind: 'machine', addresses: [], exempt: true } as const;
    Object.assign(ctx.state, { operation, path, origin, workspace: {}, trace: 'trace' });
    await carryOut(ctx);
  });
  const server = await bareServer((request, response) => app.callback()(request, response));
  const read = (headers: Record<string, string> = {}, method = 'GET') =>
    raw(`${server.origin}/workshop/lamps/a`, { method, headers: { authorization: 'key', ...headers } });
  return { read, violations, errors };
}
