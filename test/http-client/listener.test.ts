/** Tests the connection to a listener: heartbeats, limits, and how its calls end (OP-247). */
import { expect, it } from 'vitest';
import { Listener } from '../../sandbox/http-client/listener.ts';
import type { ListenerLine } from '../../sandbox/http-client/listener-line.ts';
import { TooLarge } from '../../sandbox/http-client/read-response.ts';

const forwardTo = 'http://localhost:8080';
const call = { operation: 'creditPoints', method: 'POST', url: 'https://client.invalid/creditPoints?a=b', headers: {} };
const never = new Promise<never>(() => {});

/** Creates a listener whose timer the test fires. */
async function opened() {
  let ring = () => {};
  const timer = (run: () => void) => {
    ring = run;
    return () => {};
  };
  let clientUrl = 'http://localhost:4010/client';
  const activity = { onUpdate: () => () => {} };
  const listener = new Listener({ activity, timer, realTime: () => 1_000, clientUrl: () => clientUrl });
  const opening = { workspace: 'demo', client_token: 'st_1', webhooks: [], reply_bytes: 100 };
  const open = async (address = forwardTo) => {
    const claim = async () => {
      clientUrl = address;
      listener.follow(address);
    };
    const line = (await listener.open(address, claim, () => opening)) as ListenerLine;
    let text = '';
    line.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    const events = () =>
      [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => [event, JSON.parse(data ?? '')]);
    return { line, events };
  };
  return { listener, open, ring: () => ring() };
}

/** Lets the stream deliver its buffered data. */
const turn = () => new Promise((resolve) => void setImmediate(resolve));

it('a call is an event, and its reply comes in parts', async () => {
  const { listener, open } = await opened();
  const { line, events } = await open();
  const reply = line.call({ ...call, body: '{}' }, 100, never);
  await turn();
  expect(events()).toEqual([
    [
      'open',
      {
        listener: 'rs-1',
        forward_to: forwardTo,
        workspace: 'demo',
        client_token: 'st_1',
        webhooks: [],
        reply_bytes: 100,
        heartbeat_seconds: 15,
      },
    ],
    [
      'call',
      { id: '1', operation: 'creditPoints', method: 'POST', path: '/creditPoints?a=b', headers: {}, body: '{}' },
    ],
  ]);
  const headers = { 'content-type': ['text/plain'] };
  const part = (text: string) => Buffer.from(text).toString('base64');
  expect(listener.reply('rs-1', { id: '1', status: 200, headers, body: part('go'), more: true })).toBe(true);
  expect(listener.reply('rs-1', { id: '1', body: part('od') })).toBe(true);
  expect(await reply).toEqual({ status: 200, head: headers, packed: Buffer.from('good') });
  expect(listener.reply('rs-1', { id: '1', status: 200 })).toBe(false);
  expect(listener.reply('rs-2', { id: '1', status: 200 })).toBe(false);
});

const more = true as const;

it.each([
  ['reports a failure', { id: '1', failure: 'ECONNREFUSED' }, new Error('ECONNREFUSED')],
  ['reports a reply that is too large', { id: '1', too_large: true as const }, new TooLarge(4)],
  ['sends more bytes than a reply may have', { id: '1', status: 200, body: 'Z29vZGJ5ZQ==', more }, new TooLarge(4)],
  ['sends no status', { id: '1', body: '' }, new Error('the listener sent a reply without a status')],
])('a listener that %s ends the call with that reason', async (_, reply, reason) => {
  const { listener, open } = await opened();
  const { line } = await open();
  const result = line.call(call, 4, never);
  expect(listener.reply('rs-1', reply)).toBe(true);
  await expect(result).rejects.toEqual(reason);
});

it('a call that is given up is cancelled, and a late reply finds nothing', async () => {
  const { listener, open } = await opened();
  const { line, events } = await open();
  void line.call(call, 100, Promise.reject(new Error('late')));
  await turn();
  expect(events().at(-1)).toEqual(['cancel', { id: '1' }]);
  expect(listener.reply('rs-1', { id: '1', status: 200 })).toBe(false);
});

it('a listener that replies to heartbeats stays, and one that does not is disconnected by the next', async () => {
  const { listener, open, ring } = await opened();
  const { line, events } = await open();
  const result = line.call(call, 100, never);
  ring();
  await turn();
  expect(events().at(-1)).toEqual(['heartbeat', { id: '2' }]);
  expect(listener.reply('rs-1', { id: '2' })).toBe(true);
  ring();
  expect(listener.line).toBe(line);
  ring();
  await expect(result).rejects.toThrow('the listener disconnected');
  await turn();
  expect([line.destroyed, listener.line]).toEqual([true, undefined]);
});

it.each([
  ['the same', forwardTo],
  ['another', 'http://localhost:9090'],
])('a newer listener with %s address replaces the older one, which is told', async (_, address) => {
  const { listener, open } = await opened();
  const older = await open();
  const result = older.line.call(call, 100, never);
  const newer = await open(address);
  await expect(result).rejects.toThrow('another listener took over');
  await turn();
  expect(older.events().at(-1)).toEqual(['end', { reason: 'replaced' }]);
  expect(listener.line).toBe(newer.line);
  expect(newer.line.destroyed).toBe(false);
});

it('of two that come at the same time, the one whose address counts stays', async () => {
  const { listener, open } = await opened();
  const [one, other] = await Promise.all([open('http://localhost:1'), open('http://localhost:2')]);
  await turn();
  expect(listener.line).toBe(other.line);
  expect(one.events().at(-1)).toEqual(['end', { reason: 'replaced' }]);
});

it('a change of the client URL ends the line', async () => {
  const { listener, open } = await opened();
  const { events } = await open();
  listener.follow('https://client.example');
  await turn();
  expect([events().at(-1), listener.line]).toEqual([['end', { reason: 'client_url_changed' }], undefined]);
});

it('a stop waits for the calls in progress, and no other begins', async () => {
  const { listener, open } = await opened();
  const { line, events } = await open();
  const result = line.call(call, 100, never);
  const stopped = listener.stop();
  expect(() => line.call(call, 100, never)).toThrow('the sandbox is stopping');
  await turn();
  expect(events().at(-1)?.[0]).toBe('call');
  listener.reply('rs-1', { id: '1', status: 204 });
  await Promise.all([result, stopped]);
  await turn();
  expect(events().at(-1)).toEqual(['end', { reason: 'stopping' }]);
  // A call that starts afterwards is not sent anywhere else.
  expect(() => listener.line?.call(call, 100, never)).toThrow('the sandbox is stopping');
});

it('addresses at the origin of the listener count as reachable while it is connected', async () => {
  const { listener, open } = await opened();
  expect(listener.reaches(`${forwardTo}/hooks`)).toBe(false);
  await open();
  const reached = [`${forwardTo}/hooks`, 'http://localhost:8081/hooks', 'no URL'].map((url) => listener.reaches(url));
  expect(reached).toEqual([true, false, false]);
});
