/** What the proxy loads, and when; and that nothing is judged otherwise for it (OP-148). */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { registry } from '../../sandbox/apis/registry.ts';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { loadContractSet, readContractSet } from '../../sandbox/conformance/contracts.ts';
import { FindingBook } from '../../sandbox/conformance/finding-book.ts';
import { Judging } from '../../sandbox/conformance/judging.ts';
import type * as Plain from '../../sandbox/conformance/plain.ts';
import { PrismContract } from '../../sandbox/conformance/prism-contract.ts';
import { PrismUnread } from '../../sandbox/conformance/prism-view.ts';
import { startProxy } from '../../sandbox/conformance/proxy.ts';
import { Remembered } from '../../sandbox/conformance/remembered.ts';
import { run } from '../harness/command.ts';
import { Draw } from '../harness/drawing.ts';
import { type Draft, example, exchange, operations } from '../harness/exchanges.ts';
import { closesWithTest, httpServer } from '../harness/http-server.ts';
import { violations } from './violations.ts';

/** Whether nothing counts as plain, so that Prism is asked about everything. */
const always = vi.hoisted(() => ({ ask: false }));
vi.mock('../../sandbox/conformance/plain.ts', async (original) => {
  const real = await original<typeof Plain>();
  const unless =
    <A extends unknown[]>(judge: (...of: A) => boolean) =>
    (...of: A) =>
      !always.ask && judge(...of);
  return {
    isPlainHead: unless(real.isPlainHead),
    arePlainHeaders: unless(real.arePlainHeaders),
    isJudgedAlike: unless(real.isJudgedAlike),
  };
});

const examples = operations.flatMap(({ id, replies }) => replies.map(({ status }) => [id, status] as const));

describe('OP-148: where Prism is not asked it would have said nothing', () => {
  let [asked, spared]: Checker[] = [];
  beforeAll(async () => {
    // What was right is remembered by contract: each has its own.
    asked = new Checker(await loadContractSet());
    spared = new Checker(await loadContractSet());
  });
  const both = (draft: Draft) => {
    const made = exchange(draft);
    always.ask = true;
    const whole = asked?.check(made).findings;
    always.ask = false;
    return [spared?.check(made).findings, whole];
  };

  it('every example of every contract', () => {
    for (const [id, status] of examples) {
      const [one, other] = both(example(id, status));
      expect(one).toEqual(other);
    }
  });

  it.each(violations)('%s %d: %s', (id, status, _title, spoil) => {
    const draft = example(id, status);
    spoil(draft);
    const [one, other] = both(draft);
    expect(one).toEqual(other);
  });

  it('thousands of exchanges that are spoilt by chance', () => {
    const draw = new Draw('plain');
    let clean = 0;
    for (let times = 0; times < 4000; times += 1) {
      const [id, status] = draw.pick(examples);
      const draft = example(id, status);
      disturb(draw, draft);
      const [one, other] = both(draft);
      expect(one, JSON.stringify(draft)).toEqual(other);
      if (one?.length === 0) clean += 1;
    }
    // Enough of both kinds.
    expect([clean > 500, clean < 3500]).toEqual([true, true]);
  });
});

/** Values at the edges of what schemas say, and of what the two judges make of texts. */
const values: readonly unknown[] = [
  ...['', '0', '007', '1e3', ' 5', '5.0', '-1', 'true', 'TRUE', 'null', '9'.repeat(30), 'a,b', 'a=b', '%41', '~', '.'],
  ...['2016-12-31T23:59:60Z', '2016-12-31T18:59:60-05:00', '2026-01-12T04:30:00.000Z', '2026-01-12 04:30:00+0530'],
  ...['2026-01-12T04:30:00+24:30', '2026-02-30T00:00:00Z', 'https://a.example/ü', 'http://[::1]/', 'mailto:a@b'],
  ...[0, -1, 1.5, 2 ** 53, 1e21, true, false, null, [], {}, [[]], 'x'.repeat(300), '\u{1f600}'.repeat(64)],
];

/** Changes one to three things in an exchange. */
function disturb(draw: Draw, draft: Draft): void {
  for (let times = draw.integer(1, 3); times > 0; times -= 1) {
    const kind = draw.integer(0, 5);
    if (kind === 0) disturbText(draw, draft.query);
    else if (kind === 1) disturbText(draw, draft.request.headers);
    else if (kind === 2) disturbText(draw, draft.reply.headers);
    else if (kind === 3) draft.path = draft.path.replace(/[^/]+$/, encodeURIComponent(String(draw.pick(values))));
    else disturbBody(draw, kind === 4 ? draft.request : draft.reply);
  }
}

function disturbText(draw: Draw, fields: Record<string, string>): void {
  const names = [...Object.keys(fields), 'limit', 'LIMIT', 'page', 'authorization', 'x-trace-id', 'idempotency-key'];
  const name = draw.pick(names);
  const odd = [...values.map(String), 'Bearer x', 'Bearer ', 'bearer x', 'Basic eDp5', `${'ab'.repeat(16)}`];
  const text = draw.pick(odd).replaceAll(/[^ -~]/g, '');
  if (draw.chance(25)) delete fields[name];
  else fields[name] = text;
}

function disturbBody(draw: Draw, message: { body: unknown }): void {
  const places: { readonly at: Record<string, unknown>; readonly name: string }[] = [];
  const collect = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    for (const [name, child] of Object.entries(value)) {
      places.push({ at: value as Record<string, unknown>, name });
      collect(child);
    }
  };
  collect({ body: message.body });
  const { at, name } = draw.pick(places);
  if (name === 'body') message.body = draw.chance(90) ? message.body : draw.pick(values);
  else if (draw.chance(20)) delete at[name];
  else if (draw.chance(15)) at.more = draw.pick(values);
  else at[name] = structuredClone(draw.pick(values));
}

