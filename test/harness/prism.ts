/** Uses Prism as a second opinion on the contracts, with their examples as calls and replies. */
import {
  createInstance,
  getHttpOperationsFromSpec,
  type IHttpRequest,
  type IHttpResponse,
} from '@stoplight/prism-http';
import type { Node } from '../../sandbox/contract/document.ts';
import type { Operation, Reply } from './contracts.ts';

/** Prism's complaints about the request and the reply of one call. */
export interface Findings {
  readonly request: readonly string[];
  readonly reply: readonly string[];
}

/** Prism loaded with one contract. Tests pass replies to it, and it sends no calls. */
export interface Prism {
  /** `METHOD /path` of each operation found by Prism. */
  readonly operations: readonly string[];
  check(request: IHttpRequest, reply: IHttpResponse): Promise<Findings>;
}

type Components = Parameters<typeof createInstance>[1];

const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, success() {}, child: () => silent };

export async function loadPrism(document: Node): Promise<Prism> {
  const operations = await getHttpOperationsFromSpec(structuredClone(document));
  return {
    operations: operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
    async check(request, reply) {
      const prism = createInstance(
        {
          isProxy: true,
          upstream: new URL('http://nobody.invalid'),
          upstreamProxy: undefined,
          mock: { dynamic: false },
          checkSecurity: true,
          validateRequest: true,
          validateResponse: true,
          errors: false,
        },
        {
          logger: silent as unknown as Components['logger'],
          forward: () => () => async () => ({ _tag: 'Right', right: reply }),
        },
      );
      const outcome = await prism.request(request, operations)();
      if (outcome._tag === 'Left') throw outcome.left;
      const { input, output } = outcome.right.validations;
      return { request: input.map(({ message }) => message), reply: output.map(({ message }) => message) };
    },
  };
}

/** Builds a request from an operation's own examples. */
export function exampleRequest(operation: Operation, body = operation.body?.examples[0]?.[1]): IHttpRequest {
  const examplesIn = (place: string): Record<string, string> =>
    Object.fromEntries(
      operation.parameters
        .filter(({ in: where }) => where === place)
        .map(({ name, example }) => [name, String(example)]),
    );
  const path = Object.entries(examplesIn('path')).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    operation.path,
  );
  return {
    method: operation.method.toLowerCase() as IHttpRequest['method'],
    url: { path, query: examplesIn('query') },
    headers: {
      ...examplesIn('header'),
      ...credentials(operation),
      ...(operation.body !== undefined && { 'content-type': operation.body.type }),
    },
    body: operation.body?.type === 'application/x-www-form-urlencoded' ? encodeForm(body) : body,
  };
}

/** Encodes a form as a browser sends it. */
function encodeForm(fields: unknown): string {
  return new URLSearchParams(fields as Record<string, string>).toString();
}

/** Builds a reply from a documented reply's own examples. */
export function exampleReply(reply: Reply, body = reply.content?.examples[0]?.[1]): IHttpResponse {
  const documented = Object.entries(reply.headers).map(([name, value]) => [name, String(value)] as const);
  const type = reply.content === undefined ? {} : { 'content-type': reply.content.type };
  return { statusCode: reply.status, headers: { ...Object.fromEntries(documented), ...type }, body };
}

function credentials({ security: [scheme] }: Operation): Record<string, string> {
  if (scheme === undefined) return {};
  if (scheme.type === 'apiKey') return { authorization: 'token' };
  return { authorization: scheme.scheme === 'basic' ? 'Basic bWljcm9zaXRlOnNlY3JldA==' : 'Bearer token' };
}
