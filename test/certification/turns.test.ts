/** Tests that a sandbox's run takes turns with the calls of all workspaces (OP-83). */
import { buildConnector } from 'undici';
import { expect, it } from 'vitest';
import { Partner } from '../../sandbox/certification/partner.ts';
import { ProbeContext } from '../../sandbox/certification/probe-context.ts';
import { RunConnections } from '../../sandbox/certification/run-connections.ts';
import { closesWithTest, httpServer } from '../harness/http-server.ts';
import { sharedChecker } from '../harness/proxy.ts';

it('OP-83: a run has no turn while it waits for an answer, and has one until its next call', async () => {
  const steps: string[] = [];
  const { href: clientUrl } = await httpServer((_, response) => {
    steps.push('called');
    response.end('{}');
  });
  const turns = { begin: async () => void steps.push('turn'), end: () => void steps.push('no turn') };
  const parts = { clientUrl, timeoutMs: 5_000, now: () => 0, checker: sharedChecker(), turns };
  const partner = new Partner({ ...parts, connect: buildConnector({}) });
  closesWithTest(() => partner.close());
  partner.left = 2;
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
    ...{ checker: sharedChecker(), now: () => 0, connect: buildConnector({}), unique: 'U' },
    ...{ readCode: () => expect.fail(), startPlatform: () => expect.fail(), signal: new AbortController().signal },
    delay: async (milliseconds) => void steps.push(`${milliseconds} ms`),
    turns: { begin: async () => void steps.push('turn'), end: () => void steps.push('no turn') },
  });
  closesWithTest(() => run.close());
  await new ProbeContext(run, 'OTP-05').wait(301_000);
  expect(steps).toEqual(['no turn', '301000 ms', 'turn']);
});
