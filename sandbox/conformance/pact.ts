/** Interactions of Pact files, versions 1 to 4, as entries of a HAR. */
import type { Verdict } from './checker.ts';
import { harHeaders, type ServerAddresses, wholeAddress, withheldCredential } from './har.ts';
import { fieldsOf, textOf, wordOf } from './har-entry.ts';

type Fields = ReturnType<typeof fieldsOf>;

/** An interaction as an entry of a HAR; `outside` for messages, which are no calls. Anybody may have written it. */
export function pactEntry(interaction: unknown, addresses: ServerAddresses): unknown {
  const { type, request, response } = fieldsOf(interaction);
  if (request === undefined || (type !== undefined && type !== 'Synchronous/HTTP')) return 'outside';
  const isVersion4 = type !== undefined;
  const requested = fieldsOf(request);
  const replied = fieldsOf(response);
  const sent = bodyOf(requested, isVersion4);
  const got = bodyOf(replied, isVersion4);
  const target = `${textOf(requested.path) ?? '/'}${queryOf(requested.query)}`;
  return {
    request: {
      method: textOf(requested.method) ?? 'GET',
      url: wholeAddress(target, addresses),
      ...withHeaders(headersWith(requested, sent), true),
      ...(sent === undefined ? { bodySize: -1 } : sent.text === '' ? { bodySize: 0 } : { postData: sent }),
    },
    response: {
      status: replied.status === undefined ? 200 : Number(wordOf(replied.status)),
      ...withHeaders(headersWith(replied, got), false),
      content: got === undefined ? {} : { ...got, ...(got.text === '' && { size: 0 }) },
    },
  };
}

/**
 * The verdict on an interaction. Its reply names what the consumer uses, and the real one may have more: what it leaves out
 * is no finding. Interactions are examples, each in a state of its own: no rule over several of them applies.
 */
export function pactVerdict({ operation, findings, unchecked, isOutside = false }: Verdict): Verdict {
  const isLeftOut = /^reply\..*\.(required|missing|minItems|minProperties)$/;
  return { operation, unchecked, isOutside, findings: findings.filter(({ code }) => !isLeftOut.test(code)) };
}

/** Query parameters: a text in versions 1 and 2, lists of values by name later. */
function queryOf(query: unknown): string {
  const text = textOf(query);
  if (text !== undefined) return text === '' ? '' : `?${text.replace(/^\?/, '')}`;
  const search = new URLSearchParams();
  for (const { name, value } of harHeaders(query) ?? []) search.append(name, value);
  return search.size === 0 ? '' : `?${search}`;
}

interface PactBody {
  readonly text: string;
  readonly encoding?: 'base64';
  readonly type: string;
}

/** A body; undefined where the interaction does not say what is in it. */
function bodyOf(message: Fields, isVersion4: boolean): PactBody | undefined {
  if (message.body === undefined) return undefined;
  const { content, contentType, encoded } = fieldsOf(message.body);
  const type = (isVersion4 && textOf(contentType)) || 'application/json';
  const value = isVersion4 ? content : message.body;
  if (value === null || value === undefined) return { text: '', type };
  if (isVersion4 && textOf(encoded)?.toLowerCase() === 'base64') {
    return { text: textOf(value) ?? '', encoding: 'base64', type };
  }
  return { text: typeof value === 'string' ? value : JSON.stringify(value), type };
}

/** The headers of a message, with the type of its body, which need not be among them. */
function headersWith({ headers }: Fields, body: PactBody | undefined) {
  const named = harHeaders(headers);
  if (body === undefined || body.text === '' || named === undefined) return named;
  const isThere = named.some(({ name }) => name.toLowerCase() === 'content-type');
  return isThere ? named : [...named, { name: 'content-type', value: body.type }];
}

/** Headers where they are named. A provider's state may bring the credential that an interaction does not name. */
function withHeaders(headers: ReturnType<typeof harHeaders>, isRequest: boolean): object {
  if (headers === undefined) return {};
  const hasCredential = headers.some(({ name }) => name.toLowerCase() === 'authorization');
  const withheld = { name: 'authorization', value: withheldCredential };
  return { headers: isRequest && !hasCredential ? [...headers, withheld] : headers };
}
