/** The test plan contains every magic value once, and a sandbox meets the expectations in its collection. */
import { describe, expect, it } from 'vitest';
import { outgoingTerms } from '../../sandbox/http-client/outgoing.ts';
import { magicAmounts, magicCustomers, magicItems } from '../../sandbox/magic/table.ts';
import type { Delay } from '../../sandbox/runtime/clock.ts';
import { journeys } from '../../sandbox/workflows/respect.ts';
import { statementIds } from '../../tools/docs/citations.ts';
import { collection, type Folder, type Item } from '../../tools/docs/collections/postman.ts';
import { testPlan } from '../../tools/docs/collections/test-plan.ts';
import { openPoints } from '../../tools/docs/register.ts';
import { testPlanInsert } from '../../tools/docs/test-plan-page.ts';
import { testSandbox } from '../harness/sandbox.ts';

const plan = collection(testPlan(), []);
const page = testPlanInsert();
const values = [...magicItems, ...magicCustomers, ...magicAmounts].map(({ value }) => value);
const [start, ...kinds] = plan.item;
const cases = kinds.flatMap(({ item }) => item as readonly Folder[]);

describe('the page', () => {
  const rows = page.split('\n').filter((line) => /^\| \[/.test(line));

  it('has each magic value and each journey once, and the collection a folder for each value', () => {
    const names = rows.map((row) => /^\| \[`([^`]+)`|\(\/workflows#([\w-]+)\)/.exec(row) ?? []);
    expect(names.map(([, value, journey]) => value ?? journey)).toEqual([...values, ...journeys]);
    expect(cases.map(({ name }) => name)).toEqual(values);
    for (const { name } of kinds) expect(page).toContain(`Folder **${name}**.`);
  });

  it('says what each value expects, and what of the interface or the register that rests on', () => {
    const known = new Set([...statementIds, ...openPoints.map(({ id }) => id)]);
    for (const row of rows) {
      const cited = [...row.matchAll(/\[([A-Z]\d{1,2}|OP-\d+)\]\(\/(?:interface|open-points)#/g)].map(
        ([, id = '']) => id,
      );
      expect([row, cited.length > 0, cited.filter((id) => !known.has(id))]).toEqual([row, true, []]);
    }
  });
});

/** The parts of Postman's API that a collection's scripts use. */
interface Postman {
  readonly test: (name: string, check: () => void) => void;
  readonly expect: typeof expect;
  readonly response: { readonly code: number; readonly json: () => unknown };
  readonly collectionVariables: { readonly set: (name: string, value: string) => void };
}

/** Sends a call in the collection and runs its script. Appends failed checks to `failed`. */
async function send(item: Item, variables: Map<string, string>, failed: string[]): Promise<void> {
  const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables.get(name) ?? '');
  const { method, url, header, auth, body } = item.request;
  const raw = (url.variable ?? []).reduce((path, { key, value }) => path.replace(`:${key}`, value), url.raw);
  const headers = new Headers(header.map(({ key, value }) => [key, value]));
  if (auth.type === 'apikey')
    headers.set('Authorization', filled(auth.apikey.find(({ key }) => key === 'value')?.value ?? ''));
  if (auth.type === 'basic')
    headers.set('Authorization', `Basic ${btoa(filled(auth.basic.map(({ value }) => value).join(':')))}`);
  const reply = await fetch(filled(raw), { method, headers, ...(body !== undefined && { body: filled(body.raw) }) });
  const text = await reply.text();
  const postman: Postman = {
    test(name, check) {
      try {
        check();
      } catch (error) {
        failed.push(`${item.name}, ${name}: ${(error as Error).message}`);
      }
    },
    expect,
    response: { code: reply.status, json: () => JSON.parse(text) },
    collectionVariables: { set: (name, value) => variables.set(name, value) },
  };
  for (const { script } of item.event ?? []) new Function('pm', script.exec.join('\n'))(postman);
}

/** A delay requested by a fault ends immediately. A delay above the platform's timeout lasts until the call is aborted. */
const delay: Delay = (ms, signal) =>
  ms <= outgoingTerms.totalTimeout
    ? Promise.resolve()
    : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

it('a sandbox meets every expectation of the collection, which can be run again', async () => {
  const { urls } = await testSandbox({ delay, outgoing: { totalTimeout: 400 } });
  const variables = new Map(plan.variable.map(({ key, value }) => [key, value]));
  variables.set('SANDBOX', urls.sandbox);
  const failed: string[] = [];
  for (const item of (start?.item ?? []) as readonly Item[]) await send(item, variables, failed);
  for (const { name, item } of [...cases, ...cases]) {
    const wrong: string[] = [];
    for (const call of item as readonly Item[]) await send(call, variables, wrong);
    failed.push(...wrong.map((text) => `${name}: ${text}`));
  }
  expect(failed).toEqual([]);
}, 60_000);
