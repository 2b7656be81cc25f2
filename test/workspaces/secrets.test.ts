/** What must not be guessed follows from a root of the workspace's own, which nobody else can compute (OP-55). */
import { expect, it } from 'vitest';
import { OptionError } from '../../sandbox/options.ts';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

/** Everything drawn on the way from a sign-in to the voucher, and for a webhook. */
async function drawnIn(workspace: Clients) {
  const { auth, control } = workspace;
  const { reference_id } = ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }));
  const order = await orderIn(workspace);
  ok(await control.POST('/clock/advance', { body: { seconds: 60 } }));
  const { items } = ok(await control.GET('/messages'));
  const rewards = workspace.rewards(await companyTokenOf(workspace));
  const url = 'https://client.invalid/hooks';
  const { webhook_id, secret } = ok(await rewards.POST('/v1/partner/webhooks', { body: { url } }));
  const voucher = items.find(({ kind }) => kind === 'voucher')?.text ?? '';
  const [, code, pin] = /([2-9A-Z-]{19}), PIN (\d{6})/.exec(voucher) ?? [];
  const otp = items.find(({ kind }) => kind === 'otp')?.otp;
  const { order_id, lines } = order;
  return { reference_id, otp, order_id, redeemCode: lines[0]?.redeemCode, code, pin, webhook_id, secret };
}

type Drawn = Awaited<ReturnType<typeof drawnIn>>;

/** The values of one that are also those of the other. */
function alike(one: Drawn, other: Drawn): string[] {
  return (Object.keys(one) as (keyof Drawn)[]).filter((name) => one[name] === undefined || one[name] === other[name]);
}

/**
 * Whether a webhook secret is part of a stream that follows from one of these texts, as a start or a workspace names
 * it.
 */
function computable(secret: string, known: readonly string[]): boolean {
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const roots = known.flatMap((text) => [text, `rewards-sandbox:${text}`]);
  const seeds = roots.flatMap((root) => [root, ...[1, 2, 3].map((start) => `${root}#${start}`)]);
  return seeds.some((seed) => new SeededRandom(seed).bytes(65_536).includes(bytes));
}

/** All texts in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

it('OP-55: without a seed, nothing that a workspace draws is told by the seed or by another workspace', async () => {
  const sandbox = await testSandbox();
  const [one, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
  const [drawn, others, demos] = [await drawnIn(one), await drawnIn(other), await drawnIn(sandbox)];
  expect([alike(drawn, others), alike(drawn, demos), alike(others, demos)]).toEqual([[], [], []]);
  const known = ['demo', other.shown.id, ...textsIn(one.shown), ...textsIn(drawn)];
  expect(computable(others.secret, known)).toBe(false);
  // The control: what the demo workspace draws on loopback follows from its seed, and this look sees it.
  expect(computable(demos.secret, ['demo'])).toBe(true);
});

it('OP-55: with the same seed of one’s own two workspaces draw the same, and have no credential in common', async () => {
  const sandbox = await testSandbox();
  const wish = { seed: 'build-4711' };
  const [one, other] = [await workspaceOf(sandbox, wish), await workspaceOf(sandbox, wish)];
  expect(await drawnIn(one)).toEqual(await drawnIn(other));
  expect(textsIn(one.shown.credentials).filter((text) => textsIn(other.shown.credentials).includes(text))).toEqual([
    'microsite',
  ]);
});

it.each([{}, { seed: 'build-4711' }])(
  'OP-64: forks of one snapshot draw each from a stream of its own: %o',
  async (wish) => {
    const sandbox = await testSandbox();
    const origin = await workspaceOf(sandbox, wish);
    await drawnIn(origin);
    const { id } = ok(await origin.control.POST('/snapshots', { body: {} }));
    const fork = async () =>
      opened(ok(await origin.control.POST('/snapshots/{id}/fork', { params: { path: { id } } })));
    const [one, other] = [await drawnIn(await fork()), await drawnIn(await fork())];
    const there = await drawnIn(origin);
    expect([alike(one, other), alike(one, there), alike(other, there)]).toEqual([[], [], []]);
    expect(computable(one.secret, ['demo', 'build-4711'])).toBe(false);
  },
);

it('OP-55: a reset draws again from the start of the same stream, a restart from another of the same root', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  const own = await workspaceOf(first);
  const drawn = await drawnIn(own);
  ok(await own.control.POST('/reset'));
  expect(await drawnIn(own)).toEqual(drawn);
  await first.close();
  const second = await testSandbox({ dataDir });
  const after = await drawnIn(opened({ ...own.shown, urls: second.urls }));
  expect(alike(after, drawn)).toEqual([]);
  expect(computable(after.secret, ['demo'])).toBe(false);
});

/** Starts on every interface. Returns what an operator is told, too. */
async function shared(options: Parameters<typeof testSandbox>[0] = {}) {
  const told: string[] = [];
  const sandbox = await testSandbox({ host: '0.0.0.0', warn: (message) => told.push(message), ...options });
  return { ...sandbox, told };
}

const isPrivate =
  'The secrets of the demo workspace are private: read them with GET /sandbox/v1/workspace and the admin token.';

it('OP-55: on an address that is not loopback the demo workspace has secrets that no seed tells', async () => {
  const [local, one, other] = [await testSandbox(), await shared(), await shared()];
  const known = textsIn(local.credentials);
  for (const { credentials } of [one, other]) {
    expect(textsIn(credentials).filter((text) => known.includes(text))).toEqual(['microsite']);
  }
  expect(textsIn(one.credentials).filter((text) => textsIn(other.credentials).includes(text))).toEqual(['microsite']);
  expect([one.told, other.told]).toEqual([[isPrivate], [isPrivate]]);
  expect(ok(await one.control.GET('/customers'))).toEqual(ok(await local.control.GET('/customers')));
  const drawn = await drawnIn(one);
  expect(alike(drawn, await drawnIn(local))).toEqual([]);
  expect(computable(drawn.secret, ['demo'])).toBe(false);
});

it('OP-55: private secrets are kept with the data, on every address, and told of once', async () => {
  const dataDir = await temporaryFolder();
  const first = await shared({ dataDir });
  await first.close();
  const again = await shared({ dataDir });
  expect([again.credentials, again.told]).toEqual([first.credentials, []]);
  await again.close();
  expect((await testSandbox({ dataDir })).credentials).toEqual(first.credentials);
});

it('OP-55: a seed of 16 characters or more is as private as who gave it keeps it', async () => {
  const seed = 'kept-by-the-team';
  const [one, same] = [await shared({ seed }), await testSandbox({ seed })];
  expect([one.credentials, one.told]).toEqual([same.credentials, []]);
});

it('OP-55: a seed that can be guessed is refused where others can reach the sandbox', async () => {
  for (const seed of ['demo', 'fifteen-letters']) {
    const message =
      'Secrets are derived from --seed, and other machines can reach 0.0.0.0: use an unguessable seed of at least 16 characters, or none.';
    await expect(startSandbox({ port: 0, host: '0.0.0.0', seed })).rejects.toThrow(new OptionError(message));
  }
});

it('OP-55: data whose secrets follow from a seed that can be guessed is not opened where others can reach it', async () => {
  const dataDir = await temporaryFolder();
  const local = await testSandbox({ dataDir });
  await local.close();
  const message =
    'The secrets in this data are derived from the seed demo, and other machines can reach 0.0.0.0: use another data folder (--data), or a loopback address.';
  await expect(startSandbox({ port: 0, host: '0.0.0.0', dataDir })).rejects.toThrow(new OptionError(message));
  expect((await testSandbox({ dataDir })).credentials).toEqual(local.credentials);
});
