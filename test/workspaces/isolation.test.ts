/** A workspace cannot detect another workspace's data (OP-63). */
import { expect, it } from 'vitest';
import { loadContracts, type Operation } from '../harness/contracts.ts';
import { type Clients, logIn, ok, raw, signIn, testSandbox } from '../harness/sandbox.ts';
import { companyTokenOf, type opened, workspaceOf } from '../harness/workspaces.ts';

type Workspace = ReturnType<typeof opened>;
/** An id or token of each kind. */
type Ids = Readonly<
  Record<'uid' | 'sku' | 'order' | 'redeem' | 'otp' | 'jwt' | 'cursor' | 'webhook' | 'trace', string>
> &
  Readonly<Record<'payment' | 'fault' | 'work' | 'snapshot' | 'workspace', string>>;

/** Fields and parameters that contain an id, in any operation. */
const kinds: Readonly<Record<string, keyof Ids>> = {
  uid: 'uid',
  customer_id: 'uid',
  username: 'uid',
  sku: 'sku',
  sku_code: 'sku',
  order_id: 'order',
  redeemCode: 'redeem',
  redeem_code: 'redeem',
  reference_id: 'otp',
  token: 'jwt',
  cursor: 'cursor',
  webhook_id: 'webhook',
  trace: 'trace',
  transactionId: 'payment',
};
/** The kind of the parameter `id`, by operation. */
const ids: Readonly<Record<string, keyof Ids>> = {
  deleteFault: 'fault',
  replayDelivery: 'work',
  deleteWorkspace: 'workspace',
  updateListedWorkspace: 'workspace',
  checkWorkspace: 'workspace',
  deleteSnapshot: 'snapshot',
  restoreSnapshot: 'snapshot',
  forkSnapshot: 'snapshot',
};

const unknownIds: Ids = {
  uid: 'NOBODY-1',
  sku: 'NO-SKU',
  order: 'ORD-000099-ZZZZZZ',
  redeem: 'RDM-000099-ZZZZZZ',
  otp: 'OTP-000099-ZZZZZZZZ',
  jwt: 'e30.e30.e30',
  cursor: 'unknown',
  webhook: 'WHK-000099-ZZZZZZ',
  trace: '00000000000000000000000000000000',
  payment: 'TXN-UNKNOWN',
  fault: 'FLT-999999',
  work: 'W999999999999',
  snapshot: 'SNP-999999',
  workspace: 'ws_0000000000000000',
};

/** Creates one resource of each kind that has an id. */
async function fill(workspace: Workspace): Promise<Ids> {
  const { control, details } = workspace;
  const uid = 'PERSON-ELSEWHERE';
  const sku = 'ITEM-ELSEWHERE';
  ok(await control.POST('/customers', { body: { uid, points: { balance: 5000 } } }));
  ok(
    await control.POST('/catalogue', {
      body: { sku_code: sku, product_type: 'EGV', denomination_value: '100', qty: '9' },
    }),
  );
  const { jwt, companyToken } = await signIn(workspace, uid);
  const rewards = workspace.rewards(companyToken);
  const sent = ok(await workspace.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: uid } }));
  const placed = { body: { uid, line_items: [{ sku, quantity: 1 }] } };
  const order = ok(await rewards.POST('/v1/partner/redeemptiononskus', placed));
  const hook = ok(await rewards.POST('/v1/partner/webhooks', { body: { url: 'http://127.0.0.1:9/hook' } }));
  const payment = 'TXN-ELSEWHERE';
  const event = { uid, eventType: 'DIGITAL_PAYMENT', paymentAmount: '100.00' } as const;
  const transactions = [payment, ...Array.from({ length: 12 }, (_, number) => `TXN-${number}`)];
  for (const transactionId of transactions) {
    ok(await rewards.POST('/v1/partner/events/payment', { body: { ...event, transactionId } }));
  }
  const page = ok(await rewards.GET('/v1/partner/rewards', { params: { query: { limit: 2 } } }));
  // Numbered ids exceed those of the other workspace.
  const fault = { body: { target: 'listRewards', fault: 'status', status: 503, times: 1 } } as const;
  for (const _ of [1, 2, 3, 4]) {
    ok(await control.POST('/faults', fault));
    ok(await control.POST('/snapshots', { body: {} }));
  }
  const { id } = ok(await control.POST('/faults', fault));
  const snapshot = ok(await control.POST('/snapshots', { body: {} }));
  const { items } = ok(await control.GET('/activity'));
  const delivery = ok(await control.GET('/deliveries')).items.at(-1);
  return {
    uid,
    sku,
    order: order.order_id,
    redeem: order.lines[0]?.redeemCode ?? '',
    otp: sent.reference_id,
    jwt,
    cursor: page.next_cursor ?? '',
    webhook: hook.webhook_id,
    trace: items[0]?.trace ?? '',
    payment,
    fault: id,
    work: delivery?.id ?? '',
    snapshot: snapshot.id,
    workspace: details.id,
  };
}

