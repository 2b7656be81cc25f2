import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { components } from '../../generated/proxy/types.ts';
import type { Finding } from '../conformance/finding.ts';

type Problem = components['schemas']['ProxyProblem'];

/** The proxy's name in headers and in the bodies of its own replies. */
export const origin = 'rewards-sandbox-proxy';

/** A reply that the proxy itself sends (openapi/proxy.yaml). */
export interface Refusal {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly findings?: readonly Finding[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Headers that close the connection after the reply, because the start of the next request is ambiguous. */
export const closing = { Connection: 'close' } as const;

/**
 * Sends a refusal (RFC 9457) in the proxy's own name, so that it is not mistaken for a reply from the upstream server.
 * Sends at most one reply.
 */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.writableEnded || response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  answer(response, refusal.status, 'application/problem+json', problemOf(refusal), refusal.headers);
}

/** Formats a refusal as a raw HTTP response, for a connection on which no request could be read. */
export function refusalBytes(refusal: Refusal): string {
  const text = JSON.stringify(problemOf(refusal));
  const head = {
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(text),
    'X-Answered-By': origin,
    ...refusal.headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${text}`;
}

/** Writes a reply from the proxy itself. */
export function answer(
  response: ServerResponse,
  status: number,
  type: string,
  body: unknown,
  headers: Refusal['headers'] = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const own = { 'Content-Type': type, 'Content-Length': bytes.length, 'X-Answered-By': origin };
  response.writeHead(status, { ...own, ...headers });
  response.end(bytes);
}

function problemOf({ status, title, detail, findings = [] }: Refusal): Problem {
  return { type: 'about:blank', title, status, detail, origin, findings: [...findings] };
}
