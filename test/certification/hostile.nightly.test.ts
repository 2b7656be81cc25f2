/** The hostile servers behave as intended. */
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { closesWithTest } from '../harness/http-server.ts';
import { hostileServers, startDripping, startRedirecting } from './hostile-servers.ts';

/** The most bytes that are read of a reply. */
const most = 2 * 1024 * 1024;

interface Received {
  readonly text: string;
  readonly bytes: Buffer;
  readonly end: 'closed' | 'reset' | 'open' | 'too much';
}

/**
 * Reads what a server sends for one call, until it ends, is too much, or, after `isEnough`, pauses. A busy machine gets
 * the time that it needs.
 */
async function receiveFrom(
  start: (() => Promise<{ url: string; close: () => Promise<void> }>) | undefined,
  isEnough: (text: string) => boolean,
): Promise<Received> {
  if (start === undefined) throw new Error('there is no such server');
  const { url, close } = await start();
  closesWithTest(close);
  const chunks: Buffer[] = [];
  const end = await new Promise<Received['end']>((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let length = 0;
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > most) resolve('too much');
    });
    socket.setTimeout(200, () => {
      if (isEnough(Buffer.concat(chunks).toString('latin1'))) resolve('open');
    });
    socket.on('error', () => resolve('reset'));
    socket.on('close', () => resolve('closed'));
    socket.write('POST /getProfileAndPoints?uid=ANN HTTP/1.1\r\nHost: client\r\nContent-Length: 0\r\n\r\n');
    closesWithTest(async () => socket.destroy());
  });
  const bytes = Buffer.concat(chunks);
  return { bytes, text: bytes.toString('latin1'), end };
}

const ok = 'HTTP/1.1 200 OK\r\n';

it.each([
  ['hangs', '', 'open'],
  ['stalls', ok, 'open'],
  ['endless body', ok, 'too much'],
  ['resets', '', 'reset'],
  ['resets midway', ok, 'reset'],
  ['redirects inward', 'HTTP/1.1 307 ', 'open'],
  ['gzip bomb', ok, 'open'],
  ['10,000 headers', ok, 'open'],
  ['drips', '', 'open'],
  ['garbage', '\u0016\u0003', 'closed'],
  ['interim replies', 'HTTP/1.1 102 ', 'too much'],
  ['deep JSON', ok, 'open'],
  ['wide JSON', ok, 'open'],
] as const)('a server that %s', async (name, begins, end) => {
  const reply = await receiveFrom(hostileServers[name], (text) => end === 'open' && text.startsWith(begins));
  expect([reply.text.slice(0, begins.length), reply.end]).toEqual([begins, end]);
  expect(reply.text === '').toBe(begins === '');
});

it('each hostile server is tested above', () => {
  expect(Object.keys(hostileServers)).toHaveLength(13);
});

it('a redirect leads to the given address', async () => {
  const { text } = await receiveFrom(
    () => startRedirecting('http://127.0.0.1:1/inward'),
    (text) => text.endsWith('\r\n\r\n'),
  );
  expect(text).toContain('\r\nLocation: http://127.0.0.1:1/inward\r\n');
});

it('a gzip bomb decompresses to an excessive size', async () => {
  const whole = (text: string) =>
    text.length > 0 && text.length >= text.indexOf('\r\n\r\n') + 4 + Number(/Length: (\d+)/.exec(text)?.[1]);
  const { bytes } = await receiveFrom(hostileServers['gzip bomb'], whole);
  const packed = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  expect(packed.length).toBeLessThan(most);
  expect(() => gunzipSync(packed, { maxOutputLength: 100 * 1024 * 1024 })).toThrow(/larger than/);
});

it('10,000 header fields arrive', async () => {
  const { text } = await receiveFrom(hostileServers['10,000 headers'], (text) => text.endsWith('{}'));
  expect(text.match(/^X-Field-/gm)).toHaveLength(10_000);
});

it('a reply drips byte by byte', async () => {
  const { text } = await receiveFrom(
    () => startDripping(2),
    (text) => text.length >= 15,
  );
  expect(text.slice(0, 15)).toBe('HTTP/1.1 200 OK');
});

it('JSON is nested 20,000 deep', async () => {
  const { text } = await receiveFrom(hostileServers['deep JSON'], (text) => text.endsWith(']'));
  expect(text.endsWith(`\r\n\r\n${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toBe(true);
});
