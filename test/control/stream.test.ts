/** Tests the activity log as server-sent events (OP-42). */
import { expect, it } from 'vitest';
import { flat, plain } from '../harness/envelopes.ts';
import { advance, order } from '../harness/orders.ts';
import { ok, raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

/** Opens the stream and reads its opening comment. `until` reads up to the entry with the given number. */
async function follow(sandbox: TestSandbox, query = '', headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const response = await fetch(`${sandbox.urls.sandbox}/activity/stream${query}`, { headers, signal: abort.signal });
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const more = async () => {
    const { done = true, value = '' } = (await chunks?.read()) ?? {};
    text += value;
    return !done;
  };
  await more();
  const entries = () => [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
  const until = async (seq: number) => {
    while ((entries().at(-1)?.seq ?? 0) < seq && (await more()));
    return entries();
  };
  return { response, until, more, entries, text: () => text, leave: () => abort.abort() };
}

const logOf = async ({ control }: TestSandbox) => ok(await control.GET('/activity')).items;

it('delivers every entry as it happens, in order and as /activity shows it', async () => {
  const sandbox = await testSandbox();
  const reader = await follow(sandbox);
  expect(Object.fromEntries(reader.response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-trace-id': expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  expect(reader.text()).toBe(': open\n\n');
  ok(await order(sandbox));
  await advance(sandbox, 2);
  const log = await logOf(sandbox);
  expect(await reader.until(log.at(-1)?.seq ?? 0)).toEqual(log);
  reader.leave();
});

it('a reader that reconnects with Last-Event-ID misses no entry and gets none twice', async () => {
  const sandbox = await testSandbox();
  const first = await follow(sandbox, '?after=0');
  ok(await order(sandbox));
  const before = await first.until(4);
  first.leave();
  await advance(sandbox, 2);
  const second = await follow(sandbox, '?after=0', { 'Last-Event-ID': String(before.at(-1)?.seq) });
  ok(await order(sandbox));
  const log = await logOf(sandbox);
  expect([...before, ...(await second.until(log.at(-1)?.seq ?? 0))]).toEqual(log);
  second.leave();
});

it('HEAD gets a reply and leaves no stream open', async () => {
  const { urls } = await testSandbox();
  const { status, headers } = await raw(`${urls.sandbox}/activity/stream`, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
});

it('OP-59: the fifty-first stream is refused with a message that says what to do', async () => {
  const sandbox = await testSandbox();
  const readers = await Promise.all(Array.from({ length: 50 }, () => follow(sandbox)));
  const response = await raw(`${sandbox.urls.sandbox}/activity/stream`);
  expect(plain(response)).toEqual(flat(409, 67, 'No more than 50 concurrent streams: close one first'));
  for (const { leave } of readers) leave();
  const reconnect = async () => {
    const reader = await follow(sandbox);
    reader.leave();
    return reader.response.status;
  };
  // The sandbox detects closed sockets slightly later than the readers do.
  await expect.poll(reconnect).toBe(200);
});

it('an invalid Last-Event-ID is refused in the flat envelope', async () => {
  const { urls } = await testSandbox();
  const headers = { 'Last-Event-ID': 'yesterday' };
  const { status, body } = await raw(`${urls.sandbox}/activity/stream`, { headers });
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 53 } });
});

it('closing the sandbox ends the stream cleanly', async () => {
  const sandbox = await testSandbox();
  const reader = await follow(sandbox);
  const closing = sandbox.close();
  expect(await reader.more()).toBe(false);
  await closing;
});

it('a reset ends the stream', async () => {
  const sandbox = await testSandbox();
  ok(await order(sandbox));
  const reader = await follow(sandbox, '?after=0');
  ok(await sandbox.control.POST('/reset'));
  while (await reader.more());
  expect(reader.entries().length).toBeGreaterThan(0);
});
