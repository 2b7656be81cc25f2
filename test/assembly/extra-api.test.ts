/** Adds a new API to the sandbox with a registry entry, a contract and handlers. */
import { expect, it } from 'vitest';
import { findApi, type RegisteredApi, registry } from '../../sandbox/apis/registry.ts';
import { type Hosts, loadApis, servedApis } from '../../sandbox/assembly/apis.ts';
import { type ServedApi, serve } from '../../sandbox/contract/binder.ts';
import { contract } from '../../sandbox/contract/document.ts';
import { flatEnvelope } from '../../sandbox/contract/envelopes.ts';
import { loadContract, Schemas } from '../../sandbox/contract/schemas.ts';
import { memoryStorage } from '../../sandbox/workspaces/storage.ts';
import { serveWorkspaces } from '../harness/beside.ts';
import { raw } from '../harness/sandbox.ts';

const example = { example: { summary: 'One', value: {} } };
const reply = (description: string, schema: object, examples: object = example) => ({
  description,
  content: { 'application/json': { schema, examples } },
});
const greetingSchema = { type: 'object', required: ['greeting'], properties: { greeting: { type: 'string' } } };
const operation = (operationId: string, security: readonly object[], more: object = {}) => ({
  operationId,
  'x-hosted-by': 'platform',
  security,
  responses: {
    200: reply('The greeting', greetingSchema),
    401: reply('Unauthorized', {}, { unauthorized: example.example }),
    503: reply('Unavailable', {}, { unavailable: example.example }),
  },
  ...more,
});
const body = { type: 'object', properties: { word: { type: 'string' } } };

/** The contract. One operation requires a key, and another carries a secret in its body. */
const greetings = {
  openapi: '3.1.0',
  info: { title: 'Greetings', version: '1.0.0' },
  paths: {
    '/hello': { get: operation('sayHello', [{ key: [] }]) },
    '/word': {
      post: operation('sayWord', [], {
        requestBody: { required: true, content: { 'application/json': { schema: body } } },
      }),
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
};

/** The registry entry. */
const entry: RegisteredApi = {
  prefix: '/greetings',
  host: 'platform',
  contracts: ['greetings'],
  ofInterface: true,
  calledBy: 'programs',
  credential: 'header',
  inBody: { sayWord: 'word' },
};

function load(name: string) {
  if (name !== 'greetings') return loadContract(name);
  const read = contract(name, greetings);
  return { ...read, schemas: new Schemas(read) };
}

/** The handlers, which return the name of the caller's workspace. */
const greet = async ({ companySecret }: Hosts['platform']) =>
  ({ status: 200, body: { greeting: `hello from ${companySecret}` } }) as const;
const greetingsApi: ServedApi<Hosts, 'greetings'> = {
  greetings: serve({
    party: ({ platform }: Hosts) => platform,
    handlers: { sayHello: greet, sayWord: greet } as never,
    envelope: () => flatEnvelope,
    authenticators: { key: async (_, sent) => (sent === undefined ? undefined : { kind: 'caller' }) },
    anyone: { kind: 'anyone' },
  }),
};

async function sandboxWithGreetings() {
  return serveWorkspaces(
    memoryStorage(() => {}),
    {
      apis: loadApis({ ...registry, greetings: entry }, load),
      served: { ...servedApis, greetings: greetingsApi },
    },
  );
}

it('the sandbox serves an API that has a registry entry, a contract and handlers', async () => {
  const { origin, create, workspaces } = await sandboxWithGreetings();
  const { body: other } = await create();
  const { id, admin_token, credentials } = other as { id: string; admin_token: string; credentials: Secrets };
  const withToken = { headers: { authorization: `Bearer ${admin_token}` } };
  const control = `${origin}/sandbox/v1`;
  const greeting = `hello from ${credentials.company_secret}`;

  // The credential identifies the workspace, in the header and in the body.
  const hello = await raw(`${origin}/greetings/hello`, withToken);
  expect({ status: hello.status, body: hello.body }).toEqual({ status: 200, body: { greeting } });
  const word = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const wordReply = await raw(`${origin}/greetings/word`, {
    ...word,
    body: JSON.stringify({ word: credentials.company_secret }),
  });
  expect({ status: wordReply.status, body: wordReply.body }).toEqual({ status: 200, body: { greeting } });
  expect(workspaces.all.map((workspace) => workspace.id)).toContain(id);

  // The API reports errors in its own envelope.
  const refused = await raw(`${origin}/greetings/hello`);
  expect({ status: refused.status, body: refused.body }).toMatchObject({ status: 401, body: { code: 40 } });
  const unknown = await raw(`${origin}/greetings/nothing`, withToken);
  expect({ status: unknown.status, body: unknown.body }).toMatchObject({ status: 404, body: { code: 44 } });

  // The control API lists the operations, the log contains the calls, and faults apply.
  const { body: operations } = await raw(`${control}/operations`, withToken);
  const listed = (operations as { items: { api: string }[] }).items.filter(({ api }) => api === 'greetings');
  const common = { api: 'greetings', hosted_by: 'platform' };
  expect(listed).toEqual([
    { ...common, operation: 'sayHello', method: 'GET', path: '/greetings/hello', security: ['key'] },
    { ...common, operation: 'sayWord', method: 'POST', path: '/greetings/word', security: [] },
  ]);
  const { body: log } = await raw(`${control}/activity`, withToken);
  expect((log as { items: object[] }).items).toMatchObject([
    { party: 'platform', operation: 'sayHello', status: 200, reply: { greeting } },
    { party: 'platform', operation: 'sayWord', status: 200, reply: { greeting } },
    { party: 'platform', operation: null, status: 404 },
  ]);
  const fault = { target: 'sayHello', fault: 'status', status: 503 };
  const json = { ...withToken.headers, 'content-type': 'application/json' };
  expect(await raw(`${control}/faults`, { method: 'POST', headers: json, body: JSON.stringify(fault) })).toMatchObject({
    status: 201,
  });
  expect((await raw(`${origin}/greetings/hello`, withToken)).status).toBe(503);
});

interface Secrets {
  readonly company_secret: string;
}

it('the start fails when an API in the registry has no handlers', async () => {
  const apis = loadApis({ ...registry, greetings: entry }, load);
  const started = serveWorkspaces(
    memoryStorage(() => {}),
    { apis, served: servedApis },
  );
  await expect(started).rejects.toThrow('greetings has no handlers');
});

it('OP-01: when two contracts of an address have the same operation, the first one serves it', () => {
  const client = loadApis().find(({ name }) => name === 'client');
  const parts = client?.parts.map(({ api, operations }) => [api, operations.map(({ operationId }) => operationId)]);
  expect(parts).toEqual([
    ['client', ['getProfileAndPoints', 'creditPoints', 'saveRedeemDetails', 'updateRedeemStatus']],
    ['auth', ['generateOtp', 'verifyOtp']],
    ['v2-client', ['getCustomerPoints', 'redeemPoints', 'reversePoints']],
  ]);
});

it.each([
  ['/rewards', '/rewards'],
  ['/rewards?limit=1', '/rewards'],
  ['/sandbox/v1/health', '/sandbox/v1'],
  ['/sandbox', '/sandbox/v1'],
  ['/rewardsless/v1', undefined],
  ['/', ''],
  ['', undefined],
])('a path belongs to the API of its first segment: %s', (path, prefix) => {
  expect(findApi(Object.values<RegisteredApi>(registry))(path)?.prefix).toBe(prefix);
});
