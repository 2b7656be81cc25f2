/** Tests the command's output, streams and exit codes. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startOptions } from '../../sandbox/options.ts';
import { inProcess, ready, readyInProcess, run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { httpServer } from '../harness/http-server.ts';

describe('starting', () => {
  it('prints a few lines with the addresses and a curl that works', async () => {
    const data = await temporaryFolder();
    const { child, saw, ended } = run(['--port', '0', '--data', data]);
    await saw(/^Rewards sandbox \d+\.\d+\.\d+ is ready\.[\s\S]*limit=2'\n/);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).toBe('Stopping: waiting for calls in progress.\n');
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringContaining(data),
      expect.stringMatching(/^ {2}Start page {4}http:\/\/127\.0\.0\.1:\d+\/ /),
      expect.stringMatching(/Platform API {2}http:\/\/127\.0\.0\.1:\d+\/rewards$/),
      expect.stringMatching(
        /Client API {4}http:\/\/127\.0\.0\.1:\d+\/client {3}\(reference client, until you connect your own server\)$/,
      ),
      expect.stringMatching(/Microsite {5}http:\/\/127\.0\.0\.1:\d+\/microsite /),
      expect.stringMatching(/Dashboard {5}http:\/\/127\.0\.0\.1:\d+\/dashboard /),
      expect.stringMatching(/Control API {3}http:\/\/127\.0\.0\.1:\d+\/sandbox\/v1 /),
      'Try it:',
      expect.stringMatching(/^ {2}TOKEN=\$\(curl -s .* http:\S+\/v1\/company\/auth \| sed '\S+'\)$/),
      expect.stringMatching(/^ {2}curl -s -H "Authorization: \$TOKEN" 'http:\S+\/v1\/partner\/rewards\?limit=2'$/),
    ]);
  });

  it('names the client server in use, and warns if it has no token', async () => {
    const data = await temporaryFolder();
    const started = async (...flags: string[]) => {
      const { child, saw, ended } = run(['--port', '0', '--data', data, ...flags]);
      await saw(/limit=2'\n/);
      child.kill('SIGTERM');
      const { stdout, stderr } = await ended;
      return { lines: stdout.split('\n').slice(3, 5), warning: stderr.split('\n').slice(0, -2) };
    };
    const lines = [
      '  Your server   http://localhost:8080   (called by the platform as the client)',
      expect.stringMatching(/^ {2}Client API {4}http:\S+\/client {3}\(reference client, not in use; for comparison\)$/),
    ];
    const warning = [
      "No --client-token was given, so http://localhost:8080 receives the sandbox's own service token and will probably refuse it. Use --client-token with the token that your server expects.",
    ];
    expect(await started('--client-url', 'http://localhost:8080')).toEqual({ lines, warning });
    // The URL is stored with the data, so the next start warns too.
    expect(await started()).toEqual({ lines, warning });
    expect(await started('--client-token', 'secret')).toEqual({ lines, warning: [] });
  });

  it('the printed commands get 200', async () => {
    const { saw } = inProcess(['--port', '0', '--data', await temporaryFolder()]);
    const [commands] = await saw(/^ {2}TOKEN=.*\n {2}curl .*limit=2'$/m);
    const { stdout } = await promisify(execFile)('sh', ['-c', commands]);
    expect((JSON.parse(stdout) as { items: unknown[] }).items).toHaveLength(2);
  });

  it('--json prints one line with all addresses', async () => {
    const { saw, stop, ended } = inProcess(['--port', '0', '--json', '--data', await temporaryFolder()]);
    const [line] = await saw(/^.*\}$/m);
    stop();
    expect((await ended).stdout).toBe(`${line}\n`);
    const origin = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\//);
    const apis = ['rewards', 'client', 'portal', 'microsite', 'dashboard', 'general', 'sandbox', 'gateway'];
    expect(JSON.parse(line)).toEqual({
      ready: true,
      version: '0.1.0',
      pid: process.pid,
      project_code: 'DEMO01',
      urls: Object.fromEntries(apis.map((name) => [name, origin])),
    });
  });
});

const refusedAddress = 'must be a public address or one allowed with --allow-address.\n';

describe('an error is one line with its own exit code', () => {
  it.each([
    ['--port', ['--port']],
    ['--operations', ['--port', '0', '--operations']],
  ])('3: the port of %s is in use by another program', async (flag, args) => {
    const { port } = await httpServer((_, response) => void response.end('not a sandbox'));
    const { code, stdout, stderr } = await inProcess([...args, port, '--data', await temporaryFolder()]).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 3,
      stdout: '',
      stderr: `Port ${port} is in use by another program. Choose another with ${flag}, or use ${flag} 0 for any free port.\n`,
    });
  });

  it('3: the port is in use by another sandbox', async () => {
    const first = await readyInProcess(['--data', await temporaryFolder()]);
    const { port } = new URL(first.urls.sandbox);
    const { code, stderr } = await inProcess(['--port', port, '--data', await temporaryFolder()]).ended;
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: `Port ${port} is in use by another rewards-sandbox. Choose another with --port, or use --port 0 for any free port.\n`,
    });
  });

  it.each([
    ['is below a file', async () => join(await temporaryFolder(), 'a-file/data')],
    ['cannot be created, and the start does not retry forever', async () => '/proc/none/data'],
  ])('4: the data folder %s', async (_, place) => {
    const data = await place();
    if (data.includes('a-file')) await writeFile(dirname(data), 'not a folder');
    const { code, stdout, stderr } = await inProcess(['--port', '0', '--data', data]).ended;
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 4, stdout: '', lines: 2 });
    expect(stderr).toContain(`Cannot open the data in ${data}`);
  });

  it('5: another process has the data open; after its end the data is free', async () => {
    const data = await temporaryFolder();
    const first = await ready(['--data', data]);
    const second = await inProcess(['--port', '0', '--data', data]).ended;
    expect({ code: second.code, lines: second.stderr.split('\n').length }).toEqual({ code: 5, lines: 2 });
    first.child.kill('SIGKILL');
    await first.ended;
    const third = await readyInProcess(['--data', data]);
    expect(third.urls.sandbox).toMatch(/^http/);
  });

  it('6: the key does not open the data, which stays unchanged', async () => {
    const data = await temporaryFolder();
    const first = await readyInProcess(['--data', data]);
    first.stop();
    await first.ended;
    const { code, stderr } = await inProcess(['--port', '0', '--data', data], { REWARDS_SANDBOX_KEY: 'ab'.repeat(32) })
      .ended;
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 6, lines: 2 });
    const again = await readyInProcess(['--data', data]);
    expect(again.urls.sandbox).toMatch(/^http/);
  });

  it.each([
    [['--port', '70000']],
    [['--port', 'x']],
    [['--clock', 'slow']],
    [['--nonsense']],
    [['--host', '0.0.0.0']],
    [['--operations', 'localhost']],
    [['workflows', '--sandbox', 'here']],
  ])('2: usage, such as %j: the message names the mistake', async (args) => {
    const { code, stdout, stderr } = await inProcess(args).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(args.at(-1));
    expect(stderr).not.toContain('    at ');
  });

  it.each([
    [['--trusted-proxy', '10.0.0.0/8,10.0.0.1'], '10.0.0.1 is not an address range such as 10.0.0.0/8.\n'],
    [
      ['--store', 'memory', '--https'],
      '--https stores its certificate in the data folder: with --store memory, use --tls-cert and --tls-key.\n',
    ],
    [['--client-url', 'https://10.0.0.1/'], `The client address https://10.0.0.1/ ${refusedAddress}`],
    [['--client-url', 'https://0xa9fea9fe/'], `The client address https://0xa9fea9fe/ ${refusedAddress}`],
    [
      ['--client-url', 'http://partner.example/'],
      'The client address http://partner.example/ must be an https URL, or http on loopback or in a private range allowed with --allow-address.\n',
    ],
    [
      ['--client-url', 'https://user:canary@partner.example/'],
      'The client address https://***@partner.example/ must be an https URL, or http on loopback or in a private range allowed with --allow-address.\n',
    ],
    [['--client-url', 'nonsense'], 'The client address nonsense must be a URL such as https://example.com/path.\n'],
    [['--allow-address', '10.0.0.0'], '10.0.0.0 is not an address range such as 10.0.0.0/8.\n'],
    [['--allow-address', '10.0.0.0/8', '--allow-address', 'x'], 'x is not an address range such as 10.0.0.0/8.\n'],
    [['--client-token', 'x'.repeat(4097)], 'The client token must have at most 4,096 characters.\n'],
  ])('2: %j is refused with one line', async (args, line) => {
    const { code, stdout, stderr } = await inProcess(['--port', '0', '--data', await temporaryFolder(), ...args]).ended;
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: line });
  });

  it('0: --help shows examples, environment and exit codes', async () => {
    const { code, stdout } = await inProcess(['--help']).ended;
    expect(code).toBe(0);
    const flags = Object.values(startOptions).map(({ flag }) => flag);
    for (const part of ['Examples:', 'Environment:', 'Exit codes:', ...flags.map((flag) => `  ${flag}`)])
      expect(stdout).toContain(`\n${part}`);
  });
});

describe('stopping and starting again', () => {
  it('SIGTERM exits with 0 and preserves everything, including the clock', async () => {
    const data = await temporaryFolder();
    const post = (url: string, body: unknown) =>
      fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
    const first = await ready(['--data', data, '--clock', 'frozen']);
    expect((await post(`${first.urls.sandbox}/customers`, { uid: 'KEPT', points: { balance: 70 } })).status).toBe(201);
    expect((await post(`${first.urls.sandbox}/clock/advance`, { seconds: 90 })).status).toBe(200);
    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const second = await readyInProcess(['--data', data]);
    const ledger = await (await fetch(`${second.urls.sandbox}/ledger/KEPT`)).json();
    expect(ledger).toMatchObject({ balance: 70 });
    const clock = await (await fetch(`${second.urls.sandbox}/clock`)).json();
    expect(clock).toEqual({ now: '2026-01-12T04:31:30.000Z', mode: 'frozen' });
  });

  it('the same seed creates the same workspace, another seed a different one', async () => {
    const workspace = async (seed: string) => {
      const { urls } = await readyInProcess(['--data', await temporaryFolder(), '--seed', seed]);
      const customers = await (await fetch(`${urls.sandbox}/customers`)).text();
      const { credentials } = (await (await fetch(`${urls.sandbox}/workspace`)).json()) as { credentials: unknown };
      return { customers, credentials };
    };
    const [one, same, other] = await Promise.all([workspace('one'), workspace('one'), workspace('two')]);
    expect(same).toEqual(one);
    expect(other.customers).not.toEqual(one.customers);
    expect(other.credentials).not.toEqual(one.credentials);
  });
});
