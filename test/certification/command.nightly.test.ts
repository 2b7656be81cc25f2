/** Tests the output streams and exit codes of `rewards-sandbox certify`. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conclude } from '../../sandbox/certification/report.ts';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { readRunOptions } from '../../sandbox/cli/certify-input.ts';
import { endingOf } from '../../sandbox/cli/certify-output.ts';
import { inProcess, run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort, httpServer } from '../harness/http-server.ts';
import type { MistakeName } from '../harness/partner/mistakes.ts';
import type { PartnerServer } from '../harness/partner/server.ts';
import { testSandbox } from '../harness/sandbox.ts';
import * as judged from './judged.ts';

const secrets = { serviceToken: 'the-service-token-of-this-test', password: 'the-password-of-this-test' };

function partner(mistake?: MistakeName): Promise<PartnerServer> {
  const { serviceToken, password } = secrets;
  return judged.partner({ serviceToken, basic: { username: 'partner', password }, mistake });
}

/** Runs the command until it ends. */
function certify(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  return inProcess(['certify', ...args], env).ended;
}

const basic = `partner:${secrets.password}`;
/** Returns the arguments of a run that checks only some requirements, by default on credits. */
const credits = (url: string, only = 'CRD-01,CRD-02') => {
  return ['--client-url', url, '--customer', 'CUST0001', '--only', only];
};
const token = { REWARDS_SANDBOX_CLIENT_TOKEN: secrets.serviceToken };

/** Writes a file in a temporary folder. */
async function file(name: string, text: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, text);
  return path;
}

const partial =
  /Partial: all checked mandatory requirements passed, but \d+ mandatory requirements were not checked\. To check them: without --only \(.*\)\.\npass: CRD-0\d, CRD-0\d\n$/;
const allowed = ['--allow-partial'];

