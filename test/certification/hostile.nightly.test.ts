/** Servers that do a caller harm do what they are there for. */
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { closesWithTest } from '../harness/http-server.ts';
import { hostileServers, startDripping, startRedirecting } from './hostile-servers.ts';

/** Most bytes that are read of a reply. */
const most = 2 * 1024 * 1024;

interface Came {
  readonly text: string;
  readonly bytes: Buffer;
  readonly end: 'closed' | 'reset' | 'open' | 'too much';
}

/**
 * What a server sends on one call, until it ends, is too much, or, once `isEnough`, nothing came for a while. A busy machine
 * has the time that it needs.
 */
async function came(
  start: (() => Promise<{ url: string; close: () => Promise<void> }>) | undefined,
  isEnough: (text: string) => boolean,
): Promise<Came> {
  if (start === undefined) throw new Error('there is no such server');
  const { url, close } = await start();
  closesWithTest(close);
  const chunks: Buffer[] = [];
  const end = await new Promise<Came['end']>((resolve) => {
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
] as const)('a server that %s', async (name, begins, end) => {
  const reply = await came(hostileServers[name], (text) => end === 'open' && text.startsWith(begins));
  expect([reply.text.slice(0, begins.length), reply.end]).toEqual([begins, end]);
  expect(reply.text === '').toBe(begins === '');
});

it('each hostile server is tried above', () => {
  expect(Object.keys(hostileServers)).toHaveLength(12);
});

it('a redirect leads to the address that it is told', async () => {
  const { text } = await came(
    () => startRedirecting('http://127.0.0.1:1/inward'),
    (got) => got.endsWith('\r\n\r\n'),
  );
  expect(text).toContain('\r\nLocation: http://127.0.0.1:1/inward\r\n');
});

it('a gzip bomb unpacks to more than anybody wants', async () => {
  const whole = (got: string) =>
    got.length > 0 && got.length >= got.indexOf('\r\n\r\n') + 4 + Number(/Length: (\d+)/.exec(got)?.[1]);
  const { bytes } = await came(hostileServers['gzip bomb'], whole);
  const packed = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
  expect(packed.length).toBeLessThan(most);
  expect(() => gunzipSync(packed, { maxOutputLength: 100 * 1024 * 1024 })).toThrow(/larger than/);
});

it('10,000 header fields come', async () => {
  const { text } = await came(hostileServers['10,000 headers'], (got) => got.endsWith('{}'));
  expect(text.match(/^X-Field-/gm)).toHaveLength(10_000);
});

it('a reply drips byte by byte', async () => {
  const { text } = await came(
    () => startDripping(2),
    (got) => got.length >= 15,
  );
  expect(text.slice(0, 15)).toBe('HTTP/1.1 200 OK');
});

it('JSON is nested 20,000 deep', async () => {
  const { text } = await came(hostileServers['deep JSON'], (got) => got.endsWith(']'));
  expect(text.endsWith(`\r\n\r\n${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toBe(true);
});
