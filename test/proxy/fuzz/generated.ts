/** Generates exchanges that an attacker could use to crash the proxy. A seed determines the exchanges, which are latin1 strings. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { registry } from '../../../sandbox/apis/registry.ts';
import type { Draw } from '../../harness/drawing.ts';
import { example, operations } from '../../harness/exchanges.ts';

/** The bytes of an exchange on the wire, and its entries in two capture formats. */
export interface GeneratedExchange {
  readonly request: string;
  readonly reply: string;
  readonly har: string;
  readonly activity: string;
}

const oddTexts = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''],
  ...['a'.repeat(300), '\u0000', '\u202e', '\ud800'],
];
const large = ['9'.repeat(400), '1e999', '-1e999', '9007199254740993'];
const numbers = [...large, '0', '-0', '1e-999', '0.1e1', '00', '+1', 'NaN'];

/** Returns valid or invalid JSON text. */
function json(draw: Draw, value: unknown, depth = 0): string {
  const kind = draw.integer(0, depth > 4 ? 5 : 13);
  if (kind === 0) return draw.pick(numbers);
  if (kind === 1) return JSON.stringify(draw.pick(oddTexts));
  if (kind === 2) return draw.pick(['null', 'true', 'false', '""', '[]', '{}', 'nul', '{', '"\\ud800"', '"\\u0000"']);
  if (kind === 3) return JSON.stringify(draw.text(0, 20));
  if (kind === 4) return JSON.stringify(value) ?? 'null';
  if (kind === 5) return '"'.padEnd(draw.integer(1, 50), '\xff\xc0');
  if (kind === 6) return list(Array.from({ length: draw.integer(0, 5) }, () => json(draw, value, depth + 1)));
  if (kind === 7) return list(Array.from({ length: draw.pick([100, 2001]) }, () => draw.pick(numbers)));
  if (kind === 8) return '['.repeat(draw.pick([15, 17, 5000, 20_000])).concat(']'.repeat(draw.pick([0, 17, 20_000])));
  if (kind === 9)
    return '{"a":'.repeat(draw.pick([15, 17, 10_000])).concat('1', '}'.repeat(draw.pick([15, 17, 10_000])));
  if (typeof value !== 'object' || value === null) return json(draw, undefined, depth + 1);
  const fields = Object.entries(value).flatMap(([name, field]) => {
    if (draw.chance(10)) return [];
    return [`${JSON.stringify(draw.chance(5) ? draw.pick(oddTexts) : name)}:${maybeSpoiled(draw, field, depth)}`];
  });
  return `{${fields.join(',')}}`;
}

function maybeSpoiled(draw: Draw, value: unknown, depth: number): string {
  return draw.chance(15) ? json(draw, value, depth + 1) : (JSON.stringify(value) ?? 'null');
}

function list(items: readonly string[]): string {
  return `[${items.join(',')}]`;
}

/** Encodes a body with a content coding, correctly or not. */
function encodeBody(draw: Draw, text: string): { readonly body: string; readonly headers: readonly string[] } {
  const bytes = Buffer.from(text, draw.chance(50) ? 'utf8' : 'latin1');
  if (draw.chance(75)) return { body: bytes.toString('latin1'), headers: [] };
  const [coding, code] = draw.pick([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['gzip, gzip', (from: Buffer) => gzipSync(gzipSync(from))],
    ['constructor', (from: Buffer) => from],
    ['gzip', (from: Buffer) => from],
    ['br', gzipSync],
    ['gzip,'.repeat(500), gzipSync],
  ] as const);
  const large = draw.chance(20) ? Buffer.alloc(4 * 1024 * 1024) : bytes;
  return { body: code(large).toString('latin1'), headers: [`Content-Encoding: ${coding}`] };
}

/** Invalid sizes of a chunk. */
const sizes = ['-1', 'ffffffffffffffffff', 'zz', '1;'];

/** Adds framing headers to a body, correctly or not. */
function frameBody(draw: Draw, body: string): { readonly headers: readonly string[]; readonly body: string } {
  const chunks = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`;
  const right = [
    { headers: [`Content-Length: ${body.length}`], body },
    { headers: ['Transfer-Encoding: chunked'], body: `${chunks}0\r\n${draw.chance(20) ? 'X-Trailer: 1\r\n' : ''}\r\n` },
  ];
  if (draw.chance(85)) return draw.pick(right);
  return draw.pick([
    { headers: [`Content-Length: ${body.length + draw.integer(1, 50)}`], body },
    { headers: [`Content-Length: ${Math.max(0, body.length - draw.integer(1, 50))}`], body },
    { headers: [`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'], body: `${chunks}0\r\n\r\n` },
    { headers: [`Content-Length: ${body.length}`, `Content-Length: ${body.length + 1}`], body },
    { headers: ['Transfer-Encoding: chunked'], body: `${draw.pick(sizes)}\r\n${body}\r\n` },
    { headers: [`Transfer-Encoding${draw.pick([': gzip', ': gzip, chunked', ' : chunked'])}`], body: chunks },
    { headers: [], body },
    { headers: ['Content-Length: 99999999999999999999'], body },
  ]);
}

const strangeHeaders = [
  'Connection: content-length, transfer-encoding, host, authorization',
  'Expect: 100-continue',
  'Expect: tea',
  'Upgrade: websocket',
  'Host: rebound.example',
  'Authorization: a',
  'X-Forwarded-For: <script>',
  'Origin: null',
  'X-Sandbox-Outgoing: 1',
  'X-Trace-Id: \x7f',
  `X-Long: ${'x'.repeat(9000)}`,
  `traceparent: ${'0'.repeat(3000)}`,
  'X: a\r\n folded',
  'X: a\x00b',
  'Set-Cookie: \xff\xfe',
  '__proto__: x',
  ': x',
];

