import type { ServerName } from '../apis/registry.ts';
import { type Body, type Exchange, type HeaderList, header, isStatus, serverOf, webhookOf } from './exchange.ts';

/** Addresses of servers that are not laid out as the sandbox is. */
export type ServerAddresses = Readonly<Partial<{ [server in ServerName]: URL }>>;

type Unknown = Readonly<Record<string, unknown>>;

/**
 * An entry of a HAR as an exchange: `outside` when it is under no contract's address, `unreadable` when it holds no
 * complete exchange, or not as a HAR does. Anybody may have written it.
 */
export function fromHar(value: unknown, addresses: ServerAddresses): Exchange | 'outside' | 'unreadable' {
  const { request, response } = object(value);
  const { url: address, method, postData } = object(request);
  const { status, content } = object(response);
  const [sent, got] = [headersOf(request), headersOf(response)];
  if (typeof address !== 'string' || typeof method !== 'string' || !URL.canParse(address)) return 'unreadable';
  // Browsers note 0 for what was blocked or broken off.
  if (!isStatus(status) || sent === undefined || got === undefined) return 'unreadable';
  const url = new URL(address);
  const placed = place(url, addresses) ?? webhookOf(method, sent);
  // A browser asks this for itself before a call to another origin.
  const preflight = method === 'OPTIONS' && header(sent, 'access-control-request-method') !== undefined;
  if (placed === undefined || preflight) return 'outside';
  const asked = bodyOf(postData, object(request).bodySize);
  const answered = bodyOf(content, object(content).size ?? object(response).bodySize);
  if (asked === undefined || answered === undefined) return 'unreadable';
  const { server, below } = placed;
  return {
    server,
    path: below,
    method: method.toUpperCase(),
    url: `${url.pathname}${url.search}`,
    request: { headers: sent, body: asked },
    reply: { status, headers: got, body: answered },
    masked: 'blanked',
  };
}

/** The fields of a value; none where it has none. */
function object(value: unknown): Unknown {
  return typeof value === 'object' && value !== null ? (value as Unknown) : {};
}

function place(url: URL, addresses: ServerAddresses): { server: ServerName; below: string } | undefined {
  for (const [server, base] of Object.entries(addresses) as [ServerName, URL][]) {
    const prefix = base.pathname.replace(/\/$/, '');
    if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`)) continue;
    return { server, below: `${url.pathname.slice(prefix.length)}${url.search}` };
  }
  return serverOf(`${url.pathname}${url.search}`);
}

/** Headers without those that HTTP/2 writes for the request line; undefined where they are none. */
function headersOf(message: unknown): HeaderList | undefined {
  const { headers = [] } = object(message);
  if (!Array.isArray(headers)) return undefined;
  const pairs = headers.map((header) => [object(header).name, object(header).value] as const);
  if (!pairs.every((pair): pair is readonly [string, string] => pair.every((part) => typeof part === 'string'))) {
    return undefined;
  }
  return pairs.filter(([name]) => !name.startsWith(':'));
}

/** A body as it was kept: without its content coding, maybe not at all; undefined where it is none. */
function bodyOf(kept: unknown, size: unknown): Body | undefined {
  const { text, encoding } = object(kept);
  if (text === undefined && typeof size === 'number' && size > 0) {
    return { kind: 'unseen', why: 'the capture does not hold it' };
  }
  if (text !== undefined && typeof text !== 'string') return undefined;
  return { kind: 'bytes', bytes: Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8'), plain: true };
}
