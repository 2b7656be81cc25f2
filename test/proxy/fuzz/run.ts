/** Sends generated exchanges through proxies of both modes, and the same as captures through the check. */
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { checkCapture } from '../../../sandbox/conformance/capture.ts';
import { Draw } from '../../harness/drawing.ts';
import { proxyTo, sharedChecker } from '../../harness/proxy.ts';
import { opened, recorder } from '../recorder.ts';
import { type Made, made } from './generated.ts';

/** Exchanges under way at a time, and entries of one capture. */
const lanes = 32;
const entries = 250;
/** Longest time that an exchange may take on a busy machine; a request may take a second, a reply five. */
const mostMilliseconds = 60_000;
const page = '{"items":[],"next_cursor":null,"has_more":false}';
const good = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Trace-Id: ${'ab'.repeat(16)}\r\nContent-Length: ${page.length}\r\n\r\n${page}`;

/** What came of a run. */
export interface Outcome {
  /** Replies by who gave them: the server behind, the proxy, or nobody. */
  readonly replies: { readonly theirs: number; readonly own: number; readonly none: number };
  readonly uncaught: readonly string[];
  /** What the heap grew by, after a tenth of the run. */
  readonly grownBytes: number;
}

/** Runs so many exchanges, and fails at the first that is not as it must be; the seed makes the same ones again. */
export async function fuzz(seed: string, count: number): Promise<Outcome> {
  const draw = new Draw(seed);
  const uncaught: string[] = [];
  const note = (error: unknown) => uncaught.push(String(error instanceof Error ? error.stack : error));
  process.on('uncaughtException', note).on('unhandledRejection', note);
  const planned = new Map<string, Made>();
  const limits = { requestMilliseconds: 1000 };
  const behind = await recorder((got) => {
    if (!got.includes('\r\n\r\n')) return undefined;
    const [, mark = ''] = /^x-fuzz: (\d+)\r$/im.exec(got) ?? [];
    return planned.get(mark)?.reply ?? good;
  });
  const proxies = await Promise.all(
    (['report', 'enforce'] as const).map((mode) => proxyTo(behind.url, { mode, limits, replyMilliseconds: 5000 })),
  );
  const replies = { theirs: 0, own: 0, none: 0 };
  let next = 0;
  let before = 0;
  const kept: Made[] = [];
  const lane = async () => {
    while (next < count) {
      const mark = String(next);
      const proxy = proxies[next % 2];
      next += 1;
      if (next === Math.ceil(count / 10)) before = heap();
      const exchange = made(draw, mark);
      planned.set(mark, exchange);
      kept.push(exchange);
      if (kept.length >= entries) await checkBoth(kept.splice(0));
      const came = await send(proxy?.url ?? '', exchange.request);
      planned.delete(mark);
      replies[judged(came, mark, exchange)] += 1;
      for (const got of behind.take()) expectOneRequest(got);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await checkBoth(kept);
  for (const { url } of proxies) {
    const headers = { authorization: 't', connection: 'close' };
    const answer = await fetch(`${url}/rewards/v1/partner/rewards`, { headers });
    expect([answer.status, await answer.text()]).toEqual([200, page]);
  }
  process.off('uncaughtException', note).off('unhandledRejection', note);
  return { replies, uncaught, grownBytes: heap() - before };
}

/** Sends bytes, and takes the beginning of what comes until the connection ends. */
async function send(url: string, bytes: string): Promise<string> {
  const socket = opened(url, bytes);
  let text = '';
  socket.on('data', (chunk) => {
    if (text.length < 4096) text += chunk.toString('latin1');
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(
    () => reject(new Error(`no end to ${JSON.stringify(bytes.slice(0, 300))}`)),
    mostMilliseconds,
  );
  socket.once('close', () => resolve());
  await promise.finally(() => clearTimeout(timer));
  return text;
}

/** Whose reply came. Fails at one that is another's. */
function judged(came: string, mark: string, { request, reply }: Made): keyof Outcome['replies'] {
  const final = came.replace(/^(HTTP\/1\.1 100 [^\r]*\r\n\r\n)+/, '');
  if (final === '') return 'none';
  const head = final.split('\r\n\r\n', 1)[0] ?? '';
  const own = /^x-answered-by: rewards-sandbox-proxy\r?$/im.test(head);
  const marks = [...head.matchAll(/^x-fuzz: (\w+)\r?$/gim)].map(([, of]) => of);
  const fits = own ? marks.length === 0 : marks.every((of) => of === mark) && marks.length > 0;
  const plain = /x-answered-by/i.test(request + reply);
  if (!fits && !plain) throw new Error(`not its reply: ${JSON.stringify({ head, request: request.slice(0, 300) })}`);
  return own ? 'own' : 'theirs';
}

/** Fails unless these bytes of a connection are one request, or the beginning of one. */
function expectOneRequest(got: string): void {
  const end = got.indexOf('\r\n\r\n');
  if (end < 0) return;
  const [head, body] = [got.slice(0, end), got.slice(end + 4)];
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

/** Each entry of a capture is checked, or told to be something else. */
async function checkBoth(of: readonly Made[]): Promise<void> {
  const checker = sharedChecker();
  const settings = { version: '0.0.0', addresses: {} };
  const told = async (text: string) => {
    const { exchanges } = (await checkCapture(Readable.from([text]), checker, settings)).report;
    return exchanges.checked + exchanges.outside + exchanges.unreadable;
  };
  expect(await told(`{"log":{"entries":[${of.map(({ har }) => har).join()}]}}`)).toBe(of.length);
  // Changes of state, and calls that are there twice, are read and not counted.
  expect(await told(`{"items":[${of.map(({ activity }) => activity).join()}]}`)).toBeLessThanOrEqual(of.length);
}

/** What the heap holds once nothing more can be let go. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