/** Generates one exchange, with `mark` in its request and its reply. */
export function generateExchange(draw: Draw, mark: string): GeneratedExchange {
  const { id, replies } = draw.pick(operations);
  const draft = example(id, draw.pick(replies).status);
  const base = draft.server === 'webhook' ? '' : registry[draft.server].prefix;
  const query = new URLSearchParams(draft.query).toString();
  const path = `${base}${draft.path}${query === '' ? '' : `?${query}`}`;
  const strange = [`${path}&__proto__=1&constructor=2&${'a=&'.repeat(500)}`, path.replace('/', '/%'), `${path}/../..`];
  const elsewhere = ['/x', '*', '/%ff', `/${'y'.repeat(20_000)}`, '/\x01', 'http://x/', '/__proxy/findings'];
  const target = draw.chance(92) ? path : draw.pick([...strange, ...elsewhere]);
  const method = draw.chance(95)
    ? draft.method
    : draw.pick(['GET', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'CONNECT', 'BREW']);
  const codedRequest = encodeBody(
    draw,
    draft.request.body === undefined && draw.chance(80) ? '' : json(draw, draft.request.body),
  );
  const codedReply = encodeBody(draw, json(draw, draft.reply.body));
  const extra = () => (draw.chance(12) ? [draw.pick(strangeHeaders)] : []);
  const lines = (headers: Record<string, string>) =>
    Object.entries(headers).flatMap(([name, value]) => (draw.chance(3) ? [] : [`${name}: ${value}`]));
  const framedRequest = frameBody(draw, codedRequest.body);
  const framedReply = frameBody(draw, codedReply.body);
  const version = draw.chance(97) ? 'HTTP/1.1' : draw.pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTQ/1']);
  const status = draw.chance(80)
    ? String(draft.reply.status)
    : draw.pick(['000', '050', '099', '100', '101', '103', '199', '204', '304', '999', '20', '2000', 'abc']);
  const reason = draw.chance(90) ? 'OK' : draw.pick(['\x01', '\x7f', '', 'x'.repeat(5000), '\xff']);
  const top = [`${method} ${target} ${version}`, 'Host: 127.0.0.1', 'Connection: close', `X-Fuzz: ${mark}`];
  const own = (of: Record<string, string>, ...coded: readonly { readonly headers: readonly string[] }[]) => [
    ...lines(of),
    ...coded.flatMap(({ headers }) => headers),
    ...extra(),
  ];
  const requestHead = [...top, ...own(draft.request.headers, codedRequest, framedRequest)];
  const behind = draw.chance(5) ? 'HTTP/1.1 200 OK\r\nX-Fuzz: another\r\nContent-Length: 0\r\n\r\n' : '';
  const replyTop = [`HTTP/1.1 ${status} ${reason}`, `X-Fuzz: ${mark}`];
  const replyHead = [...replyTop, ...own(draft.reply.headers, codedReply, framedReply)];
  return {
    request: `${requestHead.join('\r\n')}\r\n\r\n${framedRequest.body}`,
    reply: draw.chance(2) ? '' : `${replyHead.join('\r\n')}\r\n\r\n${framedReply.body}${behind}`,
    har: harEntry(draw, `http://127.0.0.1:4010${path}`, method, draft),
    activity: activityEntry(draw, path, method, id, draft),
  };
}

type Example = ReturnType<typeof example>;

/** Returns a field, sometimes with an unexpected value. */
function field(draw: Draw, right: unknown): string {
  if (draw.chance(92)) return JSON.stringify(right) ?? 'null';
  const deep = '['.repeat(3000).concat(']'.repeat(3000));
  return draw.pick(['null', '5', '-1', '"x"', '[]', '[null]', '{}', '{"__proto__":1}', '1e300', deep]);
}

function harEntry(draw: Draw, url: string, method: string, { request, reply }: Example): string {
  const headers = (of: Record<string, string>) => Object.entries(of).map(([name, value]) => ({ name, value }));
  const body = (value: unknown) =>
    // A capture cannot contain unpaired surrogates.
    field(draw, { text: json(draw, value).toWellFormed(), encoding: draw.pick([undefined, 'base64']) });
  const requestEntry = `{"url":${field(draw, url)},"method":${field(draw, method)},"headers":${field(draw, headers(request.headers))},"postData":${body(request.body)}}`;
  const status = field(draw, draw.chance(80) ? reply.status : draw.pick([0, 50, 99, 1000, -1, 200.5]));
  return `{"request":${requestEntry},"response":{"status":${status},"headers":${field(draw, headers(reply.headers))},"content":${body(reply.body)}}}`;
}

function activityEntry(
  draw: Draw,
  url: string,
  method: string,
  operation: string,
  { request, reply }: Example,
): string {
  const body = (value: unknown) => {
    const text = json(draw, value);
    return isJson(text) ? text : 'null';
  };
  const fields = {
    kind: field(draw, draw.pick(['call_in', 'call_out', 'state'])),
    trace: field(draw, 't'),
    operation: field(draw, operation),
    method: field(draw, method),
    url: field(draw, url),
    status: field(draw, reply.status),
    request: body(request.body),
    reply: body(reply.body),
  };
  return `{${Object.entries(fields)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;
}

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
