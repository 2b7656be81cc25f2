/** Tests that one warm order and one warm listing stay within their work budgets, and that the counter detects repeated work. */
import { execFile } from 'node:child_process';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { budget, type Work } from '../harness/path-budget.ts';
import { MessageCounter } from './messages.ts';

const script = fileURLToPath(new URL('count.ts', import.meta.url));
const counts = promisify(execFile)(execPath, [script, '--loaded', '--one-line']);

it('an order and a listing keep within their budget of validations, parses, texts, function calls and files', async () => {
  const { stdout } = await counts;
  const counted: Record<keyof typeof budget, Work> = JSON.parse(stdout);
  const calls = ['order', 'listing'] as const;
  const kinds = ['validations', 'parses', 'texts', 'calls', 'files'] as const;
  const beyond = calls.flatMap((call) =>
    kinds
      .filter((kind) => counted[call][kind] > budget[call][kind])
      .map((kind) => `${call}: ${counted[call][kind]} ${kind}, budget ${budget[call][kind]}`),
  );
  expect(beyond).toEqual([]);
  // Check that the counters work, because zero is within every budget.
  expect(calls.filter((call) => counted[call].validations === 0 || counted[call].texts === 0)).toEqual([]);
});

it('OP-207: a single process that serves orders has loaded no file of the cluster', async () => {
  const { loaded }: { loaded: string[] } = JSON.parse((await counts).stdout);
  expect(loaded).toContain('workspaces/registry.ts');
  expect(loaded.filter((file) => file.startsWith('cluster/'))).toEqual([]);
});

it('a validation, a parse or a text of the same value counts each time, and a schema within a schema does not', () => {
  const counter = new MessageCounter();
  counter.start();
  try {
    const ajv = new Ajv2020();
    ajv.addSchema(
      { $defs: { uid: { type: 'string' }, uids: { type: 'array', items: { $ref: '#/$defs/uid' } } } },
      'api',
    );
    const compiled = ajv.compile({ $ref: 'api#/$defs/uids' });
    const found = ajv.getSchema('api#/$defs/uid');
    counter.take();
    const value = ['CUST0001', 'CUST0002'];
    const workOf = (work: () => unknown) => {
      work();
      return counter.take();
    };
    const none = { validations: 0, parses: 0, texts: 0 };
    const works = [
      ['validations', () => compiled(value)],
      ['validations', () => found?.('CUST0001')],
      ['parses', () => JSON.parse('["CUST0001"]')],
      ['texts', () => JSON.stringify(value)],
    ] as const;
    for (const [kind, work] of works) {
      const counts = [workOf(work), workOf(() => [work(), work()])];
      expect(counts).toEqual([1, 2].map((times) => ({ ...none, [kind]: times })));
    }
    expect([compiled([1]), compiled.errors?.[0]?.instancePath]).toEqual([false, '/0']);
    counter.take();
  } finally {
    counter.stop();
  }
  JSON.parse(JSON.stringify({}));
  new Ajv2020().compile({})(1);
  expect(counter.take()).toEqual({ validations: 0, parses: 0, texts: 0 });
});
