/** What k6 writes of a run with `--out json`, as entries of a HAR: method, address and status, and nothing else. */
import { fieldsOf, wordOf } from './har-fields.ts';

/** How such a file begins: it has a metric, or a value of one, on each line. */
export const k6Beginning = /^\s*\{"(?:metric|type)":"/;

/** A line about a call as an entry of a HAR; undefined for any other. Anybody may have written it. */
export function k6Entry(line: unknown): unknown {
  const { type, metric, data } = fieldsOf(line);
  // Of each call every metric has a line; this one counts calls.
  if (type !== 'Point' || metric !== 'http_reqs') return undefined;
  const { method, url, status } = fieldsOf(fieldsOf(data).tags);
  return { request: { method, url }, response: { status: Number(wordOf(status)) } };
}
