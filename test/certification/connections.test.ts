/** Tests calls whose replies are never read, and that a sandbox's run takes turns with the calls of all workspaces (OP-83). */
import { buildConnector } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { Partner, type Turns } from '../../sandbox/certification/partner.ts';
import { ProbeContext } from '../../sandbox/certification/probe-context.ts';
import { RunConnections } from '../../sandbox/certification/run-connections.ts';
import { Interrupted } from '../../sandbox/certification/verdict.ts';
import { closedPort, closesWithTest, httpServer, serve } from '../harness/http-server.ts';
import { sharedChecker } from '../harness/proxy.ts';
import { certifyServer, partner } from './judged.ts';

const call = {
  method: 'POST',
  path: '/creditPoints?a=1',
  headers: [['content-type', 'application/json']],
  body: Buffer.from('{"points":"7"}'),
} as const;

/** Creates connections for a number of calls. */
function partnerAt(clientUrl: string, left: number, turns?: Turns): Partner {
  const parts = { connect: buildConnector({ timeout: 3000 }), checker: sharedChecker(), now: Date.now, turns };
  const partner = new Partner({ clientUrl, timeoutMs: 5000, ...parts });
  partner.left = left;
  onTestFinished(() => partner.close());
  return partner;
}

it('the server gets the whole call, and the connection ends before it answers', async () => {
  const { promise: received, resolve } = Promise.withResolvers<string>();
  const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>();
  const origin = await serve(async ({ url, socket }, body) => {
    socket.once('close', () => markClosed());
    resolve(`${url} ${body}`);
    await closed;
  });
  const partner = partnerAt(`${origin}/below`, 1);
  await partner.abandon(call, 20);
  expect(await received).toBe('/below/creditPoints?a=1 {"points":"7"}');
  await closed;
  expect([partner.sent, partner.left]).toEqual([1, 0]);
});

it('OP-24: a reply of 64 KiB is read, and a larger one is too large, with the limit', async () => {
  const limit = 64 * 1024;
  const origin = await serve(({ url }, _, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(`{"a":"${'x'.repeat(limit - '{"a":""}'.length + (url === '/larger' ? 1 : 0))}"}`);
  });
  const partner = partnerAt(origin, 2);
  const { status, body, problem } = await partner.send({ ...call, path: '/most' });
  expect([status, body.length, problem]).toEqual([200, limit, undefined]);
  const larger = { ...call, path: '/larger' };
  expect(await partner.send(larger)).toEqual({
    call: larger,
    status: undefined,
    headers: [],
    body: Buffer.alloc(0),
    problem: 'too_large',
    detail: 'the response is larger than 65536 bytes',
    findings: [],
  });
});

it('an immediate reply ends the connection too, and the next call gets its own connection', async () => {
  let open = 2;
  const { promise: bothEnded, resolve } = Promise.withResolvers<void>();
  const origin = await serve(({ socket }, _, response) => {
    socket.once('close', () => {
      open -= 1;
      if (open === 0) resolve();
    });
    response.end('{}');
  });
  const partner = partnerAt(origin, 3);
  await partner.abandon(call, 60_000);
  await partner.abandon(call, 60_000);
  expect(await partner.send(call)).toMatchObject({ status: 200 });
  await bothEnded;
});

it('a call that cannot connect ends without an error', async () => {
  const partner = partnerAt(await closedPort(), 1);
  await expect(partner.abandon(call, 60_000)).resolves.toBeUndefined();
});

it('beyond the number of calls nothing is sent, and stopping the run drops the call', async () => {
  const never = Promise.withResolvers<void>();
  const { promise: received, resolve } = Promise.withResolvers<void>();
  const origin = await serve(() => {
    resolve();
    return never.promise;
  });
  const partner = partnerAt(origin, 0);
  await expect(partner.abandon(call, 0)).rejects.toThrow('The probe sends more calls than its requirement declares.');
  expect(partner.sent).toBe(0);
  partner.left = 2;
  const dropped = partner.abandon(call, 60_000);
  await received;
  partner.interrupt();
  await expect(dropped).rejects.toThrow(Interrupted);
  await expect(partner.abandon(call, 0)).rejects.toThrow(Interrupted);
  never.resolve();
});

/** Certifies a server on a clock on which each call takes the same time. Returns the report and the waits of the run. */
async function timed(callMs: number, input: Parameters<typeof certifyServer>[1]) {
  let at = 0;
  const waited: number[] = [];
  const now = () => (at += callMs);
  const delay = async (milliseconds: number) => void waited.push(milliseconds);
  return { report: await certifyServer(await partner(), input, { now, delay }), waited };
}

it('a server has its longest response time, and a little more, to complete a dropped call', async () => {
  const { report, waited } = await timed(250, { only: ['CRD-05', 'DED-05', 'STA-05', 'V2-06'] });
  expect(report.counts).toMatchObject({ pass: 4 });
  // Each of the four requirements abandons two calls.
  expect(waited).toEqual(Array(8).fill(350));
});

it('a clock that is set forward during a call does not delay the run beyond the timeout', async () => {
  const { waited } = await timed(3_600_000, { only: ['DED-05'], timeout_ms: 10_000 });
  expect(waited).toEqual([10_100, 10_100]);
});

it('OP-83: a run has no turn while it waits for an answer, and has one until its next call', async () => {
  const steps: string[] = [];
  const { href: clientUrl } = await httpServer((_, response) => {
    steps.push('called');
    response.end('{}');
  });
  const turns = { begin: async () => void steps.push('turn'), end: () => void steps.push('no turn') };
  const partner = partnerAt(clientUrl, 2, turns);
  for (const path of ['/one', '/two']) {
    const { status } = await partner.send({ method: 'GET', path, headers: [], body: undefined });
    steps.push(`judged ${status}`);
  }
  expect(steps).toEqual(['no turn', 'called', 'turn', 'judged 200', 'no turn', 'called', 'turn', 'judged 200']);
});

it('OP-83: a run has no turn while a probe waits for time to pass', async () => {
  const steps: string[] = [];
  const run = new RunConnections({
    input: { client_url: 'http://127.0.0.1:9', service_token: 'st', customers: ['ANN'] },
    checker: sharedChecker(),
    now: () => 0,
    connect: buildConnector({}),
    unique: 'U',
    readCode: () => expect.fail(),
    startPlatform: () => expect.fail(),
    signal: new AbortController().signal,
    delay: async (milliseconds) => void steps.push(`${milliseconds} ms`),
    turns: { begin: async () => void steps.push('turn'), end: () => void steps.push('no turn') },
  });
  closesWithTest(() => run.close());
  await new ProbeContext(run, 'OTP-05').wait(301_000);
  expect(steps).toEqual(['no turn', '301000 ms', 'turn']);
});
