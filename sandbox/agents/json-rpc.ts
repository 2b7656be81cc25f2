/** JSON-RPC 2.0 over lines, as the Model Context Protocol has it on standard input and output. */

/** Answers a request; rejects with `RpcError` where it cannot be. */
export type Answer = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** A refusal with a code of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Longest line that is read, in characters, and most requests that are answered at once. */
export const rpcLimits = { line: 1024 * 1024, atOnce: 32 } as const;

type Id = string | number | null;

/**
 * Reads lines to their end and answers each request by a line to `write`, in the order in which the answers come.
 * Resolves when the last is answered. Notifications are not answered.
 */
export async function serveLines(
  input: AsyncIterable<string>,
  answer: Answer,
  write: (line: string) => void,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const reply = (id: Id, of: { result: unknown } | { error: { code: number; message: string } }) =>
    write(`${JSON.stringify({ jsonrpc: '2.0', id, ...of })}\n`);
  const refuse = (id: Id, code: number, message: string) => reply(id, { error: { code, message } });
  for await (const line of linesOf(input)) {
    if (line === undefined) {
      refuse(null, -32700, `A line is longer than ${rpcLimits.line} characters.`);
      continue;
    }
    if (line.trim() === '') continue;
    const request = parsed(line);
    if (request === undefined) {
      refuse(null, -32700, 'A line is not a JSON object with a method.');
      continue;
    }
    const { id, method, params } = request;
    if (id === undefined) continue;
    if (underWay.size >= rpcLimits.atOnce) {
      refuse(id, -32000, `${rpcLimits.atOnce} requests are already in progress.`);
      continue;
    }
    const work = answer(method, params)
      .then((result) => reply(id, { result }))
      .catch((error: Error) => refuse(id, error instanceof RpcError ? error.code : -32603, error.message))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }
  await Promise.all(underWay);
}

interface Request {
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function parsed(line: string): Request | undefined {
  try {
    const value = JSON.parse(line) as Record<string, unknown> | null;
    if (typeof value !== 'object' || typeof value?.method !== 'string') return undefined;
    const { id, method, params } = value;
    const known = typeof id === 'string' || typeof id === 'number' ? id : undefined;
    return { id: known, method, params: typeof params === 'object' && params !== null ? (params as Node) : {} };
  } catch {
    // No JSON: the caller is told.
    return undefined;
  }
}

type Node = Readonly<Record<string, unknown>>;

/** Each line; undefined for one that is too long, which is not kept. */
async function* linesOf(input: AsyncIterable<string>): AsyncGenerator<string | undefined, void, void> {
  let open = '';
  let isTooLong = false;
  for await (const chunk of input) {
    const parts = `${open}${chunk}`.split('\n');
    open = parts.pop() ?? '';
    for (const part of parts) {
      yield isTooLong || part.length > rpcLimits.line ? undefined : part;
      isTooLong = false;
    }
    if (open.length > rpcLimits.line) {
      isTooLong = true;
      open = '';
    }
  }
  if (open !== '' && !isTooLong) yield open;
}