describe('OP-169, OP-173: exit codes', () => {
  it('0: the checked requirements pass, and the last line says that the run was partial, after a summary of the calls', async () => {
    const { origin, credentials } = await testSandbox();
    const ran = await certify([
      ...credits(`${origin}/client`),
      ...allowed,
      '--service-token',
      credentials.service_token,
    ]);
    const announcement =
      /^Checking http:\S+\/client against 2 of \d+ requirements \(versions 1\.0 and 2\.0, seed 1\)\.\nThe run sends at most (\d+) calls\. It changes the balances of CUST0001 and restores them\.\nCUST0001 must have at least 5000 points\.\n$/;
    // On a busy machine, the run also prints progress lines.
    const said = ran.stderr.replaceAll(/^.*, \d+0 s\n/gm, '');
    expect(said).toMatch(announcement);
    const [, most] = announcement.exec(said) ?? [];
    const [, sent] = /^(\d+) calls were sent\./m.exec(ran.stdout) ?? [];
    expect(Number(sent)).toBeGreaterThan(6);
    expect(Number(sent)).toBeLessThanOrEqual(Number(most));
    expect(ran.stdout).toMatch(/^credit +2 +- /m);
    expect(ran.stdout).toMatch(/^\d+ calls were sent\. All balances were restored\.$/m);
    expect(ran.stdout).toMatch(partial);
    expect(ran.code).toBe(0);
  });

  it('0: the command keeps running while no call is pending', async () => {
    const { url } = await partner();
    const ran = await run(['certify', ...credits(url, 'CRD-05,CRD-06'), ...allowed], token).ended;
    expect(ran.stdout).toMatch(partial);
    expect(ran.code).toBe(0);
  });

  it('OP-172: 1: a failure is printed with everything to reproduce it, and no output contains a secret', async () => {
    const server = await partner('credit-twice');
    const json = join(await temporaryFolder(), 'certify.json');
    const args = [...credits(server.url), '--basic', basic, '--otp', '987654321', '--report', `json=${json}`];
    const ran = await certify(args, token);
    expect(ran.code).toBe(1);
    for (const line of [
      /^FAIL CRD-02 A repeated transactionId credits nothing more \(mandatory\)$/m,
      /^ {2}Fix: Store each transactionId /m,
      /^ {2}Based on: stated by the interface \(R20\), openapi\/client\.yaml:\d+$/m,
      /^ {2}Docs: http:\/\/localhost:4010\/docs\/interface#r20$/m,
      /^ {2}Re-run: certify --only CRD-02 \(same options\)$/m,
      /^ {2}curl -i -X POST 'http:\S+\/creditPoints'/m,
      /-H 'authorization: Bearer '"\$SERVICE_TOKEN"/,
      /^ {4}-> 200 /m,
      /^1 failed, 1 cause \(1 mandatory\): CRD-02\. \d+ mandatory requirements were not checked\./m,
      /\npass: CRD-01; fail: CRD-02\n$/,
    ])
      expect(ran.stdout).toMatch(line);
    const written = await readFile(json, 'utf8');
    const result = { outcome: 'failed', counts: { pass: 1, fail: 1 }, balances: 'restored' };
    expect(JSON.parse(written)).toMatchObject(result);
    const all = ran.stdout + ran.stderr + written;
    for (const secret of [secrets.serviceToken, secrets.password, btoa(basic), '987654321'])
      expect(all).not.toContain(secret);
    expect(all).not.toContain('\u001b');
  });

  const local = credits('http://localhost:1');

  it.each([
    [['--customer', 'CUST0001'], '--client-url is required.\n'],
    [['--client-url', 'http://localhost:1'], '--customer is required.\n'],
    [['--client-url', 'ftp://localhost', '--customer', 'A'], '--client-url must match ^https?://[^\\s@]+$'],
    [[...local, '--only', 'CRD-99'], '--only contains CRD-99, which is neither a requirement nor a group.\n'],
    [
      [...local, '--requirements', '9.9'],
      '--requirements is not an edition. Unknown edition 9.9. Available: current.\n',
    ],
    [[...local, '--timeout', '20'], 'It must be a number of seconds from 0.1 to 15.'],
    [[...local, '--otp', '1', '--otp-gateway'], 'Use only one of --otp, --otp-command, --otp-url and --otp-gateway.\n'],
    [[...local, '--otp-gateway'], '--sandbox is required to read codes from the message gateway.\n'],
    [[...local, '--report', 'xml=a'], "error: option '--report <format=file>' argument 'xml=a' is invalid."],
    [
      [...local, '--certificate', 'a.jws', '--seed', 'a\nb'],
      '--seed cannot be written to a certificate: it must match ',
    ],
    [
      [...local, '--certificate', 'a.jws', '--signing-key', 'a.pem', '--witness', 'A'.repeat(201)],
      '--witness cannot be written to a certificate: it must have at most 200 characters.\n',
    ],
    [['--unknown'], "error: unknown option '--unknown'"],
  ])('2: usage, %j', async (args, message) => {
    const ran = await certify(args);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });

  it('3: the server does not listen, or the customer is unknown or has too few points', async () => {
    const server = await partner();
    for (const [args, reason] of [
      [
        credits(await closedPort()),
        /The run could not start\. No response from http:\S+ \(ECONNREFUSED\)\. Check that the server is running\.\n$/,
      ],
      [['--client-url', server.url, '--customer', 'NOBODY'], /The server refuses NOBODY/],
      [
        [...credits(server.url), '--balance', '999999'],
        /CUST0001 has 25000 points, but the run needs 999999 \(--balance\)\./,
      ],
    ] as const)
      expect(await certify(args, token)).toMatchObject({ code: 3, stdout: expect.stringMatching(reason) });
  });

  it('4: an error of the suite takes precedence; 3: nothing could be checked', () => {
    const of = (...words: readonly ('suite_error' | 'fail' | 'not_selected' | 'blocked')[]) => {
      const verdicts = words.map((verdict, at) => {
        const blocked_by = verdict === 'blocked' ? 'SHP-01' : null;
        return { id: `CRD-0${at + 1}`, level: 'must', verdict, reason: null, option: null, blocked_by };
      });
      const isError = words.includes('suite_error');
      const counts = { pass: 0, suite_error: Number(isError) };
      const outcome = isError ? 'suite_error' : 'partial';
      const report = { verdicts, counts, outcome, problem: null } as unknown as Report;
      return endingOf(report, conclude(report, 'must', []));
    };
    expect(of('suite_error', 'fail')).toEqual({
      code: 4,
      text: 'Internal error in 1 requirement; this is not a fault of your server: CRD-01.',
    });
    expect(of('not_selected')).toEqual({
      code: 3,
      text: 'Nothing was checked. Provide the input that the requirements need; --list shows it.',
    });
    expect(of('blocked')).toEqual({
      code: 1,
      text: '1 requirement could not be checked, and no failure explains why: CRD-01.',
    });
  });
});

