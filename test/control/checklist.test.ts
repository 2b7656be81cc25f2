/** Tests the go-live checklist, over the control API and with the command (OP-257). */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { checklist } from '../../sandbox/control/checklist.ts';
import { magicItems } from '../../sandbox/magic/table.ts';
import { inProcess } from '../harness/command.ts';
import { order } from '../harness/orders.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const stateOf = async ({ control }: TestSandbox, id: string) => {
  const { items } = ok(await control.GET('/checklist'));
  const item = items.find((one) => one.id === id);
  return [item?.state, item?.evidence];
};

/** Expects the state of an item, and its evidence. */
async function expectItem(sandbox: TestSandbox, id: string, state: string, evidence: string | RegExp): Promise<void> {
  const expected = typeof evidence === 'string' ? evidence : expect.stringMatching(evidence);
  expect(await stateOf(sandbox, id)).toEqual([state, expected]);
}

it('has the items of the guide, in its order', async () => {
  const guide = await readFile(new URL('../../docs/guides/going-live.md', import.meta.url), 'utf8');
  const lines = [...guide.matchAll(/^- \[ \] ((?:.|\n {2})*)$/gm)].map(([, line = '']) =>
    line.replaceAll(/\n {2}/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  );
  expect(lines.length).toBeGreaterThan(20);
  expect(checklist.map(({ title }) => title)).toEqual(lines);
});

it('OP-257: shows nothing of a new workspace, and says what is missing', async () => {
  const sandbox = await testSandbox();
  const body = ok(await sandbox.control.GET('/checklist'));
  expect(body).toMatchObject({ ready: false, shown: 0, yours: 8 });
  expect(body.items[0]).toEqual({
    id: 'certified',
    group: 'your_server',
    title: '`certify` exits with 0, without `--allow-partial`.',
    state: 'not_shown',
    evidence: 'Your server is not connected: set `client_url`.',
  });
  expect(body.items.find(({ id }) => id === 'secrets')).toMatchObject({
    state: 'yours',
    evidence: 'No call shows this.',
  });
});

it('OP-257: an order without an idempotency key, an unanswered open point and an unused magic value are named', async () => {
  const sandbox = await testSandbox();
  await signIn(sandbox, 'CUST0001');
  ok(await order(sandbox, {}, 'cart-1'));
  await expectItem(sandbox, 'idempotency-keys', 'shown', 'Orders in the activity log: 1, 1 of them with a key.');
  ok(await order(sandbox, {}));
  await expectItem(sandbox, 'idempotency-keys', 'not_shown', 'Orders in the activity log: 2, 1 of them with a key.');
  await expectItem(
    sandbox,
    'open-points',
    'not_shown',
    /^\d+ of \d+ points that calls rely on have no answer: OP-02, /,
  );
  await expectItem(sandbox, 'magic', 'not_shown', /^0 of \d+ magic values were used, and not: MAGIC-/);
  await order(sandbox, { line_items: [{ sku: magicItems[0]?.value ?? '', quantity: 1 }] });
  expect((await stateOf(sandbox, 'magic'))[1]).toMatch(/^1 of \d+ /);
});

it('OP-257: only calls to the server in use are evidence about it, and a fault counts if both ledgers agree', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const fault = { target: 'saveRedeemDetails', fault: 'lost_reply', times: 1 } as const;
  ok(await control.POST('/faults', { body: fault }));
  ok(await order(sandbox, {}, 'cart-1'));
  for (const id of ['findings', 'once', 'faults'])
    await expectItem(sandbox, id, 'not_shown', 'Your server is not connected: set `client_url`.');
  const { url } = await new PartnerServer().standIn(sandbox);
  await expectItem(sandbox, 'findings', 'not_shown', `The activity log has no call to ${url}.`);
  await expectItem(sandbox, 'once', 'not_shown', `No certification of ${url} has ended.`);
  ok(await control.POST('/faults', { body: fault }));
  ok(await order(sandbox, {}, 'cart-2'));
  await expectItem(sandbox, 'findings', 'shown', /^Calls to your server: \d+, none with an error\.$/);
  ok(await control.GET('/reconciliation'));
  await expectItem(sandbox, 'faults', 'shown', /^Calls with a fault: \d+\. The ledgers agree\.$/);
});

it('OP-257: an error of the server in use, and points that it does not deduct, are evidence against it', async () => {
  const sandbox = await testSandbox();
  await new PartnerServer('accepts and deducts nothing').standIn(sandbox);
  ok(await sandbox.control.POST('/faults', { body: { target: 'saveRedeemDetails', fault: 'lost_reply', times: 1 } }));
  ok(await order(sandbox, {}, 'cart-1'));
  ok(await sandbox.control.GET('/reconciliation'));
  await expectItem(sandbox, 'faults', 'not_shown', /^Calls with a fault: \d+\. The reconciliation is not empty\.$/);
});

it('OP-257: an answer to each point that calls rely on, and an allowlist, are evidence', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  ok(await order(sandbox, {}, 'cart-1'));
  const { items } = ok(await control.GET('/open-points', { params: { query: { relied_on: 'yes' } } }));
  const given = { answer: 'agreed', by: 'Jane Doe', date: '2026-11-28' } as const;
  const answers = {
    ...Object.fromEntries(items.map(({ id }) => [id, given])),
    'OP-09': { ...given, answer: 'settled', value: { tds_percent: 1 } } as const,
    'OP-05': { ...given, answer: 'differs', text: 'One line for each order.' } as const,
  };
  ok(await control.PUT('/open-points/answers', { body: { answers } }));
  const [state, evidence] = await stateOf(sandbox, 'open-points');
  expect(state).toBe('shown');
  const words: Readonly<Record<string, string>> = {
    'OP-05': 'differs: One line for each order.',
    'OP-09': 'settled: {"tds_percent":1}',
  };
  const told = items.map(({ id }) => ` ${id} ${words[id] ?? 'agreed'} (2026-11-28, Jane Doe).`).join('');
  expect(evidence).toBe(`All ${items.length} points that calls rely on are answered.${told}`);
  ok(await control.PATCH('/workspace', { body: { settings: { allowlist: ['127.0.0.0/8'] } } }));
  await expectItem(sandbox, 'allowlist', 'shown', 'The workspace allows 127.0.0.0/8 only.');
});

it('`ready` prints the checklist by group, and exits with 1 until everything that can be shown is', async () => {
  const sandbox = await testSandbox();
  const { code, stdout, stderr } = await inProcess(['ready', '--sandbox', sandbox.origin]).ended;
  expect([code, stderr]).toEqual([1, '']);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => /^\S/.test(line))).toEqual([
    'Your server',
    'Your calls',
    'Agreed with the platform',
    'Rehearsed',
    expect.stringMatching(/^Not ready: 0 shown, \d+ not shown, 8 for you to confirm\.$/),
  ]);
  expect(lines).toContain('  yours      Secrets come from a secret store. They are in no log and no repository.');
  const json = await inProcess(['ready', '--sandbox', sandbox.origin, '--json']).ended;
  expect(JSON.parse(json.stdout)).toEqual(ok(await sandbox.control.GET('/checklist')));
});
