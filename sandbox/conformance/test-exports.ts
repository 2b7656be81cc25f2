/** Exports of test tools, converted to HAR entries: newman runs (`--reporters json`), and interactions in Pact files of versions 1 to 4. */
import type { Verdict } from './checker.ts';
import { harHeaders, type ServerAddresses, wholeAddress, withheldCredential } from './har.ts';
import { fieldsOf, harContent, harPostData, textOf, wordOf } from './har-entry.ts';

type Fields = ReturnType<typeof fieldsOf>;

/**
 * Converts a call of a run to a HAR entry. The call is untrusted input. A run is sequential, so `number` replaces the time that the
 * export lacks.
 */
export function newmanEntry(value: unknown, number: number): unknown {
  const { request, response } = fieldsOf(value);
  const { method, url, header, body } = fieldsOf(request);
  const { code, header: got, stream, responseSize } = fieldsOf(response);
  return {
    startedDateTime: new Date(number * 2).toISOString(),
    time: 1,
    request: { method, url: addressOf(url), headers: headersOf(header), ...bodyOf(fieldsOf(body)) },
    response: {
      status: code,
      headers: headersOf(got),
      content: { ...contentOf(fieldsOf(stream)), size: responseSize },
    },
  };
}

/** Returns the pairs that are not disabled. */
function pairs(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map(fieldsOf).filter(({ disabled }) => disabled !== true) : [];
}

function headersOf(list: unknown) {
  return list === undefined ? undefined : pairs(list).map(({ key, value }) => ({ name: key, value }));
}

/** Assembles an address from its parts, in which the variables are already resolved. */
function addressOf(url: unknown): string | undefined {
  if (typeof url === 'string') return url;
  const { protocol, host, port, path, query } = fieldsOf(url);
  const name = joined(host, '.');
  if (name === undefined) return textOf(fieldsOf(url).raw);
  const search = pairs(query).map(
    ({ key, value }) => `${wordOf(key) ?? ''}${value == null ? '' : `=${wordOf(value) ?? ''}`}`,
  );
  const place = (joined(path, '/') ?? '').replace(/^\//, '');
  const queryString = search.length === 0 ? '' : `?${search.join('&')}`;
  return `${wordOf(protocol) ?? 'http'}://${name}${port === undefined ? '' : `:${wordOf(port) ?? ''}`}/${place}${queryString}`;
}

function joined(parts: unknown, between: string): string | undefined {
  return Array.isArray(parts) ? parts.map((part) => wordOf(part) ?? '').join(between) : textOf(parts);
}

/** Returns a body that newman sent. The export does not contain the content of files and multipart bodies. */
function bodyOf({ mode, raw, urlencoded }: Fields): object {
  if (mode === undefined) return { bodySize: 0 };
  if (mode === 'raw') return { postData: { text: raw } };
  if (mode !== 'urlencoded') return { bodySize: -1 };
  const params = pairs(urlencoded).map(({ key, value }) => ({ name: key, value }));
  const postData = { mimeType: 'application/x-www-form-urlencoded', params };
  return { bodySize: params.length === 0 ? 0 : -1, postData };
}

/** Returns the bytes of a reply, without their content coding. */
function contentOf({ data }: Fields): object {
  if (!Array.isArray(data) || !data.every(Number.isInteger)) return {};
  return { text: Buffer.from(data).toString('base64'), encoding: 'base64' };
}

/** Converts an interaction to a HAR entry. Returns `outside` for messages, which are not HTTP calls. The interaction is untrusted input. */
export function pactEntry(interaction: unknown, addresses: ServerAddresses): unknown {
  const { type, request, response } = fieldsOf(interaction);
  if (request === undefined || (type !== undefined && type !== 'Synchronous/HTTP')) return 'outside';
  const isVersion4 = type !== undefined;
  const requested = fieldsOf(request);
  const replied = fieldsOf(response);
  const sent = pactBodyOf(requested, isVersion4);
  const got = pactBodyOf(replied, isVersion4);
  const target = `${textOf(requested.path) ?? '/'}${queryOf(requested.query)}`;
  return {
    request: {
      method: textOf(requested.method) ?? 'GET',
      url: wholeAddress(target, addresses),
      ...headersWith(requested, sent, true),
      ...harPostData(sent),
    },
    response: {
      status: replied.status === undefined ? 200 : Number(wordOf(replied.status)),
      ...headersWith(replied, got, false),
      content: harContent(got),
    },
  };
}

/**
 * Returns the verdict on an interaction. Its reply contains only what the consumer uses, so missing fields are not findings.
 * Interactions are independent examples, so no trace rule applies to them.
 */
export function pactVerdict({ operation, findings, unchecked, isOutside = false }: Verdict): Verdict {
  const isLeftOut = /^reply\..*\.(required|missing|minItems|minProperties)$/;
  return { operation, unchecked, isOutside, findings: findings.filter(({ code }) => !isLeftOut.test(code)) };
}

/** Returns the query string. Versions 1 and 2 store it as text, later versions as lists of values by name. */
function queryOf(query: unknown): string {
  const text = textOf(query);
  if (text !== undefined) return text === '' ? '' : `?${text.replace(/^\?/, '')}`;
  const search = new URLSearchParams();
  for (const { name, value } of harHeaders(query) ?? []) search.append(name, value);
  return search.size === 0 ? '' : `?${search}`;
}

/** Returns a body, or `undefined` if the interaction does not specify one. */
function pactBodyOf(message: Fields, isVersion4: boolean) {
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

/**
 * Returns the headers of a message if the interaction specifies any. If they do not contain the type of the body, it is added. A
 * request without a credential receives a placeholder, because the provider state may supply the credential.
 */
function headersWith({ headers }: Fields, body: ReturnType<typeof pactBodyOf>, isRequest: boolean): object {
  const named = harHeaders(headers);
  if (named === undefined) return {};
  const isMissing = (wanted: string) => !named.some(({ name }) => name.toLowerCase() === wanted);
  if (body !== undefined && body.text !== '' && isMissing('content-type'))
    named.push({ name: 'content-type', value: body.type });
  if (isRequest && isMissing('authorization')) named.push({ name: 'authorization', value: withheldCredential });
  return { headers: named };
}
