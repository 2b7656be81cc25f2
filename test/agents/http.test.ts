/** MCP over HTTP: `POST /sandbox/v1/mcp` of a running sandbox, behind the token of the workspace (OP-221). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it, onTestFinished } from 'vitest';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

const revision = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends one message, as no client would have to. */
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

/** A request of revision 2026-07-28, with the headers that it asks for. */
function sendModern(sandbox: TestSandbox, method: string, params: Record<string, unknown> = {}, headers = {}) {
  const named = typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {};
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } };
  return send(sandbox, message, { 'MCP-Protocol-Version': revision, 'Mcp-Method': method, ...named, ...headers });
}

it('OP-221: server/discover says what the server is, without a session', async () => {
  const sandbox = await testSandbox();
  const { status, body, headers } = await sendModern(sandbox, 'server/discover');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: 1,
    result: { supportedVersions: [revision], capabilities: { tools: {} }, instructions: expect.any(String) },
  });
  expect(headers.get('mcp-session-id')).toBeNull();
});

it('OP-221: tools are listed and called in revision 2026-07-28', async () => {
  const sandbox = await testSandbox();
  const { body } = await sendModern(sandbox, 'tools/list');
  const { tools } = (body as { result: { tools: { name: string }[] } }).result;
  expect(tools.map(({ name }) => name)).toContain('readPage');
  const called = await sendModern(sandbox, 'tools/call', { name: 'getClock', arguments: {} });
  const { content } = (called.body as { result: { content: [{ text: string }] } }).result;
  expect(JSON.parse(content[0].text)).toEqual(ok(await sandbox.control.GET('/clock')));
});
