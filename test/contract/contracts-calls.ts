import type { IHttpResponse } from '@stoplight/prism-http';
import { expect } from 'vitest';
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

/** Returns the first documented success of an operation. */
export function goodReply({ id, replies }: Operation): IHttpResponse {
  const reply = replies.find(({ status }) => status < 400) ?? expect.fail(`${id} documents no success`);
  return exampleReply(reply);
}

export function isObject(value: unknown): value is Node {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
