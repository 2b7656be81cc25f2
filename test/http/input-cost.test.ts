/**
 * Tests that the cost of an input is proportional to its size, for the largest bodies, queries and messages in their
 * worst forms. The tests measure processor time, which barely depends on other programs.
 */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { example, exchange, operations } from '../harness/exchanges.ts';
import { exampleRequest } from '../harness/prism.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { scaled } from '../harness/scale.ts';

/** Maximum processor time per input, in milliseconds. One input needs about a twentieth of this on a slow machine. */
const mostMilliseconds = 400;

const limit = 64 * 1024;
/** Joins as many items as fit into a body. */
function filled(item: (at: number) => string, between: string, around = ''): string {
  const items: string[] = [];
  for (let at = 0, left = limit - around.length; ; at += 1) {
    left -= item(at).length + between.length;
    if (left < 0) return items.join(between);
    items.push(item(at));
  }
}
const name = (at: number) => at.toString(36);

type Inputs = readonly (readonly [string, string])[];
const worstForms: Inputs = [
  ['many names', filled(name, '&')],
  ['one name, repeated', filled(() => 'a=1', '&')],
];
const otherForms: Inputs = [
  ['nothing but separators', '&'.repeat(limit)],
  ['percent-encoding', `customer_id=${'%41'.repeat(21_000)}`],
  ['broken percent-encoding', `customer_id=${'%'.repeat(65_000)}`],
  ['a long value', `customer_id=${'x'.repeat(65_000)}`],
];
const worstDocuments: Inputs = [
  ['many names', `{${filled((at) => `"${name(at)}":1`, ',', '{}')}}`],
  ['deep nesting', `{"uid":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ['a list of broken items', `{"line_items":[${filled(() => '{}', ',', '{"line_items":[]}')}]}`],
];
const otherDocuments: Inputs = [
  ['one name, repeated', `{${filled(() => '"uid":1', ',', '{}')}}`],
  ['a long list', `{"line_items":[${filled(() => '1', ',', '{"line_items":[]}')}]}`],
  ['a long text', `{"uid":"${'x'.repeat(65_000)}"}`],
  ['a text of escapes', `{"uid":"${String.raw`\u0041`.repeat(10_800)}"}`],
  ['a text like a token', `{"uid":"${'eyJ.'.repeat(16_000)}"}`],
  ['a long number', `{"uid":${'9'.repeat(65_000)}}`],
];
const forms = scaled(worstForms, [...worstForms, ...otherForms]);
const documents = scaled(worstDocuments, [...worstDocuments, ...otherDocuments]);
const query = filled(name, '&').slice(0, 15_000);

/**
 * Returns the processor time of a task in milliseconds. Repeats an expensive task up to three times and returns the
 * minimum, because the first run includes compilation.
 */
async function cost(task: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3 && least > mostMilliseconds / 4; times += 1) {
    const before = process.cpuUsage();
    await task();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Returns the tasks that exceed the limit, each with its processor time. */
async function tooCostly(tasks: readonly (readonly [string, () => unknown])[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [title, task] of tasks) {
    const milliseconds = await cost(task);
    if (milliseconds > mostMilliseconds) found.push(`${title}: ${Math.round(milliseconds)} ms`);
  }
  return found;
}

/** Returns the credential for the operations below a path. */
async function credentialOf(sandbox: TestSandbox, path: string): Promise<string> {
  const { service_token, basic } = sandbox.credentials;
  if (path.startsWith('/rewards')) return sandbox.companyToken();
  const pair = `${basic.username}:${basic.password}`;
  return path.startsWith('/client/api/v1/auth') ? `Basic ${btoa(pair)}` : `Bearer ${service_token}`;
}

const served = operations.map((operation) => {
  const { url } = exampleRequest(operation);
  return { ...operation, target: `${operation.address}${url.path}` };
});

it('OP-39: the largest body of every operation takes time that its size explains', { timeout: 120_000 }, async () => {
  const sandbox = await testSandbox();
  const tasks: (readonly [string, () => unknown])[] = [];
  for (const { id, method, target, body } of served) {
    if (body === undefined) continue;
    const inputs = body.type === 'application/json' ? documents : forms;
    const headers = { 'content-type': body.type, authorization: await credentialOf(sandbox, target) };
    for (const [title, text] of inputs) {
      const init = { method, headers, body: text, redirect: 'manual' } as const;
      const send = async () => (await fetch(`${sandbox.origin}${target}`, init)).arrayBuffer();
      tasks.push([`${id}, ${title}`, send]);
    }
  }
  expect(tasks.length).toBeGreaterThan(scaled(80, 200));
  expect(await tooCostly(tasks)).toEqual([]);
});

it('OP-39: the longest query of every operation takes time that its size explains', { timeout: 120_000 }, async () => {
  const sandbox = await testSandbox();
  const tasks: (readonly [string, () => unknown])[] = [];
  for (const { id, method, target } of served) {
    if (method.toUpperCase() !== 'GET') continue;
    const headers = { authorization: await credentialOf(sandbox, target), accept: 'application/json' };
    const send = async () => {
      const reply = await fetch(`${sandbox.origin}${target}?${query}`, { headers, redirect: 'manual' });
      // Cancel the body, because a stream never ends.
      await reply.body?.cancel();
    };
    tasks.push([id, send]);
  }
  expect(tasks.length).toBeGreaterThan(40);
  expect(await tooCostly(tasks)).toEqual([]);
});

/** An encoding of a message: its name, the encoder, and its `Content-Encoding`. */
type Packing = readonly [string, (text: string) => Buffer, string];
const plain: Packing = ['plain', (text) => Buffer.from(text), ''];
const packedTwice: Packing = ['packed twice', (text) => gzipSync(gzipSync(text)), 'gzip, gzip'];
const packings = scaled([packedTwice], [plain, packedTwice]);
/** Builds a list of nearly the maximum length that the validator inspects. */
const listed = (field: string, item: string) => `{"${field}":[${Array(1990).fill(item).join(',')}]}`;

it('OP-90: the largest message of every operation is validated in time that its size explains', async () => {
  const tasks: (readonly [string, () => unknown])[] = [];
  for (const { id } of operations) {
    for (const field of scaled(['items', 'line_items'], ['items', 'line_items', 'data', 'events'])) {
      for (const item of scaled(['{}'], ['1', '{}', '{"sku":1,"quantity":"x","a":1}'])) {
        for (const [packing, pack, coding] of packings) {
          const draft = example(id);
          const [headers, body] = [{ 'content-encoding': coding }, pack(listed(field, item))];
          Object.assign(draft.request.headers, headers);
          Object.assign(draft.reply.headers, headers);
          [draft.request.body, draft.reply.body] = [body, body];
          tasks.push([`${id}, ${field} of ${item}, ${packing}`, () => sharedChecker().check(exchange(draft))]);
        }
      }
    }
  }
  expect(tasks.length).toBeGreaterThan(scaled(100, 1000));
  expect(await tooCostly(tasks)).toEqual([]);
}, 120_000);
