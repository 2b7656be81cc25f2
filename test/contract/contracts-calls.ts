import type { IHttpResponse } from '@stoplight/prism-http';
import type { Node } from '../../sandbox/contract/document.ts';
import type { Operation } from '../harness/contracts.ts';
import { exampleReply, exampleRequest, type Prism } from '../harness/prism.ts';

/** A request and its reply, with a title. */
export type Call = readonly [what: string, ...Parameters<Prism['check']>];

/** Pairs each request example with the success reply, and each reply example with the first request. */
export function documentedCalls(operation: Operation): Call[] {
  const requests = (operation.body?.examples ?? []).map(
    ([name, body]): Call => [`${operation.id} ${name}`, exampleRequest(operation, body), goodReply(operation)],
  );
  const replies = operation.replies.flatMap((reply): Call[] => {
    const bodies: readonly (readonly [string, unknown])[] = reply.content?.examples ?? [['no body', undefined]];
    return bodies.map(([name, body]) => [
      `${operation.id} ${reply.status} ${name}`,
      exampleRequest(operation),
      exampleReply(reply, body),
    ]);
  });
  return [...requests, ...replies];
}

function success({ id, replies }: Operation): Operation['replies'][number] {
  const reply = replies.find(({ status }) => status < 400);
  if (reply === undefined) throw new Error(`${id} documents no success`);
  return reply;
}

export function goodReply(operation: Operation): IHttpResponse {
  return exampleReply(success(operation));
}

/** Returns the documented success reply with an unknown field. Without a JSON body, the status is undocumented instead. */
export function wrongReply(operation: Operation): IHttpResponse {
  const body = success(operation).content?.examples[0]?.[1];
  const good = goodReply(operation);
  return isObject(body) ? { ...good, body: { ...body, surprise: true } } : { ...good, statusCode: 299 };
}

/** Returns copies of the documented request, each without one required query parameter or body field. */
export function wrongRequests(operation: Operation, accepts: (schema: string, value: unknown) => boolean): Call[] {
  const good = exampleRequest(operation);
  const { id, body, parameters } = operation;
  const queries = parameters
    .filter((parameter) => parameter.required && parameter.in === 'query')
    .map(({ name }): Call => {
      const query = without({ ...good.url.query }, name);
      return [`${id} without ${name}`, { ...good, url: { ...good.url, query } }, goodReply(operation)];
    });
  const example = body?.examples[0]?.[1];
  const exampleBody = isObject(example) ? example : {};
  const bodies = Object.keys(exampleBody)
    .filter((field) => body !== undefined && !accepts(body.schema, without(exampleBody, field)))
    .map(
      (field): Call => [
        `${id} without ${field}`,
        exampleRequest(operation, without(exampleBody, field)),
        goodReply(operation),
      ],
    );
  return [...queries, ...bodies];
}

function without<V>(fields: { readonly [name: string]: V }, name: string): Record<string, V> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

export function isObject(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
