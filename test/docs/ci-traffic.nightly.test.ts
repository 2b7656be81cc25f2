/** Tests the guide's commands that check live and recorded traffic, with a correct and an incorrect server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocksOf } from '../harness/blocks.ts';
import { credit, redemption, report } from '../harness/client-requests.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { clientsOf, ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { root } from '../harness/sources.ts';
import { credentials, type Mistake, ownServer } from './own-server.ts';

const prefix = 'npx --no-install rewards-sandbox ';
const lines = blocksOf(join(root, 'docs/guides/checking-traffic.md'))
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => text.split('\n'));

/** Returns the arguments of the only line that starts a command, with a test's server address and folder filled in. */
function argumentsOf(command: 'proxy' | 'check', url: string, folder: string): readonly string[] {
  const [line = '', ...others] = lines.filter((of) => of.startsWith(`${prefix}${command} `));
  expect([typeof line, others]).toEqual(['string', []]);
  const commandLine = line.slice(prefix.length).replace('http://127.0.0.1:8080', url).replace(/ &$/, '');
  return commandLine.split(' ').map((word) => word.replace(/^(junit=)?(\w+\.(xml|har))$/, `$1${folder}/$2`));
}

const authorization = `Bearer ${credentials.SERVICE_TOKEN}`;

/** The calls that a client server's test makes, one per operation. */
const calls: readonly (readonly [path: string, body?: object])[] = [
  ['/getProfileAndPoints?uid=CUST0001'],
  ['/creditPoints', credit],
  ['/saveRedeemDetails', redemption],
  ['/updateRedeemStatus', report('Delivered')],
];

/** Makes these calls to an address. Resolves with their recording. */
async function recordCalls(origin: string): Promise<object> {
  const headersOf = (all: Iterable<readonly [string, string]>) => [...all].map(([name, value]) => ({ name, value }));
  const entries: object[] = [];
  for (const [path, body] of calls) {
    const url = `${origin}${path}`;
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const reply = await fetch(url, { method: 'POST', headers, ...(text !== undefined && { body: text }) });
    const { status } = reply;
    const content = { mimeType: 'application/json', text: await reply.text() };
    const postData = text === undefined ? {} : { postData: { mimeType: 'application/json', text } };
    const request = { method: 'POST', url, headers: headersOf(Object.entries(headers)), bodySize: text?.length ?? 0 };
    entries.push({
      startedDateTime: new Date().toISOString(),
      request: { ...request, ...postData },
      response: { status, headers: headersOf(reply.headers), content },
    });
  }
  return { log: { version: '1.2', creator: { name: 'a test', version: '1' }, entries } };
}

/** The server's behaviour, the command's exit code, and the server's mistake. */
const servers: [does: string, code: number, mistake: Mistake | undefined][] = [
  ['is right', 0, undefined],
  ['writes the balance as text', 1, 'writes the balance as text'],
];

it.each(servers)('the check of a recording, with a server that %s, exits with %i', async (_, code, mistake) => {
  const [folder, url] = [await temporaryFolder(), await ownServer(mistake)];
  await writeFile(join(folder, 'traffic.har'), JSON.stringify(await recordCalls(url)));
  const { stdout, code: exitCode } = await inProcess(['check', ...argumentsOf('check', url, folder).slice(1)]).ended;
  expect({ code: exitCode, stdout }).toEqual({ code, stdout: expect.stringContaining('Coverage: 100 %') });
});

it.each(servers)('the proxy in front of the tests, with a server that %s, exits with %i', async (_, code, mistake) => {
  const [folder, url, sandbox] = [await temporaryFolder(), await ownServer(mistake), await testSandbox()];
  const proxy = inProcess([...argumentsOf('proxy', url, folder), '--sandbox', sandbox.origin, '--port', '0']);
  const [, origin = ''] = await proxy.saw(/ready on (http:\/\/[^\s,]+)/);
  await recordCalls(`${origin}/client`);
  const clients = clientsOf({ ...sandbox, urls: { ...sandbox.urls, rewards: `${origin}/rewards` } });
  const { companyToken, customerToken } = await signIn({ ...sandbox, rewards: clients.rewards }, 'CUST0001');
  const [company, customer] = [clients.rewards(companyToken), clients.rewards(customerToken)];
  ok(await company.GET('/v1/partner/rewards', { params: { query: {} } }));
  const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
  ok(await customer.POST('/v1/partner/redeemptiononskus', { body: { uid: 'CUST0001', line_items } }));
  ok(await company.GET('/getwalletdetail', { params: { query: { uid: 'CUST0001' } } }));
  const payment = {
    uid: 'CUST0001',
    eventType: 'DIGITAL_PAYMENT',
    paymentAmount: '1000',
    transactionId: 'T-1',
  } as const;
  ok(await company.POST('/v1/partner/events/payment', { body: payment }));
  ok(await company.GET('/v1/partner/webhooks', {}));
  proxy.stop();
  const { stdout, code: exitCode } = await proxy.ended;
  expect({ code: exitCode, stdout }).toEqual({ code, stdout: expect.stringMatching(/Coverage: (8\d|9\d|100)/) });
});
