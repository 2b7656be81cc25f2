/** Each workspace derives its secrets from its own root, which nobody else can compute (OP-55). */
import { expect, it } from 'vitest';
import { OptionError } from '../../sandbox/options.ts';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, opened, orderIn, workspaceOf } from '../harness/workspaces.ts';

/** Returns all random values from a sign-in through the delivery of the voucher, and for a webhook. */
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

/** Returns the names of the values that are equal in both or missing. */
function alike(one: Drawn, other: Drawn): string[] {
  return (Object.keys(one) as (keyof Drawn)[]).filter((name) => one[name] === undefined || one[name] === other[name]);
}

/**
 * Checks whether a webhook secret is part of a random stream seeded with one of these strings. Covers the seed formats used at startup and
 * by workspaces.
 */
function isComputable(secret: string, texts: readonly string[]): boolean {
  const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const roots = texts.flatMap((text) => [text, `rewards-sandbox:${text}`]);
  const seeds = roots.flatMap((root) => [root, ...[1, 2, 3].map((start) => `${root}#${start}`)]);
  return seeds.some((seed) => new SeededRandom(seed).bytes(65_536).includes(bytes));
}

/** Returns all strings in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

it('OP-55: without a seed, no secret of a workspace can be computed from the demo seed or from another workspace', async () => {
  const sandbox = await testSandbox();
  const [one, other] = [await workspaceOf(sandbox), await workspaceOf(sandbox)];
  const [drawn, others, demos] = [await drawnIn(one), await drawnIn(other), await drawnIn(sandbox)];
  expect([alike(drawn, others), alike(drawn, demos), alike(others, demos)]).toEqual([[], [], []]);
  const visible = ['demo', other.details.id, ...textsIn(one.details), ...textsIn(drawn)];
  expect(isComputable(others.secret, visible)).toBe(false);
  // Control case: on loopback, the demo workspace's secret derives from its seed, and this check detects it.
  expect(isComputable(demos.secret, ['demo'])).toBe(true);
});

it('OP-55: two workspaces with the same seed draw the same values, and have no credential in common', async () => {
  const sandbox = await testSandbox();
  const wish = { seed: 'build-4711' };
  const [one, other] = [await workspaceOf(sandbox, wish), await workspaceOf(sandbox, wish)];
  const customersIn = async ({ control }: Clients) => ok(await control.GET('/customers'));
  expect(await customersIn(one)).toEqual(await customersIn(other));
  expect(await customersIn(one)).not.toEqual(await customersIn(sandbox));
  expect(await drawnIn(one)).toEqual(await drawnIn(other));
  expect(one.details.admin_token).not.toBe(other.details.admin_token);
  expect(textsIn(one.details.credentials).filter((text) => textsIn(other.details.credentials).includes(text))).toEqual([
    'microsite',
  ]);
});

it.each([{}, { seed: 'build-4711' }])(
  'OP-64: each fork of a snapshot draws from a stream of its own: %o',
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
    expect(isComputable(one.secret, ['demo', 'build-4711'])).toBe(false);
  },
);

it('OP-55: a reset rewinds the stream, a restart begins another stream of the same root', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir });
  const own = await workspaceOf(first);
  const drawn = await drawnIn(own);
  ok(await own.control.POST('/reset'));
  expect(await drawnIn(own)).toEqual(drawn);
  await first.close();
  const second = await testSandbox({ dataDir });
  const after = await drawnIn(opened({ ...own.details, urls: second.urls }));
  expect(alike(after, drawn)).toEqual([]);
  expect(isComputable(after.secret, ['demo'])).toBe(false);
});

/** Starts a sandbox on every interface. Also returns the messages to the operator. */
async function startShared(options: Parameters<typeof testSandbox>[0] = {}) {
  const messages: string[] = [];
  const sandbox = await testSandbox({ host: '0.0.0.0', warn: (message) => messages.push(message), ...options });
  return { ...sandbox, messages };
}

const isPrivate =
  'The secrets of the demo workspace are private: read them with GET /sandbox/v1/workspace and the admin token.';

it('OP-55: on an address other than loopback, the secrets of the demo workspace derive from no seed', async () => {
  const [local, one, other] = [await testSandbox(), await startShared(), await startShared()];
  const localTexts = textsIn(local.credentials);
  for (const { credentials } of [one, other]) {
    expect(textsIn(credentials).filter((text) => localTexts.includes(text))).toEqual(['microsite']);
  }
  expect(textsIn(one.credentials).filter((text) => textsIn(other.credentials).includes(text))).toEqual(['microsite']);
  expect([one.messages, other.messages]).toEqual([[isPrivate], [isPrivate]]);
  expect(ok(await one.control.GET('/customers'))).toEqual(ok(await local.control.GET('/customers')));
  const drawn = await drawnIn(one);
  expect(alike(drawn, await drawnIn(local))).toEqual([]);
  expect(isComputable(drawn.secret, ['demo'])).toBe(false);
});

it('OP-55: private secrets are stored with the data, for every address, and announced once', async () => {
  const dataDir = await temporaryFolder();
  const first = await startShared({ dataDir });
  await first.close();
  const again = await startShared({ dataDir });
  expect([again.credentials, again.messages]).toEqual([first.credentials, []]);
  await again.close();
  expect((await testSandbox({ dataDir })).credentials).toEqual(first.credentials);
});

it('OP-55: a seed of 16 characters or more counts as private', async () => {
  const seed = 'kept-by-the-team';
  const [one, same] = [await startShared({ seed }), await testSandbox({ seed })];
  expect([one.credentials, one.messages]).toEqual([same.credentials, []]);
});

it('OP-55: a guessable seed is refused if other machines can reach the sandbox', async () => {
  for (const seed of ['demo', 'fifteen-letters']) {
    const message =
      'Secrets are derived from --seed, and other machines can reach 0.0.0.0: use an unguessable seed of at least 16 characters, or none.';
    await expect(startSandbox({ port: 0, host: '0.0.0.0', seed })).rejects.toThrow(new OptionError(message));
  }
});

it('OP-55: data whose secrets derive from a guessable seed is not opened if other machines can reach it', async () => {
  const dataDir = await temporaryFolder();
  const local = await testSandbox({ dataDir });
  await local.close();
  const message =
    'The secrets in this data are derived from the seed demo, and other machines can reach 0.0.0.0: use another data folder (--data), or a loopback address.';
  await expect(startSandbox({ port: 0, host: '0.0.0.0', dataDir })).rejects.toThrow(new OptionError(message));
  expect((await testSandbox({ dataDir })).credentials).toEqual(local.credentials);
});
