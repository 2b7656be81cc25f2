/** Tests MCP over HTTP: `POST /sandbox/v1/mcp` of a running sandbox, authenticated with the workspace token (OP-221). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { answerPost } from '../../sandbox/agents/http.ts';
import type { CallSandbox } from '../../sandbox/agents/server.ts';
import { readContract } from '../../sandbox/contract/document.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends one raw message without an MCP client. */
async function send(
  { origin }: TestSandbox,
  message: unknown,
  headers: Record<string, string> = {},
  query = '',
): Promise<{ status: number; body: never; headers: Headers }> {
  const reply = await fetch(`${origin}/sandbox/v1/mcp${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await reply.text();
  return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as never, headers: reply.headers };
}

/** Sends a request of protocol revision 2026-07-28 with the required headers. */
function sendModern(sandbox: TestSandbox, method: string, params: Record<string, unknown> = {}, headers = {}) {
  const named = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {};
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  return send(sandbox, message, { 'MCP-Protocol-Version': revision, 'Mcp-Method': method, ...named, ...headers });
}

it('OP-221: server/discover describes the server, without a session', async () => {
  const sandbox = await testSandbox();
  const { status, body, headers } = await sendModern(sandbox, 'server/discover');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: 1,
    result: { supportedVersions: [revision], capabilities: { tools: {} }, instructions: expect.any(String) },
  });
  expect(headers.get('mcp-session-id')).toBeNull();
});

it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'OP-221: an agent that opens with revision %s gets replies in it',
  async (protocolVersion) => {
    const sandbox = await testSandbox();
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const reply = await send(sandbox, { jsonrpc: '2.0', id: 'open', method: 'initialize', params });
    expect(reply).toMatchObject({ status: 200, body: { id: 'open', result: { protocolVersion } } });
    expect(await send(sandbox, { jsonrpc: '2.0', method: 'notifications/initialized' })).toMatchObject({
      status: 202,
      body: undefined,
    });
    const headers = { 'MCP-Protocol-Version': protocolVersion };
    const listed = await send(sandbox, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers);
    expect(listed).toMatchObject({ status: 200, body: { id: 2, result: { tools: expect.any(Array) } } });
  },
);

it('OP-221: the official clients of both SDK lines find the tools and use them', async () => {
  const sandbox = await testSandbox();
  const url = new URL(`${sandbox.origin}/sandbox/v1/mcp?tools=all`);
  const newer = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: revision } } });
  const older = new OlderClient({ name: 'test', version: '1' });
  onTestFinished(() => Promise.all([newer.close(), older.close()]).then(() => {}));
  await newer.connect(new StreamableHTTPClientTransport(url));
  await older.connect(new OlderTransport(url) as never);
  const names = (await newer.listTools()).tools.map(({ name }) => name);
  expect((await older.listTools()).tools.map(({ name }) => name)).toEqual(names);
  for (const client of [newer, older])
    expect(await client.callTool({ name: 'advanceClock', arguments: { body: { seconds: 1 } } })).toMatchObject({
      isError: false,
    });
  expect(ok(await sandbox.control.GET('/clock')).now).toBe('2026-01-12T04:30:02.000Z');
});

it('OP-221: tools that make changes or show credentials are offered with tools=all only', async () => {
  const sandbox = await testSandbox();
  const namesWith = async (query: string) => {
    const { body } = await send(sandbox, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, {}, query);
    return (body as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
  };
  const all = ['advanceClock', 'getWorkspace'];
  for (const query of ['', '?tools=read']) expect(await namesWith(query)).not.toEqual(expect.arrayContaining(all));
  const names = await namesWith('?tools=all');
  expect(names).toEqual(expect.arrayContaining(all));
  // Streams and nested MCP messages are not offered as tools.
  expect(names.filter((name) => ['streamActivity', 'sendMcpMessage'].includes(name))).toEqual([]);
  const { body } = await sendModern(sandbox, 'tools/call', { name: 'advanceClock', arguments: {} });
  expect(body).toMatchObject({
    error: { message: 'advanceClock makes changes or shows credentials. Use tools=all in the URL to allow it.' },
  });
});

it('OP-221: a wrong token is refused, and so is a missing one if others can reach the sandbox', async () => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const sandbox = await testSandbox({ adminToken: 'secret-of-the-operator' });
  for (const headers of [{}, { Authorization: 'Bearer wrong' }] as Record<string, string>[])
    expect(await send(sandbox, message, headers)).toMatchObject({ status: 401, body: { status: 401 } });
  const right = { Authorization: `Bearer ${sandbox.workspace.admin_token}` };
  expect((await send(sandbox, message, right)).status).toBe(200);
});

it("OP-221: an agent with another workspace's token reaches that workspace and no other", async () => {
  const sandbox = await testSandbox();
  const other = await workspaceOf(sandbox);
  const headers = { Authorization: `Bearer ${other.details.admin_token}` };
  const params = { name: 'advanceClock', arguments: { body: { seconds: 60 } } };
  const { body } = await send(sandbox, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers, '?tools=all');
  expect(body).toMatchObject({ result: { isError: false } });
  expect(ok(await other.control.GET('/clock')).now).toBe('2026-01-12T04:31:00.000Z');
  expect(ok(await sandbox.control.GET('/clock')).now).toBe('2026-01-12T04:30:00.000Z');
});

it('OP-221: there is no session: GET and DELETE get 405', async () => {
  const { origin } = await testSandbox();
  for (const method of ['GET', 'DELETE']) {
    const reply = await fetch(`${origin}/sandbox/v1/mcp`, { method, headers: { Accept: 'text/event-stream' } });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
  }
});

it('OP-221: an unsupported method, and headers that contradict the message, get the status of the protocol', async () => {
  const sandbox = await testSandbox();
  expect(await sendModern(sandbox, 'prompts/list')).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  expect(await sendModern(sandbox, 'tools/list', {}, { 'Mcp-Method': 'tools/call' })).toMatchObject({
    status: 400,
    body: { id: 1, error: { code: -32020 } },
  });
  const future = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const message = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: future } };
  expect(
    await send(sandbox, message, { 'MCP-Protocol-Version': '2099-01-01', 'Mcp-Method': 'tools/list' }),
  ).toMatchObject({ status: 400, body: { id: 7, error: { code: -32022, data: { supported: [revision] } } } });
  // A server's tools never change, so subscriptions have no purpose.
  expect(await sendModern(sandbox, 'subscriptions/listen', { notifications: {} })).toMatchObject({
    body: { error: { message: 'Subscription limit reached' } },
  });
});

it('OP-221: a message is one JSON object of at most 64 KiB', async () => {
  const sandbox = await testSandbox();
  const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(64 * 1024) } };
  expect((await send(sandbox, message)).status).toBe(413);
  for (const wrong of ['{', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], { id: 1, method: 'ping' }])
    expect((await send(sandbox, wrong)).status).toBe(400);
  expect((await send(sandbox, 'x', { 'Content-Type': 'text/plain' })).status).toBe(415);
});

it('OP-221: the log has the changes of tools, and no messages', async () => {
  const sandbox = await testSandbox();
  const params = { name: 'advanceClock', arguments: { body: { seconds: 1 } } };
  await send(sandbox, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, {}, '?tools=all');
  const { items } = ok(await sandbox.control.GET('/activity'));
  const operations = items.flatMap((entry) => (entry.kind === 'call_in' ? [entry.operation] : []));
  expect(operations).toContain('advanceClock');
  expect(operations).not.toContain('sendMcpMessage');
});

it.each([
  ['the slots of the sandbox', 8, { mostInService: 8 }],
  ['the places for tools of the workspace', 36, {}],
])('OP-221: waiting tools do not use up %s, and a 33rd is refused', async (_, agents, options) => {
  const sandbox = await testSandbox(options);
  const leaving = new AbortController();
  const params = { name: 'listActivity', arguments: { after: 1_000_000, wait: 30 } };
  const waiting: Promise<unknown>[] = [];
  for (let agent = 0; agent < agents; agent += 1) {
    const call = fetch(`${sandbox.origin}/sandbox/v1/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      signal: leaving.signal,
    }).then(
      (reply) => reply.json(),
      () => 'left',
    );
    waiting.push(call);
    expect((await sendModern(sandbox, 'tools/call', { name: 'getClock' })).status).toBe(200);
  }
  const text = '32 tools of this workspace are already waiting. Call again without wait, or later.';
  const refused = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text }], isError: true } };
  const last = waiting.slice(32);
  expect(await Promise.all(last)).toEqual(last.map(() => refused));
  leaving.abort();
  expect(new Set(await Promise.all(waiting.slice(0, 32)))).toEqual(new Set(['left']));
});

it.each([
  ['2025-06-18', {}],
  [revision, { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': 'getClock' }],
])('OP-221: when an agent of revision %s disconnects, its tool and its message end', async (protocol, headers) => {
  const leaving = new AbortController();
  const ended = Promise.withResolvers<string>();
  const callSandbox: CallSandbox = ({ signal }) => {
    signal.addEventListener('abort', () => ended.resolve('ended'));
    leaving.abort();
    return new Promise(() => {});
  };
  const params = { name: 'getClock', ...(protocol === revision && { _meta: meta }) };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const contract = readContract('sandbox');
  const options = { version: '1', write: false, howToAllow: '', contract, callSandbox };
  const reply = await answerPost({ headers, message, signal: leaving.signal }, options);
  expect([reply.status, await ended.promise]).toEqual([202, 'ended']);
});
