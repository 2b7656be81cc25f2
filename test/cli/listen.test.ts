/** Tests `listen`, which connects a local server to a shared sandbox that cannot reach this machine (OP-247). */
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { expect, it, vi } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { closedPort, closesWithTest, httpServer, serve, socketServer } from '../harness/http-server.ts';
import { advance, order, redeem, setStock } from '../harness/orders.ts';
import { startPartnerServer } from '../harness/partner/server.ts';
import { PartnerServer } from '../harness/partner-server.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { look, onward, send } from '../harness/visitor.ts';

const uid = 'CUST0001';

/** Starts a sandbox that may not call any address of this machine. */
const shared = () => testSandbox({ allowedAddresses: [] });

/** Starts `listen` and waits for its connection. */
async function listen(origin: string, forwardTo: string, args: readonly string[] = [], env = {}) {
  const command = inProcess(['listen', '--sandbox', origin, '--forward-to', forwardTo, ...args], env);
  await command.saw(/[Ll]istening/);
  return command;
}

/** Returns the calls to the client that the log contains so far. */
async function callsOf({ control }: TestSandbox) {
  const { items } = ok(await control.GET('/activity'));
  return items.flatMap((entry) => (entry.kind === 'call_out' && entry.party === 'client' ? [entry] : []));
}

const differencesOf = async ({ control }: TestSandbox) => ok(await control.GET('/reconciliation')).items;

it('OP-247: a sign-in with a one-time password, an order with its deduction and the status update reach the server', async () => {
  const sandbox = await shared();
  const { service_token: serviceToken, basic } = sandbox.credentials;
  const partner = await startPartnerServer({ serviceToken, basic });
  closesWithTest(partner.close);
  const command = await listen(sandbox.origin, partner.url);
  const codePage = await send(`${sandbox.urls.microsite}/codes`, { customer_id: uid });
  const signedIn = await send(onward(codePage), { otp: partner.newestCodeOf(uid) ?? '' });
  expect((await look(onward(signedIn))).status).toBe(200);
  await redeem(sandbox);
  await advance(sandbox, 10);
  expect(partner.pointsOf(uid).balance).toBe(24_500);
  const calls = await callsOf(sandbox);
  expect(calls.map(({ operation, status, via }) => [operation, status, via])).toEqual(
    ['generateOtp', 'verifyOtp', 'getProfileAndPoints', 'saveRedeemDetails', 'updateRedeemStatus'].map((name) => [
      ...[name, 200, 'listener'],
    ]),
  );
  await command.saw(/^\d\d:\d\d:\d\d {2}updateRedeemStatus +200 +\d+ ms$/m);
  expect(await differencesOf(sandbox)).toEqual([]);
});

it('OP-247: a webhook is delivered with its signature, and its secret is shown on request', async () => {
  const sandbox = await shared();
  const received: { path: string | undefined; body: string; headers: Record<string, string> }[] = [];
  const origin = await serve(({ url, headers }, body, response) => {
    received.push({ path: url, body, headers: headers as Record<string, string> });
    response.writeHead(204).end();
  });
  const first = await listen(sandbox.origin, origin, ['--print-secrets']);
  await first.saw(/^Webhook secret: register a webhook; the response shows its secret$/m);
  await first.saw(new RegExp(`^Service token: ${sandbox.credentials.service_token}$`, 'm'));
  const rewards = sandbox.rewards(await sandbox.companyToken());
  const { secret } = ok(await rewards.POST('/v1/partner/webhooks', { body: { url: `${origin}/hooks?a=b` } }));
  await setStock(sandbox, 3);
  await advance(sandbox, 1);
  const [{ path, body, headers } = { path: '', body: '', headers: {} }] = received;
  expect([received.length, path]).toEqual([1, '/hooks?a=b']);
  const verifier = new Webhook(secret);
  // The signature uses this machine's time, not sandbox time.
  expect(verifier.verify(body, headers)).toEqual(JSON.parse(body));
  await first.saw(/catalogueUpdated +204 +\d+ ms$/m);
  const second = await listen(sandbox.origin, origin, ['--print-secrets', '--json']);
  second.stop();
  const { stdout } = await second.ended;
  expect(JSON.parse(stdout.split('\n')[0] ?? '')).toEqual({
    event: 'listening',
    workspace: 'demo',
    forward_to: origin,
    client_token: sandbox.credentials.service_token,
    webhooks: [{ url: `${origin}/hooks?a=b`, secret }],
  });
});

