/** Builds small contracts to compare. */
import type { Node } from '../../../sandbox/contract/document.ts';

/** The parts of an operation that a test sets. Defaults fill in the others. */
export type Operation = { readonly [key: string]: unknown };

export const text = { type: 'string' };
export const done = { 200: { description: 'Done.' } };
export const json = (schema: unknown) => ({ 'application/json': { schema } });

/** Returns the schema of an object with these properties. */
export function object(properties: object, required: readonly string[] = [], more: object = {}): Node {
  return { type: 'object', required, properties, ...more };
}

/** Returns an operation that requires a body. */
export function request(schema: unknown): Operation {
  return { requestBody: { required: true, content: json(schema) }, responses: done };
}

/** Returns an operation that responds with a body. */
export function reply(schema: unknown, more: object = {}): Operation {
  return { responses: { 200: { description: 'Done.', content: json(schema), ...more } } };
}

/** Returns an operation with query parameters. */
export function query(...parameters: readonly object[]): Operation {
  return { parameters: parameters.map((parameter) => ({ in: 'query', schema: text, ...parameter })), responses: done };
}

/** Returns an operation that the client hosts. */
export function hosted(operation: Operation): Operation {
  return { ...operation, 'x-hosted-by': 'client' };
}

/** Builds a contract from operations. Each operation has its own path, derived from its operationId. */
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