describe('OP-173: known failures', () => {
  const baselineFile = (...ids: readonly string[]) =>
    file('known.yaml', ids.map((id) => `- { id: ${id}, reason: in work }\n`).join(''));

  it('a known failure ends with 0, a known failure that now passes with 1', async () => {
    const { url } = await partner('credit-twice');
    const right = await partner();
    const baseline = ['--baseline', await baselineFile('CRD-02')];
    const ran = await certify([...credits(url), ...baseline, ...allowed], token);
    expect(ran.stdout).toMatch(
      /Partial: all checked mandatory requirements passed, except for known failures: CRD-02, but \d+ mandatory .*\npass: CRD-01; fail: CRD-02\n$/,
    );
    expect(ran.code).toBe(0);
    const fixed = await certify([...credits(right.url), ...baseline], token);
    expect(fixed.stdout).toMatch(
      /Known failures now pass\. Remove them from the baseline: CRD-02\.\npass: CRD-01, CRD-02\n$/,
    );
    expect(fixed.code).toBe(1);
  });

  it('a new failure ends with 1', async () => {
    const { url } = await partner('credit-nothing');
    const ran = await certify([...credits(url), '--baseline', await baselineFile('CRD-02'), '--quiet'], token);
    expect(ran.stdout).toMatch(
      /^FAIL CRD-01 .*\n[\s\S]*\n1 failed, 1 cause \(1 mandatory\): CRD-01\. .*\n.*fail: CRD-01.*\n$/,
    );
    expect(ran.code).toBe(1);
  });

  it.each([
    ['- { id: CRD-99, reason: unknown }\n', 'unknown requirement CRD-99. --list shows all of them.'],
    ['- { id: CRD-01, reason: a }\n- id: CRD-02\n', ':2:3: 1.reason is required'],
    ['CRD-01: a\n', ':1:1: the file must be an array'],
  ])('an invalid baseline ends with 2: %j', async (text, message) => {
    const ran = await certify([...credits('http://localhost:1'), '--baseline', await file('known.yaml', text)]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
  });
});

describe('OP-169: a configuration file', () => {
  it('contains every option, flags override it, and its paths are relative to its folder', async () => {
    const { url } = await partner('credit-twice');
    const given = { client_url: url, service_token: secrets.serviceToken, customers: ['CUST0001', 'CUST0002'] };
    const otp = { command: `curl -s "${url}/test/otp?reference_id="{reference_id}` };
    const chosen = { only: ['CRD-01'], seed: 'a seed', otp, reports: { json: 'out.json' }, baseline: 'known.yaml' };
    const text = JSON.stringify({ ...given, ...chosen, fail_on: 'should', allow_partial: true });
    const config = await file('certify.yaml', text);
    await writeFile(join(config, '../known.yaml'), '- { id: CRD-02, reason: in work }\n');
    const ran = await certify(['--config', config, '--only', 'CRD-02', '--json']);
    expect(ran.stderr).toMatch(
      /seed a seed\)\.\n.*the balances of CUST0001, CUST0002 [\s\S]*except for known failures: CRD-02, /,
    );
    expect(ran.code).toBe(0);
    const report = JSON.parse(ran.stdout);
    expect(report).toMatchObject({ seed: 'a seed', counts: { pass: 0, fail: 1 } });
    expect(JSON.parse(await readFile(join(config, '../out.json'), 'utf8'))).toEqual(report);
  });

  it.each([
    ['client_url: http://localhost\ncustomers: A\n', ':2:1: customers must be an array'],
    ['client_url: http://localhost\n\napi: v3\n', ':3:1: api must be one of "v1", "v2", "both"'],
    ['otp:\n  code: "1"\n  url: http://localhost\n', ':1:1: otp must have at most 1 field'],
    ['seed: a\nclientUrl: b\n', ':2:1: clientUrl is unknown, did you mean `client_url`?'],
    ['a: [1\n', ':2:1: Flow sequence in block collection must be sufficiently indented'],
    ['', ':1:1: the file must be an object'],
  ])('that is invalid is reported with line, column and field: %j', async (text, message) => {
    const config = await file('certify.yaml', text);
    const ran = await certify(['--config', config]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`${config}${message}`);
    const missing = await certify(['--config', '/nowhere/certify.yaml']);
    expect(missing).toMatchObject({ code: 2, stdout: '' });
    expect(missing.stderr).toMatch(/^Cannot read \/nowhere\/certify\.yaml: ENOENT/);
  });
});