/** Sends the operation's example with its ids replaced. Returns the reply and whether the example contains any id. */
async function callWith(origin: string, operation: Operation, values: Ids, authorization: string | undefined) {
  let used = false;
  const kindOf = (name: string) => (name === 'id' ? ids[operation.id] : kinds[name]);
  const replaceIds = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((part) => replaceIds(name, part));
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, replaceIds(field, part)]));
    }
    const kind = kindOf(name);
    if (kind === undefined || typeof value !== 'string') return value;
    used = true;
    return values[kind];
  };
  const query = new URLSearchParams();
  let path = operation.path;
  for (const { name, in: location, example } of operation.parameters) {
    const value = String(replaceIds(name, String(example)));
    if (location === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    // Omit parameters that would make the call wait.
    if (location === 'query' && name !== 'wait' && name !== 'after') query.set(name, value);
  }
  const body = replaceIds('', operation.body?.examples[0]?.[1]);
  const answer = await raw(`${origin}${operation.address}${path}?${query}`, {
    method: operation.method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = JSON.stringify({ status: answer.status, body: answer.body });
  const hidden = Object.values(values).reduce(
    (reply, id) => reply.replaceAll(id, '<id>'),
    text.replace(/\d+ ms/, '<time>'),
  );
  // A profile is derived from the uid, and items and messages are numbered.
  const comparable = createOperations.has(operation.id)
    ? hidden.replace(/"profile":\{[^}]*\}|"(id|seq)":\d+/, '<made>')
    : hidden;
  return { used, reply: comparable };
}

/** Returns a credential of the workspace for an operation. */
async function credentialOf(workspace: Workspace, { id, security: [scheme], address }: Operation) {
  if (address === '/sandbox/v1') return `Bearer ${workspace.details.admin_token}`;
  if (scheme === undefined) return undefined;
  const { basic, service_token, gateway_token } = workspace.credentials;
  if (scheme.scheme === 'basic') return `Basic ${btoa(`${basic.username}:${basic.password}`)}`;
  if (address === '/client') return `Bearer ${service_token}`;
  if (address === '/gateway') return `Bearer ${gateway_token}`;
  if (address === '/general') return `Bearer ${await logIn(workspace, 'CUST0001')}`;
  if (id === 'customerAuth') return await companyTokenOf(workspace);
  return `Bearer ${await companyTokenOf(workspace)}`;
}

/** Operations without ids in their requests, if they change the workspace or have incomparable replies. */
const excludedOperations: ReadonlySet<string> = new Set([
  'streamActivity',
  'openListener',
  'resetWorkspace',
  'openPortal',
]);

/** Operations that create a resource. They run last, because afterwards the unknown id may exist. */
const createOperations: ReadonlySet<string> = new Set(['createCustomer', 'createCatalogueItem', 'sendMessage']);

/** Contracts of pages. Only the session in a page's address identifies a workspace. */
const pages: ReadonlySet<string> = new Set(['portal', 'microsite', 'dashboard', 'start']);

const operations = loadContracts()
  .filter(({ name }) => !pages.has(name))
  .flatMap((contract) => contract.operations)
  .filter(({ id }, index, all) => all.findIndex((other) => other.id === id) === index && !excludedOperations.has(id))
  .sort((one, next) => Number(createOperations.has(one.id)) - Number(createOperations.has(next.id)));

async function everythingOf({ control }: Clients) {
  const paths = ['/customers', '/catalogue', '/messages', '/activity', '/faults', '/snapshots', '/deliveries'] as const;
  return Promise.all(paths.map(async (path) => ok(await control.GET(path))));
}

it("OP-63: every operation answers another workspace's ids and tokens like unknown ones", async () => {
  const sandbox = await testSandbox();
  const own = await workspaceOf(sandbox, { seed: 'own' });
  const other = await workspaceOf(sandbox, { seed: 'other' });
  const foreignIds = await fill(other);
  const before = await everythingOf(other);
  const comparedOperations: string[] = [];
  for (const operation of operations) {
    const credential = await credentialOf(own, operation);
    const withUnknown = await callWith(sandbox.origin, operation, unknownIds, credential);
    const withForeign = await callWith(sandbox.origin, operation, foreignIds, credential);
    if (!withForeign.used) continue;
    comparedOperations.push(operation.id);
    expect(withForeign.reply, operation.id).toBe(withUnknown.reply);
  }
  expect(comparedOperations.length).toBeGreaterThanOrEqual(40);
  expect(await everythingOf(other)).toEqual(before);
});

it('OP-63: the comparison can fail: with ids of its own workspace, an operation answers differently', async () => {
  const sandbox = await testSandbox();
  const own = await workspaceOf(sandbox, { seed: 'own' });
  const ownIds = await fill(own);
  const differingOperations: string[] = [];
  for (const operation of operations.filter(({ id }) => id !== 'deleteWorkspace')) {
    const credential = await credentialOf(own, operation);
    const withUnknown = await callWith(sandbox.origin, operation, unknownIds, credential);
    const withOwn = await callWith(sandbox.origin, operation, ownIds, credential);
    if (withOwn.used && withOwn.reply !== withUnknown.reply) differingOperations.push(operation.id);
  }
  expect(differingOperations.length).toBeGreaterThan(20);
});

it('OP-63: tokens of a deleted workspace are refused with the same bytes as unknown ones', async () => {
  const sandbox = await testSandbox();
  const gone = await workspaceOf(sandbox);
  const { jwt, companyToken, customerToken } = await signIn(gone, 'CUST0001');
  const accessToken = await logIn(gone, 'CUST0001');
  const { service_token, gateway_token, basic } = gone.credentials;
  ok(await gone.control.GET('/clock'));
  await gone.control.DELETE('/workspaces/{id}', { params: { path: { id: gone.details.id } } });
  const basicOf = (password: string) => `Basic ${btoa(`${basic.username}:${password}`)}`;
  const { admin_token } = gone.details;
  const tokens = [jwt, companyToken, customerToken, accessToken, service_token, gateway_token, admin_token];
  const credentials = [...tokens.map((token) => `Bearer ${token}`), basicOf(basic.password)];
  for (const operation of operations.filter(({ security }) => security.length > 0)) {
    const refused = new Set<string>();
    for (const authorization of [...credentials, 'Bearer unknown', basicOf('unknown')]) {
      refused.add((await callWith(sandbox.origin, operation, unknownIds, authorization)).reply);
    }
    expect(refused.size, `${operation.id}: ${[...refused].join(' ')}`).toBe(1);
    expect([...refused][0], operation.id).toMatch(/"status":(401|422)/);
  }
});