describe('OP-148: Prism reads a contract when a verdict needs it', () => {
  it('what is as the contracts of the interface say is judged without', () => {
    const checker = new Checker(readContractSet());
    for (const [id, status] of examples) {
      const draft = example(id, status);
      const { ofInterface } = registry[draft.server as keyof typeof registry];
      if (ofInterface) expect(checker.check(exchange(draft)).findings).toEqual([]);
    }
  });

  it('the findings are the same once it has, and those who ask for them wait for it', async () => {
    const checker = new Checker(readContractSet());
    const book = new FindingBook(checker, 'proxy', '0.0.0');
    const behind = await httpServer((_, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'X-Trace-Id': 'ab'.repeat(16) })
        .end('{"items":[],"next_cursor":null,"has_more":false}'),
    );
    const proxy = await startProxy(checker, book, {
      ...{ host: '127.0.0.1', port: 0, mode: 'report', upstreams: {}, replyMilliseconds: 5000, sandbox: behind },
    });
    closesWithTest(() => proxy.close());
    const listing = `${proxy.url}/rewards/v1/partner/rewards`;
    await (await fetch(listing, { headers: { authorization: 't' } })).text();
    expect(book.report.exchanges.checked).toBe(1);
    await (await fetch(`${listing}?limit=0`, { headers: { authorization: 't' } })).text();
    const told = await (await fetch(`${proxy.url}/__proxy/findings`)).json();
    expect(told).toMatchObject({ exchanges: { checked: 2 }, findings: [{ code: 'request.query.minimum', times: 1 }] });
  });

  it('in mode enforce the call waits for its verdict', async () => {
    const checker = new Checker(readContractSet());
    let calls = 0;
    const behind = await httpServer((_, response) => {
      calls += 1;
      response.end();
    });
    const proxy = await startProxy(checker, new FindingBook(checker, 'proxy', '0.0.0'), {
      ...{ host: '127.0.0.1', port: 0, mode: 'enforce', upstreams: {}, replyMilliseconds: 5000, sandbox: behind },
      failOn: 'warning',
    });
    closesWithTest(() => proxy.close());
    const answer = await fetch(`${proxy.url}/rewards/v1/partner/rewards?limit=0`, { headers: { authorization: 't' } });
    expect([answer.status, calls]).toEqual([400, 0]);
    expect(await answer.json()).toMatchObject({ findings: [{ code: 'request.query.minimum' }] });
  });

  it('a contract that cannot be read is said to be unchecked, and does not pass for right', async () => {
    const contract = new PrismContract('x', { paths: () => {} }, []);
    expect(() => contract.view('any')).toThrow(PrismUnread);
    await contract.read();
    expect(() => contract.view('any')).toThrow(/could not be cloned/);
  });

  it('exchanges that wait are at most 32: further calls wait for them', async () => {
    const reading = Promise.withResolvers<void>();
    const contract = Object.assign(new PrismContract('x', {}, []), { read: () => reading.promise });
    let read = false;
    const judging = new Judging();
    const told: number[] = [];
    const judge = (which: number) =>
      judging.judge(
        () => {
          if (!read) throw new PrismUnread(contract);
          return which;
        },
        (verdict) => told.push(verdict),
      );
    for (let which = 0; which < 31; which += 1) judge(which);
    expect(judging.isFull).toBe(false);
    judge(31);
    expect([judging.isFull, told]).toEqual([true, []]);
    read = true;
    reading.resolve();
    await judging.done();
    expect([judging.isFull, told]).toEqual([false, Array.from({ length: 32 }, (_, which) => which)]);
  });
});

it('heads that were let in are remembered up to a number and a length', () => {
  const remembered = new Remembered<number>(128, 4096);
  for (let which = 0; which < 10_000; which += 1) {
    remembered.set(`head ${which}`, which);
    expect(remembered.size).toBeLessThanOrEqual(128);
  }
  expect([remembered.get('head 9999'), remembered.get('head 1')]).toEqual([9999, undefined]);
  remembered.set('x'.repeat(4097), 1);
  expect(remembered.get('x'.repeat(4097))).toBeUndefined();
});

it('a call is let in again only where all of its head is the same, and what the proxy answers itself is asked each time', async () => {
  const behind = await httpServer((request, response) => request.resume().once('end', () => response.end()));
  const checker = new Checker(readContractSet());
  const proxy = await startProxy(checker, new FindingBook(checker, 'proxy', '0.0.0'), {
    ...{ host: '127.0.0.1', port: 0, mode: 'report', upstreams: {}, replyMilliseconds: 5000, sandbox: behind },
    adminToken: 'a-token-of-the-operator',
  });
  closesWithTest(() => proxy.close());
  const status = async (path: string, headers: Record<string, string>) =>
    (await fetch(proxy.url + path, { headers })).status;
  const right = { authorization: 'Bearer a-token-of-the-operator' };
  const asked = [right, {}, right, { authorization: 'Bearer another-token-than-that' }];
  const answers: number[] = [];
  for (const headers of asked) answers.push(await status('/__proxy/findings', headers));
  expect(answers).toEqual([200, 401, 200, 401]);
  const others: Record<string, string>[] = [{}, {}, { origin: 'https://a.example' }, { 'x-sandbox-outgoing': '1' }, {}];
  const letIn: number[] = [];
  for (const headers of others) letIn.push(await status('/elsewhere', headers));
  expect(letIn).toEqual([200, 200, 400, 403, 200]);
});

it('OP-148: a proxy that has judged nothing holds at most 120 MB', async () => {
  const { child, saw } = run(['proxy', '--port', '0', '--json']);
  await saw(/"ready":true/);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(120 * 1024);
});