it('OP-247: killed in the middle of a deduction, nothing is lost or doubled once it listens again', async () => {
  const sandbox = await shared();
  const server = await new PartnerServer().start();
  const first = await listen(sandbox.origin, server.url);
  server.plan.push({ operation: 'saveRedeemDetails', reaction: 'hold' });
  const ordering = order(sandbox);
  await vi.waitUntil(() => server.calls.includes('saveRedeemDetails'));
  expect(server.balanceOf(uid)).toBe(24_500);
  first.stop();
  expect((await first.ended).code).toBe(0);
  expect((await ordering).response.ok).toBe(false);
  const cut = (await callsOf(sandbox)).find(({ status }) => status === null);
  expect(cut).toMatchObject({
    operation: 'saveRedeemDetails',
    via: 'listener',
    notices: ['the listener disconnected'],
  });
  await listen(sandbox.origin, server.url);
  await advance(sandbox, 400);
  expect(server.balanceOf(uid)).toBe(25_000);
  await redeem(sandbox);
  await advance(sandbox, 10);
  expect([server.balanceOf(uid), await differencesOf(sandbox)]).toEqual([24_500, []]);
});

/** Starts a relay to a sandbox. The test can cut its connections. */
async function breakable(origin: string) {
  const sockets = new Set<Socket>();
  const { hostname: host, port } = new URL(origin);
  const url = await socketServer((near) => {
    const far = connect({ host, port: Number(port) });
    for (const each of [near, far]) {
      sockets.add(each);
      each.on('error', () => each.destroy());
    }
    near.pipe(far).pipe(near);
  });
  return { origin: url.origin, cut: () => sockets.forEach((socket) => void socket.destroy()) };
}

it('OP-247: a line that is cut is opened again, and calls in flight get no answer', async () => {
  const sandbox = await shared();
  const server = await new PartnerServer().start();
  const network = await breakable(sandbox.origin);
  const command = await listen(network.origin, server.url);
  server.plan.push({ operation: 'getProfileAndPoints', reaction: 'hold' });
  const ordering = order(sandbox);
  await vi.waitUntil(() => server.calls.length > 0);
  network.cut();
  expect((await ordering).response.ok).toBe(false);
  await command.saw(/getProfileAndPoints +- +\d+ ms {2}the connection to the sandbox ended first\n.*[Ll]istening/s);
  await redeem(sandbox);
  await advance(sandbox, 10);
  expect([server.balanceOf(uid), await differencesOf(sandbox)]).toEqual([24_500, []]);
  command.stop();
  expect((await command.ended).stderr).toContain('Connection lost (');
});

it('OP-247: of two listeners the newer one gets the calls, and the older one is told', async () => {
  const sandbox = await shared();
  const [one, other] = [await new PartnerServer().start(), await new PartnerServer().start()];
  const older = await listen(sandbox.origin, one.url);
  await listen(sandbox.origin, other.url);
  expect(await older.ended).toMatchObject({
    code: 1,
    stderr: 'Another listener of this workspace took over.\n',
  });
  await redeem(sandbox);
  expect([one.balanceOf(uid), other.balanceOf(uid)]).toEqual([25_000, 24_500]);
});

/** Forwards a call from a proxy to the server, and returns the server's response. */
function passOn({ url }: PartnerServer, request: IncomingMessage, body: string): Promise<Response> {
  const init = { method: request.method ?? '', headers: { 'content-type': 'application/json' } };
  return fetch(`${url}${request.url}`, { ...init, ...(body !== '' && { body }) });
}

