/** Sends generated exchanges through proxies in both modes, and runs the check on them as captures. */
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { checkCapture } from '../../../sandbox/conformance/capture.ts';
import { Draw } from '../../harness/drawing.ts';
import { proxyTo, sharedChecker } from '../../harness/proxy.ts';
import { openConnection, recorder } from '../recorder.ts';
import { type GeneratedExchange, generateExchange } from './generated.ts';

/** Numbers of concurrent exchanges and of entries in one capture. */
const lanes = 32;
const entries = 250;
/** Time limit of an exchange on a busy machine, in milliseconds. The proxy allows one second for a request and five for a reply. */
const maxMilliseconds = 60_000;
const page = '{"items":[],"next_cursor":null,"has_more":false}';
const good = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Trace-Id: ${'ab'.repeat(16)}\r\nContent-Length: ${page.length}\r\n\r\n${page}`;

/** The result of a fuzz run. */
export interface Outcome {
  /** Numbers of replies from the server behind the proxy and from the proxy itself, and of missing replies. */
  readonly replies: { readonly theirs: number; readonly own: number; readonly none: number };
  readonly uncaught: readonly string[];
  /** The heap growth after the first tenth of the run, in bytes. */
  readonly grownBytes: number;
}

/** Runs `count` exchanges and fails at the first wrong result. The same seed generates the same exchanges. */
export async function fuzz(seed: string, count: number): Promise<Outcome> {
  const draw = new Draw(seed);
  const uncaught: string[] = [];
  const recordError = (error: unknown) => uncaught.push(String(error instanceof Error ? error.stack : error));
  process.on('uncaughtException', recordError).on('unhandledRejection', recordError);
  const planned = new Map<string, GeneratedExchange>();
  const limits = { requestMilliseconds: 1000 };
  const behind = await recorder((input) => {
    if (!input.includes('\r\n\r\n')) return undefined;
    const [, mark = ''] = /^x-fuzz: (\d+)\r$/im.exec(input) ?? [];
    return planned.get(mark)?.reply ?? good;
  });
  const proxies = await Promise.all(
    (['report', 'enforce'] as const).map((mode) => proxyTo(behind.url, { mode, limits, replyMilliseconds: 5000 })),
  );
  const replies = { theirs: 0, own: 0, none: 0 };
  let next = 0;
  let before = 0;
  const unchecked: GeneratedExchange[] = [];
  const lane = async () => {
    while (next < count) {
      const mark = String(next);
      const proxy = proxies[next % 2];
      next += 1;
      if (next === Math.ceil(count / 10)) before = heap();
      const exchange = generateExchange(draw, mark);
      planned.set(mark, exchange);
      unchecked.push(exchange);
      if (unchecked.length >= entries) await checkBoth(unchecked.splice(0));
      const reply = await send(proxy?.url ?? '', exchange.request);
      planned.delete(mark);
      replies[senderOf(reply, mark, exchange)] += 1;
      for (const input of behind.takeEnded()) expectOneRequest(input);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await checkBoth(unchecked);
  for (const { url } of proxies) {
    const headers = { authorization: 't', connection: 'close' };
    const answer = await fetch(`${url}/rewards/v1/partner/rewards`, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, page]);
  }
  process.off('uncaughtException', recordError).off('unhandledRejection', recordError);
  return { replies, uncaught, grownBytes: heap() - before };
}

/** Sends bytes. Returns the beginning of the reply after the connection has closed. */
async function send(url: string, bytes: string): Promise<string> {
  const socket = openConnection(url, bytes);
  let text = '';
  socket.on('data', (chunk) => {
    if (text.length < 4096) text += chunk.toString('latin1');
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`no end to ${JSON.stringify(bytes.slice(0, 300))}`)),
    maxMilliseconds,
  );
  socket.once('close', () => resolve());
  await promise.finally(() => clearTimeout(timer));
  return text;
}

/** Returns the sender of a reply. Throws if it is the reply to another exchange. */
function senderOf(received: string, mark: string, { request, reply }: GeneratedExchange): keyof Outcome['replies'] {
  const final = received.replace(/^(HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/, '');
  if (final === '') return 'none';
  const head = final.split('\r\n\r\n', 1)[0] ?? '';
  const own = /^x-answered-by: rewards-sandbox-proxy\r?$/im.test(head);
  const marks = [...head.matchAll(/^x-fuzz: (\w+)\r?$/gim)].map(([, of]) => of);
  const isOwnReply = own ? marks.length === 0 : marks.every((of) => of === mark) && marks.length > 0;
  const plain = /x-answered-by/i.test(request + reply);
  if (!isOwnReply && !plain)
    throw new Error(`not its reply: ${JSON.stringify({ head, request: request.slice(0, 300) })}`);
  return own ? 'own' : 'theirs';
}

/** Asserts that these bytes of a connection are one request or the start of one. */
function expectOneRequest(bytes: string): void {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return;
  const [head, body] = [bytes.slice(0, end), bytes.slice(end + 4)];
  const lengths = [...head.matchAll(/^content-length: (\d+)\r?$/gim)];
  const codings = [...head.matchAll(/^transfer-encoding: (.*?)\r?$/gim)];
  expect(lengths.length + codings.length, head).toBeLessThanOrEqual(1);
  expect([...head.matchAll(/^host: /gim)], head).toHaveLength(1);
  if (codings.length === 0) return expect(body.length, head).toBeLessThanOrEqual(Number(lengths[0]?.[1] ?? 0));
  expect(codings[0]?.[1]).toBe('chunked');
  let rest = body;
  while (rest !== '') {
    const [, size = '', line = ''] = /^(([0-9a-f]+)\r\n)/.exec(rest) ?? [];
    if (size === '') return expect('0123456789abcdef\r\n').toContain(rest.at(0));
    const length = Number.parseInt(line, 16);
    rest = rest.slice(size.length + length + 2);
    if (length === 0) expect(rest).toBe('');
  }
}

/** Asserts that each entry of a capture is checked, skipped or counted as unreadable. */
async function checkBoth(of: readonly GeneratedExchange[]): Promise<void> {
  const checker = sharedChecker();
  const settings = { version: '0.0.0', addresses: {} };
  const countEntries = async (text: string) => {
    const { exchanges } = (await checkCapture(Readable.from([text]), checker, settings)).report;
    return exchanges.checked + exchanges.outside + exchanges.unreadable;
  };
  expect(await countEntries(`{"log":{"entries":[${of.map(({ har }) => har).join()}]}}`)).toBe(of.length);
  // State changes and duplicate calls are read but not counted.
  expect(await countEntries(`{"items":[${of.map(({ activity }) => activity).join()}]}`)).toBeLessThanOrEqual(of.length);
}

/** Returns the heap size after garbage collection, in bytes. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
