/** Tests the sources of one-time passwords (OP-170). */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Agent } from 'undici';
import { describe, expect, it } from 'vitest';
import { EnvironmentError } from '../../sandbox/certification/preflight.ts';
import { codeIn, codeReader } from '../../sandbox/certification/reading-codes.ts';
import { Blocked, type Input, MissingInput, type ReadCode } from '../../sandbox/certification/verdict.ts';
import { byCommand } from '../../sandbox/cli/otp-command.ts';
import { realTimer, type Timer } from '../../sandbox/runtime/clock.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort, closesWithTest, serve } from '../harness/http-server.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { startInterim } from './hostile-servers.ts';
import { certifyServer, idsWithVerdict, partner } from './judged.ts';

const sent = { customer_id: 'CUST 1', reference_id: 'OTP&1' };

/** Skips the pauses between attempts. */
const hasty: Timer = (run, milliseconds) => realTimer(run, milliseconds === 3000 ? milliseconds : 0);

/** Creates the code reader for an input. */
function reader(input: Pick<Input, 'otp' | 'sandbox'>, timer = hasty): Promise<ReadCode> {
  const dispatcher = new Agent();
  closesWithTest(() => dispatcher.destroy());
  const signal = new AbortController().signal;
  const all = { client_url: 'http://localhost', customers: ['CUST 1'], ...input };
  return codeReader(all, { dispatcher, timer, signal });
}

describe('OP-170: a code is a single word, or `otp` or `code` of a JSON object', () => {
  it.each([
    ['493027\n', '493027'],
    ['  AB-12 ', 'AB-12'],
    ['{"otp":"493027"}', '493027'],
    ['{"code":493027}', '493027'],
    ['"493027"', '493027'],
    ['<html>493027</html>', undefined],
    ['your code is 493027', undefined],
    ['{"otp":null}', undefined],
    ['{"otp":', undefined],
    ['123456789012345678901', undefined],
    ['', undefined],
  ])('%j', (text, code) => {
    expect(codeIn(text)).toBe(code);
  });
});

describe('OP-170: an address', () => {
  it('gets requests with customer and reference filled in, repeated until there is a code', async () => {
    const requestedUrls: (string | undefined)[] = [];
    const origin = await serve(({ url }, _, response) => {
      requestedUrls.push(url);
      response.statusCode = requestedUrls.length < 3 ? 404 : 200;
      response.end(requestedUrls.length < 3 ? 'not yet' : '{"otp":"493027"}');
    });
    const read = await reader({ otp: { url: `${origin}/otp/{customer_id}?of={reference_id}` } });
    expect(await read(sent)).toBe('493027');
    expect(requestedUrls).toEqual(Array(3).fill('/otp/CUST%201?of=OTP%261'));
  });

  it('without a code cannot be read, after six tries', async () => {
    let requests = 0;
    const origin = await serve((_, __, response) => {
      requests += 1;
      response.writeHead(404).end();
    });
    const read = await reader({ otp: { url: `${origin}/secret-path` } });
    const message = 'Cannot read a code for CUST 1 with reference_id OTP&1: the address returned 404.';
    await expect(read(sent)).rejects.toThrow(new MissingInput(message, '--otp-url URL'));
    expect(requests).toBe(6);
  });

  it('with an endless answer is abandoned after 256 KiB', async () => {
    const origin = await serve((_, __, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 'x')));
      };
      response.on('drain', more);
      more();
    });
    const read = await reader({ otp: { url: origin } });
    await expect(read(sent)).rejects.toThrow('the response is larger than 262144 bytes');
  });
});

it('OP-24: an address that sends endless interim replies is abandoned after twenty', async () => {
  const { url, close } = await startInterim();
  closesWithTest(close);
  const read = await reader({ otp: { url } });
  const message = /reference_id \S+: received more than 20 interim responses \(1xx\) and no final one\.$/;
  await expect(read(sent)).rejects.toThrow(message);
});