it('OP-169: a server on another machine is not called without --yes, nor with `yes: false`', async () => {
  const other = { clientUrl: 'https://client.example', customer: ['CUST0001'] };
  const ran = await certify(credits('https://client.example'));
  expect(ran).toMatchObject({ code: 2, stdout: '' });
  expect(ran.stderr).toBe(
    'client.example is another machine. The run changes the balances of CUST0001 there and restores them. Add --yes to allow it.\n',
  );
  expect(readRunOptions({ ...other, yes: true }).input.client_url).toBe('https://client.example');
  const config = await file('certify.yaml', 'yes: true\n');
  expect(readRunOptions({ ...other, config }).input.client_url).toBe('https://client.example');
  for (const here of ['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1'])
    expect(readRunOptions({ ...other, clientUrl: here }).input.client_url).toBe(here);
});

it('--list prints the selected requirements, also as JSON, and sends no call', async () => {
  const ran = await certify(['--list', '--only', 'credit', '--skip', 'CRD-03']);
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  expect(ran.stdout).toMatch(
    /^CRD-01 must {4}credit {6}A credit adds its points to the balance\n {27}creditPoints; stated R21; needs v1, service\nCRD-02 /,
  );
  expect(ran.stdout).not.toContain('CRD-03');
  const json = await certify(['--list', '--json', '--only', 'CRD-01']);
  const listed = { id: 'CRD-01', group: 'credit', needs: ['v1', 'service'], calls: 3 };
  expect(JSON.parse(json.stdout)).toEqual([expect.objectContaining(listed)]);
});

it('OP-170: a command that prints no code is named before the run starts, and fails no requirement', async () => {
  const server = await partner();
  const { username, password } = server.settings.basic;
  const args = ['--basic', `${username}:${password}`, '--otp-command', 'true'];
  const ran = await run(['certify', ...credits(server.url, 'OTP-01'), ...args], token).ended;
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(
    '--otp-command returned no code for CUST0001: it printed no code. Requirements that need a code are not checked.\n',
  );
  expect(ran.stdout).toMatch(/Nothing was checked\. .*\nnot selected: OTP-01\n$/);
});

describe('SIGINT and SIGTERM', () => {
  /** Starts a run through a proxy that forwards the first credit but withholds the reply, then sends the signals. */
  async function startAndSignal(signals: readonly NodeJS.Signals[], holdRest: boolean) {
    const right = await partner();
    let isCreditBooked = false;
    const credited = Promise.withResolvers<void>();
    const { url } = await judged.relayed(right, async (path, forward) => {
      if (isCreditBooked && holdRest) return undefined;
      const reply = await forward();
      if (path !== '/creditPoints' || isCreditBooked) return reply;
      isCreditBooked = true;
      credited.resolve();
      return undefined;
    });
    const json = join(await temporaryFolder(), 'certify.json');
    const command = run(['certify', ...credits(url), '--report', `json=${json}`], token);
    await credited.promise;
    for (const signal of signals) {
      command.child.kill(signal);
      await new Promise((resolve) => command.child.stderr?.once('data', resolve));
    }
    return { right, json, command };
  }

  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s: the run ends in order, restores balances, and reports that it is incomplete',
    async (signal) => {
      const { right, json, command } = await startAndSignal([signal], false);
      const ran = await command.ended;
      expect(ran.code).toBe(130);
      expect(ran.stdout).toMatch(/Interrupted: the run is incomplete, so there is no certificate\.\n.*\n$/);
      expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({ outcome: 'interrupted', balances: 'restored' });
      expect(right.pointsOf('CUST0001').balance).toBe(25_000);
    },
  );

  it('a second signal ends the run immediately', async () => {
    const { command } = await startAndSignal(['SIGINT'], true);
    command.child.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 130, stdout: '' });
  });
});

it('text from a server cannot control the terminal', async () => {
  const acting = '\u001b[2J\u009b2J\u202e\r';
  const { origin } = await httpServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', 'x-acting': '\u009b2J' });
    const profile = { profile: { uid: 'CUST0001', projectCode: 'DEMO01' }, points: { balance: 25_000 } };
    response.end(request.url?.startsWith('/getProfile') ? JSON.stringify(profile) : `{"message":"${acting}"}`);
  });
  const ran = await certify(credits(origin), token);
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain('{"message":"\\u001b[2J\\u009b2J\\u202e\\u000d"}');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for them.
  expect(ran.stdout + ran.stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});
