/** Builds captured exchanges: HAR entries as browsers and proxies write them. */
import { registry } from '../../sandbox/apis/registry.ts';
import type { Draft } from './exchanges.ts';

/** Serializes entries as a HAR. */
export function har(entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } });
}

/** Converts an exchange to a HAR entry, as recorded at an origin. */
export function entry({ server, method, path, query, request, reply }: Draft, origin = 'http://127.0.0.1:4010') {
  const search = new URLSearchParams(query).toString();
  const prefix = server === 'webhook' ? '' : registry[server].prefix;
  const headers = (of: Record<string, string>) => Object.entries(of).map(([name, value]) => ({ name, value }));
  const text = (body: unknown) => (body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const [requestText, replyText] = [text(request.body), text(reply.body)];
  return {
    startedDateTime: '2026-01-12T04:30:00.000Z',
    time: 1,
    request: {
      method,
      url: `${origin}${prefix}${path}${search === '' ? '' : `?${search}`}`,
      headers: headers(request.headers),
      bodySize: requestText?.length ?? 0,
      ...(requestText !== undefined && { postData: { mimeType: 'application/json', text: requestText } }),
    },
    response: {
      status: reply.status,
      headers: headers(reply.headers),
      content: { size: replyText?.length ?? 0, ...(replyText !== undefined && { text: replyText }) },
    },
  };
}
