/** Reads request bodies. */
import type { IncomingMessage } from 'node:http';
import type { Body } from './fields.ts';
import type { Has } from './mistakes.ts';
import { type Reply, refuse } from './replies.ts';

const most = 64 * 1024;

/** Returns the body of a request as a JSON object, or the refusal. */
export async function readBody(request: IncomingMessage, has: Has): Promise<{ readonly body: Body } | Reply> {
  if (!declaresJson(request) && !has('text-plain')) return refuse('unsupported_media_type');
  if (has('chunked-411') && request.headers['content-length'] === undefined) return refuse('length_required');
  const chunks: Buffer[] = [];
  let length = 0;
  // Read and discard a body that is too large, so that the caller can read the reply.
  try {
    for await (const chunk of request) {
      length += chunk.length;
      if (length <= most) chunks.push(chunk);
    }
  } catch {
    // The caller has disconnected and does not read the reply.
    return refuse('malformed_json');
  }
  if (length > most) return refuse(has('large-body-500') ? 'internal_error' : 'body_too_large');
  if (length === 0 && has('empty-body-500')) return refuse('internal_error');
  return parse(Buffer.concat(chunks), has);
}

function declaresJson({ headers }: IncomingMessage): boolean {
  return /^application\/json *(; *charset="?utf-?8"? *)?$/i.test(headers['content-type'] ?? '');
}

function parse(bytes: Buffer, has: Has): { readonly body: Body } | Reply {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return refuse(has('malformed-json-500') ? 'internal_error' : 'malformed_json');
  }
  if (value === null && has('null-body-500')) return refuse('internal_error');
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { body: value as Body } : refuse('mandatory_details');
}
