/** Tests `rewards-sandbox mcp` with the official protocol client (OP-221). */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as NewerClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewerTransport } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, it, onTestFinished } from 'vitest';
import { readContract } from '../../sandbox/contract/document.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';

const bin = fileURLToPath(new URL('../../sandbox/bin.js', import.meta.url));

/** Connects a client to the command, which runs in this process. */
function agent(...flags: readonly string[]): Promise<Client> {
  const command = inProcess(['mcp', ...flags]);
  const read = new ReadBuffer();
  const transport: Transport = {
    start: async () => {
      command.onStdout.add((text) => {
        read.append(Buffer.from(text));
        for (let message = read.readMessage(); message !== null; message = read.readMessage())
          transport.onmessage?.(message);
      });
    },
    send: async (message) => void command.stdin.write(serializeMessage(message)),
    close: async () => command.stop(),
  };
  return connected(transport);
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool and returns its result. */
async function called(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  return { isError, text };
}

const { operations } = readContract('sandbox');
/**
 * Operations that are not offered as tools. A stream never ends, replies belong to an open listener, and a message
 * could call tools recursively.
 */
const notTools = ['streamActivity', 'openListener', 'postListenerReply', 'sendMcpMessage'];

it('OP-221: without --write there are the operations that only read and return no secrets, and the documentation', async () => {
  const { tools } = await (await agent()).listTools();
  const reading = operations.filter(({ method }) => method === 'GET').map(({ operationId }) => operationId);
  const hidden = ['getWorkspace', 'listMessages', 'streamActivity'];
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ['readPage', ...reading.filter((name) => !hidden.includes(name))].sort(),
  );
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
});

it('OP-221: with --write there is every operation except the stream and the messages of agents, each with a self-contained schema', async () => {
  const { tools } = await (await agent('--write')).listTools();
  const all = operations.map(({ operationId }) => operationId).filter((name) => !notTools.includes(name));
  expect(tools.map(({ name }) => name).sort()).toEqual(['readPage', ...all].sort());
  for (const { inputSchema } of tools) {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    expect(() => ajv.compile(inputSchema)).not.toThrow();
  }
  const fault = tools.find(({ name }) => name === 'createFault');
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const takes = ajv.compile(fault?.inputSchema ?? {});
  expect(takes({ body: { target: 'saveRedeemDetails', fault: 'lost_reply', times: 2 } })).toBe(true);
  expect(takes({ body: { target: 'saveRedeemDetails', fault: 'nonsense' } })).toBe(false);
  expect(takes({})).toBe(false);
});