it('OP-247: twenty orders, five at once: each is deducted once, with at most four calls in flight', async () => {
  const sandbox = await shared();
  const server = await new PartnerServer().start();
  const full = Promise.withResolvers<void>();
  let [open, most] = [0, 0];
  const origin = await serve(async (request, body, response) => {
    open += 1;
    most = Math.max(most, open);
    if (open === 4) full.resolve();
    await full.promise;
    const reply = await passOn(server, request, body);
    open -= 1;
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(await reply.text());
  });
  await listen(sandbox.origin, origin);
  const uids = Array.from({ length: 20 }, (_, index) => `CUST00${String(index + 1).padStart(2, '0')}`);
  for (let first = 0; first < uids.length; first += 5) {
    const placed = await Promise.all(uids.slice(first, first + 5).map((each) => order(sandbox, { uid: each })));
    expect(placed.map(({ response }) => response.status)).toEqual([200, 200, 200, 200, 200]);
  }
  await advance(sandbox, 10);
  expect(uids.map((each) => server.balanceOf(each))).toEqual(uids.map(() => 24_500));
  expect([await differencesOf(sandbox), most]).toEqual([[], 4]);
});

it('OP-247: a reply of 2 MB is refused as over the network, and one of 60 KB comes in parts', async () => {
  const sandbox = await shared();
  const server = await new PartnerServer().start();
  let padding = 2 * 1024 * 1024;
  const origin = await serve(async (request, body, response) => {
    const reply = await passOn(server, request, body);
    const json = JSON.stringify({ ...((await reply.json()) as object), padding: 'x'.repeat(padding) });
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(json);
  });
  const command = await listen(sandbox.origin, origin, ['--json']);
  expect((await order(sandbox)).response.ok).toBe(false);
  const notices = ['the response is larger than 65536 bytes'];
  expect(await callsOf(sandbox)).toMatchObject([{ status: null, via: 'listener', notices }]);
  const [line] = await command.saw(/^\{"event":"call".*$/m);
  expect(JSON.parse(line)).toMatchObject({ operation: 'getProfileAndPoints', status: null, notices, findings: [] });
  padding = 60_000;
  await redeem(sandbox);
  expect(server.balanceOf(uid)).toBe(24_500);
});

it('OP-247: what breaks the contract is a finding on the line of its call', async () => {
  const sandbox = await shared();
  const origin = await serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"points":{"balance":"many"}}');
  });
  const command = await listen(sandbox.origin, origin);
  await order(sandbox);
  await command.saw(/getProfileAndPoints +200 +\d+ ms {2}.*reply\.body\.\w+ \/body\S* must /);
});

it('OP-247: the reply of the server is never read as an event', async () => {
  const sandbox = await shared();
  const end = 'event: end\ndata: {"reason":"replaced"}\n\n';
  const origin = await serve((_, __, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-end': 'event: end' }).end(end);
  });
  const command = await listen(sandbox.origin, origin);
  for (const _ of [1, 2]) expect((await order(sandbox)).response.ok).toBe(false);
  expect((await callsOf(sandbox)).map(({ status, via }) => [status, via])).toEqual([
    [200, 'listener'],
    [200, 'listener'],
  ]);
  command.stop();
  expect(await command.ended).toMatchObject({ code: 0 });
});

