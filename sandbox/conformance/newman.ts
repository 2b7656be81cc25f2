/** What newman, Postman's runner, exports of a run (`--reporters json`), as entries of a HAR. */
import { fieldsOf, textOf, wordOf } from './har-entry.ts';

type Fields = ReturnType<typeof fieldsOf>;

/**
 * A call of a run as an entry of a HAR. Anybody may have written it. A run makes one call after the other: `number` stands
 * for the time that its export does not tell.
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

/** Pairs that are not switched off. */
function pairs(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map(fieldsOf).filter(({ disabled }) => disabled !== true) : [];
}

function headersOf(list: unknown) {
  return list === undefined ? undefined : pairs(list).map(({ key, value }) => ({ name: key, value }));
}

/** An address, assembled from its parts with the variables filled in. */
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

/** A body that newman sent. The export names files and multipart bodies without their content. */
function bodyOf({ mode, raw, urlencoded }: Fields): object {
  if (mode === undefined) return { bodySize: 0 };
  if (mode === 'raw') return { postData: { text: raw } };
  if (mode !== 'urlencoded') return { bodySize: -1 };
  const params = pairs(urlencoded).map(({ key, value }) => ({ name: key, value }));
  return {
    bodySize: params.length === 0 ? 0 : -1,
    postData: { mimeType: 'application/x-www-form-urlencoded', params },
  };
}

/** The bytes of a reply, without their content coding. */
function contentOf({ data }: Fields): object {
  if (!Array.isArray(data) || !data.every(Number.isInteger)) return {};
  return { text: Buffer.from(data).toString('base64'), encoding: 'base64' };
}
