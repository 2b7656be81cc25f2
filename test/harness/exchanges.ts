/** Builds exchanges from the contracts' own examples, for tests that corrupt them. */
import { isApart } from '../../sandbox/apis/registry.ts';
import { type Exchange, serverOf } from '../../sandbox/conformance/exchange.ts';
import { loadContracts, type Operation } from './contracts.ts';
import { exampleReply, exampleRequest } from './prism.ts';

/** An exchange in an editable form: headers by lower-case name, bodies as values. A string body is sent unchanged. */
export interface Draft {
  server: Exchange['server'];
  method: string;
  path: string;
  query: Record<string, string>;
  readonly request: { headers: Record<string, string>; body: unknown };
  readonly reply: { status: number; headers: Record<string, string>; body: unknown };
}

const operationIds = new Set<string>();
/** Every operation under `paths`, without duplicates when two contracts define the same operation. */
export const operations: readonly Operation[] = loadContracts()
  .filter(({ name }) => !isApart(name))
  .flatMap((contract) => contract.operations)
  .filter(({ id }) => !operationIds.has(id) && operationIds.add(id) !== undefined);

/** Builds an exchange from the operation's examples. Throws if the operation or reply does not exist. */
export function example(operationId: string, status?: number): Draft {
  const operation = operations.find(({ id }) => id === operationId);
  const reply = operation?.replies.find((each) => status === undefined || each.status === status);
  if (operation === undefined || reply === undefined) throw new Error(`no ${operationId} with ${status}`);
  const { method, url, headers = {}, body } = exampleRequest(operation);
  const response = exampleReply(reply);
  const target = serverOf(`${operation.address}${url.path}`);
  if (target === undefined) throw new Error(`${operationId} has no address`);
  const query = { ...(url.query as Record<string, string>) };
  // The example page contains items of both types and is not the page at the example cursor.
  if (operationId === 'listRewards' && response.statusCode < 400) {
    delete query.type;
    delete query.cursor;
  }
  return {
    server: target.server,
    method: method.toUpperCase(),
    path: target.below,
    query,
    request: { headers: lower(headers), body: structuredClone(body) },
    reply: {
      status: response.statusCode,
      headers: lower(response.headers ?? {}),
      body: structuredClone(response.body),
    },
  };
}

/** Converts a draft to the exchange sent over the wire. */
export function exchange({ server, method, path, query, request, reply }: Draft): Exchange {
  const search = new URLSearchParams(query).toString();
  const below = search === '' ? path : `${path}?${search}`;
  const message = ({ headers, body }: { headers: Record<string, string>; body: unknown }) => ({
    headers: Object.entries(headers),
    body: { kind: 'bytes', bytes: bytes(body) } as const,
  });
  return {
    server,
    method,
    path: below,
    url: `/${server}${below}`,
    request: message(request),
    reply: { ...message(reply), status: reply.status },
  };
}

function bytes(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

function lower(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
