import { type Body, type Exchange, type HeaderList, header, type ServerName, serverOf, webhookOf } from './exchange.ts';

/** Addresses of servers that are not laid out as the sandbox is. */
export type ServerAddresses = Readonly<Partial<{ [server in ServerName]: URL }>>;

interface HarMessage {
  readonly headers?: readonly { readonly name: string; readonly value: string }[];
  readonly bodySize?: number;
}

/** What of a HAR entry is read. */
interface HarEntry {
  readonly request?: HarMessage & {
    readonly method?: string;
    readonly url?: string;
    readonly postData?: { readonly text?: string; readonly encoding?: string };
  };
  readonly response?: HarMessage & {
    readonly status?: number;
    readonly content?: { readonly text?: string; readonly encoding?: string; readonly size?: number };
  };
}

/**
 * An entry of a HAR as an exchange: `outside` when it is under no contract's address, `unreadable` when it holds no complete
 * exchange.
 */
export function fromHar(value: unknown, addresses: ServerAddresses): Exchange | 'outside' | 'unreadable' {
  const { request, response } = (value ?? {}) as HarEntry;
  if (typeof request?.url !== 'string' || typeof request.method !== 'string' || !URL.canParse(request.url)) {
    return 'unreadable';
  }
  const status = response?.status ?? 0;
  // Browsers note 0 for what was blocked or broken off.
  if (response === undefined || status < 100) return 'unreadable';
  const url = new URL(request.url);
  const headers = headersOf(request);
  const placed = place(url, addresses) ?? webhookOf(request.method, headers);
  // A browser asks this for itself before a call to another origin.
  const preflight = request.method === 'OPTIONS' && header(headers, 'access-control-request-method') !== undefined;
  if (placed === undefined || preflight) return 'outside';
  const { content = {} } = response;
  const { server, below } = placed;
  return {
    server,
    path: below,
    method: request.method.toUpperCase(),
    url: `${url.pathname}${url.search}`,
    request: { headers, body: bodyOf(request.postData ?? {}, request.bodySize ?? 0) },
    reply: { status, headers: headersOf(response), body: bodyOf(content, content.size ?? response.bodySize ?? 0) },
    masked: true,
  };
}

function place(url: URL, addresses: ServerAddresses): { server: ServerName; below: string } | undefined {
  for (const [server, base] of Object.entries(addresses) as [ServerName, URL][]) {
    const prefix = base.pathname.replace(/\/$/, '');
    if (url.origin !== base.origin || !url.pathname.startsWith(`${prefix}/`)) continue;
    return { server, below: `${url.pathname.slice(prefix.length)}${url.search}` };
  }
  return serverOf(`${url.pathname}${url.search}`);
}

/** Headers without those that HTTP/2 writes for the request line. */
function headersOf({ headers = [] }: HarMessage): HeaderList {
  return headers.filter(({ name }) => !name.startsWith(':')).map(({ name, value }) => [name, value]);
}

/** A body as it was kept: without its content coding, maybe not at all. */
function bodyOf({ text, encoding }: { readonly text?: string; readonly encoding?: string }, size: number): Body {
  if (text === undefined && size > 0) return { kind: 'unseen', why: 'the capture does not hold it' };
  return { kind: 'bytes', bytes: Buffer.from(text ?? '', encoding === 'base64' ? 'base64' : 'utf8'), plain: true };
}
