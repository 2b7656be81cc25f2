/** Small contracts to compare. */
import type { Node } from '../../../sandbox/contract/document.ts';

/** The parts of an operation; the rest is filled in. */
export type Operation = { readonly [key: string]: unknown };

export const text = { type: 'string' };
export const done = { 200: { description: 'Done.' } };
export const json = (schema: unknown) => ({ 'application/json': { schema } });

/** An object with properties. */
export function object(properties: object, required: readonly string[] = [], more: object = {}): Node {
  return { type: 'object', required, properties, ...more };
}

/** An operation that takes a body. */
export function request(schema: unknown): Operation {
  return { requestBody: { required: true, content: json(schema) }, responses: done };
}

/** An operation that responds with a body. */
export function reply(schema: unknown, more: object = {}): Operation {
  return { responses: { 200: { description: 'Done.', content: json(schema), ...more } } };
}

/** An operation with query parameters. */
export function query(...parameters: readonly object[]): Operation {
  return { parameters: parameters.map((parameter) => ({ in: 'query', schema: text, ...parameter })), responses: done };
}

/** An operation that the client hosts. */
export function hosted(operation: Operation): Operation {
  return { ...operation, 'x-hosted-by': 'client' };
}

/** A contract of operations at paths of their own, each named by its operationId. */
export function contract(operations: { readonly [operationId: string]: Operation }, more: object = {}): Node {
  const paths = Object.entries(operations).map(([operationId, operation]) => [
    `/${operationId}`,
    { post: { operationId, 'x-hosted-by': 'platform', ...operation } },
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Small', version: '1.0.0' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: 'http://localhost:4010/small' }],
    security: [{ token: [] }],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: schemes },
    ...more,
  };
}

export const schemes = {
  token: { type: 'http', scheme: 'bearer' },
  key: { type: 'apiKey', in: 'header', name: 'Authorization' },
};