/** Starts a server that imitates a sandbox. It sends these events to a listener and records the posted replies unchanged. */
async function hostileSandbox(...lines: readonly string[]) {
  const replies: { id: string; failure?: string; status?: number }[] = [];
  const origin = await serve(({ url }, body, response) => {
    if (url !== '/sandbox/v1/listener') {
      replies.push(JSON.parse(body));
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const opening = { listener: 'L', workspace: 'demo\u001b[2J', forward_to: '', webhooks: [], reply_bytes: 65_536 };
    response.write(`event: open\ndata: ${JSON.stringify(opening)}\n\n${lines.join('')}`);
  });
  return { origin, replies };
}

it('OP-247: a hostile sandbox reaches no other origin, and nothing but calls', async () => {
  const elsewhere: string[] = [];
  const canary = await serve(({ url }, _, response) => {
    elsewhere.push(url ?? '');
    response.end();
  });
  const here: string[] = [];
  const server = await serve(({ method, url, headers }, _, response) => {
    here.push(`${method} ${url} ${headers.host}`);
    response.end();
  });
  const usual = { method: 'GET', path: '/', headers: {}, body: null, operation: null };
  const bad = [
    { path: `${canary}/a` },
    { path: `//${new URL(canary).host}/b` },
    { path: `/\\${new URL(canary).host}/c` },
    { path: `@${new URL(canary).host}/d` },
    { path: '/a HTTP/1.1\r\nhost: b' },
    { path: 7 },
    { method: 'CONNECT' },
    { method: 'GET /x HTTP/1.1\r\n\r\nGET' },
    { headers: { host: new URL(canary).host } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { headers: { 'x-a': 'b\r\nhost: c' } },
    { headers: null },
    { body: { toString: 'x' } },
  ];
  const call = (id: number, changes: object) =>
    `event: call\ndata: ${JSON.stringify({ id: String(id), ...usual, ...changes })}\n\n`;
  const { origin, replies } = await hostileSandbox(
    'event: exec\ndata: {"command":"rm"}\n\n',
    'event: open_url\ndata: {"url":"http://example.invalid"}\n\n',
    ...bad.map((changes, index) => call(index, changes)),
    call(99, { path: '/../good' }),
  );
  const command = await listen(origin, server);
  await vi.waitUntil(() => replies.length === bad.length + 1);
  expect(elsewhere).toEqual([]);
  expect(here).toEqual([`GET /../good ${new URL(server).host}`]);
  const refused = replies.filter(({ failure }) => failure?.startsWith('the listener refused the call: '));
  expect(refused.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(bad.map((_, index) => index));
  expect(replies.find(({ id }) => id === '99')).toMatchObject({ status: 200 });
  command.stop();
  const { stdout } = await command.ended;
  expect(stdout).not.toContain('\u001b');
});

it('OP-247: more calls than a sandbox has in flight are refused', async () => {
  const server = await httpServer(() => {});
  const calls = Array.from(
    { length: 40 },
    (_, id) =>
      `event: call\ndata: {"id":"${id}","operation":null,"method":"GET","path":"/","headers":{},"body":null}\n\n`,
  );
  const { origin, replies } = await hostileSandbox(...calls);
  await listen(origin, server.origin);
  await vi.waitUntil(() => replies.length === 8);
  expect(new Set(replies.map(({ failure }) => failure))).toEqual(
    new Set(['the listener refused the call: too many calls in flight']),
  );
});

it.each([
  [
    'an event that is too large',
    `event: call\ndata: ${'x'.repeat(1_100_000)}`,
    'the sandbox sent an event that is too large',
  ],
  ['what is no event', 'data: hello\n\n', 'the sandbox sent an invalid listener event'],
])('OP-247: %s ends the line', async (_, text, problem) => {
  const { origin } = await hostileSandbox(text);
  const command = await listen(origin, await closedPort());
  await command.saw(/listening.*\n.*listening/is);
  command.stop();
  expect((await command.ended).stderr).toContain(`Connection lost (${problem}). Reconnecting in 0.25 s.\n`);
});

it('OP-247: through a proxy, as HTTP_PROXY and HTTPS_PROXY say', async () => {
  const sandbox = await shared();
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    const { pathname: path, hostname: host, port } = new URL(request.url ?? '');
    seen.push(path);
    const { method, headers } = request;
    const forwarded = httpRequest({ host, port, method, path, headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      response.flushHeaders();
      reply.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  proxy.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  closesWithTest(async () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const url = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`;
  const server = await new PartnerServer().start();
  await listen(sandbox.origin, server.url, [], { HTTP_PROXY: url });
  await redeem(sandbox);
  expect([server.balanceOf(uid), seen[0]]).toEqual([24_500, '/sandbox/v1/listener']);
  const args = ['listen', '--sandbox', 'https://sandbox.invalid', '--forward-to', server.url];
  expect(await inProcess(args, { HTTPS_PROXY: url }).ended).toMatchObject({ code: 3 });
  expect(seen).toContain('CONNECT sandbox.invalid:443');
});

it('a wrong token, and a target that is not a base URL, are reported', async () => {
  const sandbox = await shared();
  const run = (...args: string[]) => inProcess(['listen', '--forward-to', 'http://localhost:8080', ...args]).ended;
  expect(await run('--sandbox', sandbox.origin, '--token', 'at_wrong')).toMatchObject({
    code: 1,
    stderr: 'The sandbox refused the listener: Missing or invalid token (401).\n',
  });
  const target = ['listen', '--forward-to', 'http://user:secret@localhost'];
  expect(await inProcess(target).ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('It must have no credentials, query or fragment.'),
  });
});
