/** The recording styles of eight kinds of tools. All of them contain the same requests and replies. */
import { har } from '../../harness/captures.ts';
import { type Call, entryOf } from './recording.ts';

type Entry = ReturnType<typeof entryOf>;
type Header = { name: string; value: string };

/** The style of one tool. Omitted properties default to `entryOf`. */
interface Style {
  readonly byStart?: boolean;
  /** Serializes a sent or received body. */
  readonly json?: (value: unknown) => string;
  readonly name?: (header: string) => string;
  readonly sent?: readonly Header[];
  readonly received?: readonly Header[];
  readonly type?: string;
  readonly scheme?: string;
  readonly date?: (iso: string) => string;
  readonly entry?: (entry: Entry) => object;
  /** Additional calls in the recording. */
  readonly others?: readonly object[];
}

const header = (name: string, value: string): Header => ({ name, value });
const titled = (name: string) => name.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
const ascii = (text: string) =>
  text.replaceAll(/[^\n -~]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
const outside = (
  method: string,
  path: string,
  host = 'http://client-one.example',
  headers: readonly Header[] = [],
) => ({
  startedDateTime: '2026-01-12T04:29:00.000Z',
  time: 3,
  request: { method, url: `${host}${path}`, headers, bodySize: 0 },
  response: { status: 200, headers: [], content: { size: 2, text: '{}' } },
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([key, field]) => [key, sorted(field)]));
}

const styles: Readonly<Record<string, Style>> = {
  mitmproxy: {
    sent: [header(':method', 'POST'), header(':authority', '127.0.0.1:4010')],
    received: [header(':status', '200'), header('content-encoding', 'gzip')],
    entry: ({ response, ...rest }) => {
      const { text, ...content } = response.content;
      const coded = text && { text: Buffer.from(text).toString('base64'), encoding: 'base64' };
      return { ...rest, response: { ...response, content: { ...content, ...coded } } };
    },
  },
  chrome: {
    byStart: true,
    sent: [header('sec-fetch-mode', 'cors'), header('origin', 'https://app.example')],
    entry: (entry) => ({ ...entry, _initiator: { type: 'script' }, time: entry.time && entry.time - 0.25 }),
    others: [
      outside('OPTIONS', '/saveRedeemDetails', undefined, [header('access-control-request-method', 'POST')]),
      outside('GET', '/favicon.ico', 'https://app.example'),
    ],
  },
  curl: {
    scheme: 'bearer',
    name: titled,
    sent: [header('User-Agent', 'curl/8.5.0'), header('Accept', '*/*'), header('Expect', '100-continue')],
    others: [outside('GET', '/health'), outside('GET', '/')],
  },
  go: {
    name: titled,
    json: (value) => `${JSON.stringify(sorted(value)).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c')}\n`,
    sent: [header('Accept-Encoding', 'gzip')],
    received: [header('Content-Encoding', 'gzip'), header('Vary', 'Accept-Encoding')],
    others: [outside('GET', '/healthz'), outside('HEAD', '/readyz')],
  },
  java: {
    type: 'application/json;charset=UTF-8',
    received: [header('transfer-encoding', 'chunked')],
    date: (iso) => `${new Date(Date.parse(iso) + 19_800_000).toISOString().slice(0, -1)}+05:30`,
    others: [outside('GET', '/actuator/health')],
  },
  php: {
    json: (value) => ascii(JSON.stringify(value)).replaceAll('/', '\\/'),
    received: [header('X-Powered-By', 'PHP/8.3'), header('set-cookie', 'a=b'), header('set-cookie', 'c=d')],
    others: [outside('GET', '/ping.php')],
  },
  dotnet: {
    byStart: true,
    type: 'application/json; charset=utf-8',
    name: titled,
    json: (value) => ascii(JSON.stringify(value, null, 2)),
    date: (iso) => iso.replace('Z', '0000Z'),
    others: [outside('GET', '/status')],
  },
  accessLog: {},
};

/** The names of the styles. */
export const styleNames: readonly string[] = Object.keys(styles);

function entryIn(call: Call, style: Style): object {
  const { json = JSON.stringify, name = String, sent = [], received = [], type, scheme, date = String } = style;
  const entry = entryOf(call);
  const { request, response } = entry;
  const { postData } = request as { postData?: object };
  const rewrite = (of: Header): Header => {
    const isType = of.name === 'content-type' && of.value === 'application/json';
    const value = scheme === undefined ? of.value : of.value.replace(/^Bearer /, `${scheme} `);
    return { name: name(of.name), value: isType ? (type ?? of.value) : value };
  };
  const isJson = response.content.text !== undefined && call.server !== 'portal';
  const text = isJson ? json(call.reply) : response.content.text;
  const made = {
    ...entry,
    ...('startedDateTime' in entry && { startedDateTime: date(String(entry.startedDateTime)) }),
    request: {
      ...request,
      headers: [...request.headers.map(rewrite), ...sent],
      ...(postData !== undefined && { postData: { ...postData, text: json(call.body) }, bodySize: -1 }),
    },
    response: {
      ...response,
      headers: [...response.headers.map(rewrite), ...(response.status === 0 ? [] : received)],
      content: { ...response.content, ...(text !== undefined && { text, size: text.length }) },
    },
  } as Entry;
  return style.entry?.(made) ?? made;
}

/** Converts a call to an access log line, which a server writes when the call has ended. */
function line(call: Call): string {
  const { method, headers, body, status, reply, replyHeaders, start, end } = call;
  const { request, response } = entryOf(call);
  const time = Number.isNaN(start) ? {} : { time: new Date(end).toISOString(), duration_ms: end - start };
  const received = { status: status ?? 0, headers: replyHeaders, body: reply ?? response.content.text ?? null };
  const sent = { method, url: request.url, headers, body: body ?? null };
  return JSON.stringify({ ...time, request: sent, response: received });
}

/** Serializes the recording of these calls in a style. */
export function writeDown(name: string, calls: readonly Call[]): string {
  const style = styles[name] ?? {};
  if (name === 'accessLog') {
    const started = '{"level":30,"msg":"listening on port 8080"}';
    return `${[started, ...calls.map(line)].join('\n')}\n`;
  }
  const ordered = style.byStart === true ? calls.toSorted((one, other) => one.start - other.start) : calls;
  return har([...(style.others ?? []), ...ordered.map((call) => entryIn(call, style))]);
}
