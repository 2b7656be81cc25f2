import type { ServerResponse } from 'node:http';
import type { components } from '../../generated/proxy/types.ts';
import type { Finding } from './finding.ts';

type Problem = components['schemas']['ProxyProblem'];

/** What the proxy calls itself, in a header and in the body of what it answers. */
export const origin = 'rewards-sandbox-proxy';

/** Answers in the proxy's own name (RFC 9457), so that nobody takes it for the server behind it. */
export function refuse(
  response: ServerResponse,
  status: number,
  title: string,
  detail: string,
  findings: readonly Finding[] = [],
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const problem: Problem = { type: 'about:blank', title, status, detail, origin, findings: [...findings] };
  answer(response, status, 'application/problem+json', problem);
}

/** Writes an answer of the proxy itself. */
export function answer(response: ServerResponse, status: number, type: string, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': bytes.length, 'X-Answered-By': origin });
  response.end(bytes);
}