describe('OP-170: the outbox of a sandbox', () => {
  it('returns the latest code; an older code does not count, and no code counts twice', async () => {
    const { origin, auth } = await testSandbox();
    const ask = async () => ok(await auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }));
    await ask();
    const read = await reader({ otp: { gateway: true }, sandbox: { url: origin } });
    const customer = { customer_id: 'CUST0001', reference_id: 'unknown' };
    const none = 'Cannot read a code for CUST0001 with reference_id unknown: no message arrived.';
    await expect(read(customer)).rejects.toThrow(new Blocked('OTP-01', none));
    const { reference_id } = await ask();
    const code = await read({ customer_id: 'CUST0001', reference_id });
    expect(code).toMatch(/^\d{6}$/);
    await ok(
      await auth.POST('/api/v1/auth/verify-otp', { body: { customer_id: 'CUST0001', otp: code, reference_id } }),
    );
    await expect(read({ customer_id: 'CUST0001', reference_id })).rejects.toThrow('no message arrived');
  });

  it('that cannot be read ends a run before it begins', async () => {
    const url = await closedPort();
    const message = `Cannot read the messages of ${url}: ECONNREFUSED. Check that it is a rewards sandbox.`;
    await expect(reader({ otp: { gateway: true }, sandbox: { url } })).rejects.toThrow(new EnvironmentError(message));
    const { origin } = await testSandbox({ adminToken: 'at_the_one_that_opens' });
    const refused = reader({ otp: { gateway: true }, sandbox: { url: origin, admin_token: 'at_another_one_here' } });
    await expect(refused).rejects.toThrow('the sandbox returned 401');
  });
});

describe('OP-170: a command', () => {
  it('prints the code; customer and reference are arguments, and never executed', async () => {
    const folder = await temporaryFolder();
    const file = join(folder, 'made');
    const read = byCommand(`echo {customer_id}-{reference_id} | tr -cd 'A-Z0-9'`, realTimer);
    expect(await read({ customer_id: `C1$(touch ${file})`, reference_id: `R1'; touch ${file}; '` })).toMatch(/^C1/);
    const quoted = byCommand(`echo '{customer_id}' "{customer_id}" > /dev/null; echo 493027`, realTimer);
    expect(await quoted({ customer_id: `'; touch ${file}; "\`touch ${file}\``, reference_id: '' })).toBe('493027');
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['exit 3', 'it exited with code 3'],
    ['echo no code here', 'it printed no code'],
    ['yes', 'it printed more than 4096 characters'],
  ])('%s: the code cannot be read, and the message contains none of its output', async (command, why) => {
    await expect(byCommand(command, realTimer)(sent)).rejects.toThrow(
      new MissingInput(`--otp-command returned no code for CUST 1: ${why}.`, '--otp-command CMD'),
    );
  });

  it('is killed with its child processes after its time limit', async () => {
    const now: typeof realTimer = (run) => realTimer(run, 50);
    await expect(byCommand('sleep 60 & sleep 60', now)(sent)).rejects.toThrow('it took longer than 3 s');
  });
});

it('OP-170: a constant code, and a code from a function, are used unchanged', async () => {
  const readBy = async (otp?: Input['otp']) => (await reader(otp === undefined ? {} : { otp }))(sent);
  expect(await readBy({ code: '123456' })).toBe('123456');
  expect(await readBy({ read: async ({ customer_id }) => `of ${customer_id}` })).toBe('of CUST 1');
  await expect(readBy()).rejects.toThrow('It requires one-time passwords.');
});

it('OP-170: reading a code ends after 3 s, even without an answer', async () => {
  const origin = await serve(() => undefined);
  const delays: number[] = [];
  const shortTimer: Timer = (run, milliseconds) => {
    delays.push(milliseconds);
    return realTimer(run, milliseconds === 3000 ? 50 : 0);
  };
  const read = await reader({ otp: { url: origin } }, shortTimer);
  const message = 'Cannot read a code for CUST 1 with reference_id OTP&1: no response in time.';
  await expect(read(sent)).rejects.toThrow(message);
  expect(delays).toEqual([3000, 0]);
});

it('OP-170: codes that cannot be read are named before a run, whose other requirements are checked', async () => {
  const nowhere = await reader({ otp: { url: await serve((_, __, response) => response.writeHead(404).end()) } });
  const before: (readonly string[])[] = [];
  const report = await certifyServer(
    await partner(),
    { only: ['OTP-01', 'OTP-03', 'CRD-01'], customers: ['CUST0001'] },
    { readCode: nowhere, begun: ({ notes, judged }) => before.push([...notes, `${judged} requirements`]) },
  );
  const note =
    /^Cannot read a code for CUST0001 with reference_id \S+: the address returned 404\. Requirements that need a code are not checked\.$/;
  expect(before).toEqual([[expect.stringMatching(note), '1 requirements']]);
  expect(report.notes).toEqual([expect.stringMatching(note)]);
  expect(idsWithVerdict(report, 'pass')).toEqual(['CRD-01']);
  expect(idsWithVerdict(report, 'fail')).toEqual([]);
});

it('OP-170: a message that did not come to a readable outbox still fails the sign-in', async () => {
  const none = () => Promise.reject(new Blocked('OTP-01', 'no message arrived'));
  const report = await certifyServer(await partner(), { only: ['OTP-01'] }, { readCode: none });
  expect(report.notes).toEqual([]);
  expect(idsWithVerdict(report, 'fail')).toEqual(['OTP-01']);
});
