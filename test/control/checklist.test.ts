/** The checklist for going live: over the control API, and with the command (OP-257). */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { checklist } from '../../sandbox/control/checklist.ts';
import { inProcess } from '../harness/command.ts';
import { order } from '../harness/orders.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const stateOf = async ({ control }: TestSandbox, id: string) => {
  const { items } = ok(await control.GET('/checklist'));
  const item = items.find((one) => one.id === id);
  return [item?.state, item?.evidence];
};

it('has the items of the guide, in its order', async () => {
  const guide = await readFile(new URL('../../docs/guides/going-live.md', import.meta.url), 'utf8');
  const lines = [...guide.matchAll(/^- \[ \] ((?:.|\n {2})*)$/gm)].map(([, line = '']) =>
    line.replaceAll(/\n {2}/g, ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  );
  expect(lines.length).toBeGreaterThan(20);
  expect(Object.values(checklist).flatMap((items) => items.map(({ title }) => title))).toEqual(lines);
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
    evidence: 'The reference client is in use: set `client_url` to your server.',
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
  expect(await stateOf(sandbox, 'idempotency-keys')).toEqual([
    'shown',
    'Orders in the activity log: 1, 1 of them with a key.',
  ]);
  ok(await order(sandbox, {}));
  expect(await stateOf(sandbox, 'idempotency-keys')).toEqual([
    'not_shown',
    'Orders in the activity log: 2, 1 of them with a key.',
  ]);
  expect(await stateOf(sandbox, 'findings')).toEqual([
    'shown',
    expect.stringMatching(/^Calls to your server: \d+, none with an error\.$/),
  ]);
  expect(await stateOf(sandbox, 'open-points')).toEqual([
    'not_shown',
    expect.stringMatching(/^\d+ of \d+ points that calls rely on have no answer: OP-02, /),
  ]);
  expect(await stateOf(sandbox, 'magic')).toEqual([
    'not_shown',
    expect.stringMatching(/^0 of \d+ magic values were used, /),
  ]);
});

it('OP-257: a fault that leaves both ledgers alike is evidence, and so are an answer to each point and an allowlist', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  ok(await control.POST('/faults', { body: { target: 'saveRedeemDetails', fault: 'lost_reply', times: 1 } }));
  ok(await order(sandbox, {}, 'cart-1'));
  expect(await stateOf(sandbox, 'faults')).toEqual(['shown', 'Calls with a fault: 1. The ledgers do not differ.']);
  const { items } = ok(await control.GET('/open-points', { params: { query: { relied_on: 'yes' } } }));
  const given = { answer: 'agreed', by: 'Jane Doe', date: '2026-11-28' } as const;
  ok(
    await control.PUT('/open-points/answers', {
      body: { answers: Object.fromEntries(items.map(({ id }) => [id, given])) },
    }),
  );
  expect(await stateOf(sandbox, 'open-points')).toEqual([
    'shown',
    `All ${items.length} points that calls rely on are answered.`,
  ]);
  ok(await control.PATCH('/workspace', { body: { settings: { allowlist: ['127.0.0.0/8'] } } }));
  expect(await stateOf(sandbox, 'allowlist')).toEqual(['shown', 'The workspace allows 127.0.0.0/8 only.']);
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
    expect.stringMatching(/^Not ready: 0 shown, \d+ not shown, 8 for you to say\.$/),
  ]);
  expect(lines).toContain('  yours      Secrets come from a secret store. They are in no log and no repository.');
  const json = await inProcess(['ready', '--sandbox', sandbox.origin, '--json']).ended;
  expect(JSON.parse(json.stdout)).toEqual(ok(await sandbox.control.GET('/checklist')));
});