it('OP-221: an agent follows a redemption, moves the clock and sees how it ended', async () => {
  const sandbox = await testSandbox();
  const { customerToken } = await signIn(sandbox, 'CUST0001');
  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const { lines } = ok(
    await sandbox.rewards(customerToken).POST('/v1/partner/redeemptiononskus', { body, params: {} }),
  );
  const redeemCode = lines[0]?.redeemCode ?? '';
  // Start the command the way an agent's configuration does.
  const args = [bin, 'mcp', '--write', '--sandbox', sandbox.origin];
  const client = await connected(new StdioClientTransport({ command: process.execPath, args }));
  const state = async () => JSON.parse((await called(client, 'getRedemption', { redeemCode })).text);
  const before = await state();
  expect((await called(client, 'advanceClock', { body: { seconds: 2 } })).isError).toBe(false);
  const after = await state();
  expect(before).not.toEqual(after);
  expect(JSON.stringify(after)).toContain('Delivered');
  const ledger = JSON.parse((await called(client, 'getLedger', { uid: 'CUST0001' })).text);
  expect(ledger).toEqual(ok(await sandbox.control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST0001' } } })));
  const newest = JSON.parse((await called(client, 'listActivity', { limit: 1 })).text);
  expect(newest.items).toHaveLength(1);
});

it("OP-221: a refusal of the sandbox is the tool's result, and a path value cannot change the path", async () => {
  const sandbox = await testSandbox();
  const client = await agent('--sandbox', sandbox.origin);
  const missing = await called(client, 'getRedemption', { redeemCode: '../workspace' });
  expect([missing.isError, JSON.parse(missing.text).status]).toEqual([true, 404]);
});

it.each(['.', '..'])(
  'OP-221: %s is refused as a path value, since it would lead to another operation',
  async (value) => {
    const sandbox = await testSandbox();
    const client = await agent('--sandbox', sandbox.origin);
    const call = client.callTool({ name: 'listWebhookDeliveries', arguments: { webhook_id: value } });
    await expect(call).rejects.toThrow(`webhook_id must not be ${value}`);
  },
);

it('OP-221: a refused tool that makes changes or shows secrets names the flag that allows it; other names are unknown', async () => {
  const client = await agent();
  await expect(client.callTool({ name: 'advanceClock', arguments: { body: { seconds: 1 } } })).rejects.toThrow(
    'advanceClock makes changes or shows credentials. Start with --write to allow it.',
  );
  await expect(client.callTool({ name: 'nonsense' })).rejects.toThrow('Unknown tool: nonsense.');
});

it('OP-221: only pages of the documentation are returned, for any requested path', async () => {
  const sandbox = await testSandbox();
  const client = await agent('--sandbox', sandbox.origin);
  for (const page of ['../sandbox/v1/workspace', '..', 'a/b/c', 'x?y', 'http://elsewhere.example/']) {
    await expect(client.callTool({ name: 'readPage', arguments: { page } })).rejects.toThrow('is not a page');
  }
  // This sandbox was started without its documentation.
  expect((await called(client, 'readPage', { page: 'llms.txt' })).isError).toBe(true);
});

it('OP-221: a page is returned by its Markdown, its address, or a link of another page', async () => {
  const docs = await temporaryFolder();
  await mkdir(join(docs, 'reference'));
  await writeFile(join(docs, 'index.md'), 'overview');
  await writeFile(join(docs, 'errors.md'), 'errors');
  await writeFile(join(docs, 'reference/rewards.md'), 'reference');
  const client = await agent('--sandbox', (await testSandbox({ docs })).origin);
  for (const [page, text] of [
    ['', 'overview'],
    ['/docs/', 'overview'],
    ['errors', 'errors'],
    ['errors.md', 'errors'],
    ['errors.html', 'errors'],
    ['/docs/errors#points_changed', 'errors'],
    ['../errors.md', 'errors'],
    ['reference/rewards', 'reference'],
    ['./reference/rewards.md#companyauth', 'reference'],
  ])
    expect([page, (await called(client, 'readPage', { page })).text]).toEqual([page, text]);
});

it('OP-221: without a running sandbox, the error says how to start one', async () => {
  const client = await agent('--sandbox', 'http://127.0.0.1:1');
  await expect(client.callTool({ name: 'listOperations' })).rejects.toThrow(
    /No response from the sandbox at http:\/\/127\.0\.0\.1:1 \(.*\)\. Start it with: rewards-sandbox/,
  );
});

it('OP-221: an agent of revision 2026-07-28 finds the tools by server/discover, without opening a session', async () => {
  const sandbox = await testSandbox();
  const client = new NewerClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const args = [bin, 'mcp', '--sandbox', sandbox.origin];
  await client.connect(new NewerTransport({ command: process.execPath, args, stderr: 'inherit' }));
  onTestFinished(() => client.close());
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  expect(await client.callTool({ name: 'getClock' })).toMatchObject({ isError: false });
});

/** Starts the command, opens a session with the given protocol revision, and collects the replies. */
async function openSession(protocolVersion: string, ...flags: readonly string[]) {
  const command = inProcess(['mcp', ...flags]);
  const send = (message: object) => command.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  send({ id: 0, method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } });
  const [line] = await command.saw(/^\{.*\}$/m);
  return { ...command, send, answer: JSON.parse(line) };
}

it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'OP-221: an agent that opens with revision %s gets replies in it',
  async (protocolVersion) => {
    const { answer } = await openSession(protocolVersion);
    expect(answer).toMatchObject({ id: 0, result: { protocolVersion, serverInfo: { name: 'rewards-sandbox' } } });
  },
);

it('OP-221: more than 32 concurrent tools are refused', async () => {
  const sandbox = await testSandbox();
  const { send, saw } = await openSession('2025-06-18', '--sandbox', sandbox.origin);
  const params = { name: 'listActivity', arguments: { after: 1_000_000, wait: 30 } };
  for (let id = 1; id <= 33; id += 1) send({ id, method: 'tools/call', params });
  const [line] = await saw(/^\{.*"error".*\}$/m);
  expect(JSON.parse(line)).toMatchObject({
    id: 33,
    error: { code: -32000, message: '32 requests are already in progress.' },
  });
});

it('OP-221: a message of more than 1 MiB ends the connection, and stderr says why', async () => {
  const { stdin, ended } = await openSession('2025-06-18');
  stdin.write('x'.repeat(1024 * 1024 + 1));
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/1048576/) });
});

it('OP-221: the command ends with its input', async () => {
  const { stdin, ended } = await openSession('2025-06-18');
  stdin.end();
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});
