/** Tests the output and exit codes of the commands `check` and `proxy` (OP-90, OP-91). */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { describe, expect, it } from 'vitest';
import { entry, har } from '../harness/captures.ts';
import { inProcess, run } from '../harness/command.ts';
import { example } from '../harness/exchanges.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closeServers, httpServer } from '../harness/http-server.ts';

async function capture(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'capture.har');
  await writeFile(file, text);
  return file;
}

const good = har([entry(example('companyAuth', 200))]);
/** Builds a call to an address that is in no contract. */
const callTo = (url: string) => {
  const call = entry(example('companyAuth', 200));
  return { ...call, request: { ...call.request, url } };
};
const credit = entry(example('creditPoints', 200));
/** A call to a client server that is not under `/client`. */
const own = { ...credit, request: { ...credit.request, url: 'http://127.0.0.1:5320/creditPoints' } };
const captureWith = (operation: string, fields: object) => () => {
  const draft = example(operation, 200);
  draft.reply.body = { ...(draft.reply.body as object), ...fields };
  return har([entry(draft)]);
};
/** The interface states that has_more is a boolean. The format of a token's lifetime is an assumption. */
const invalidListing = captureWith('listRewards', { has_more: 'no' });
const unlikelyToken = captureWith('companyAuth', { expires_in: '3600' });

describe('check', () => {
  it('0: a clean capture, reported on stdout', async () => {
    const { code, stdout, stderr } = await run(['check', await capture(good)]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Clean: 1 exchange checked\.\nCoverage: /);
  });

  it('1: findings, in every requested format', async () => {
    const file = await capture(invalidListing());
    const [json, junit, sarif] = ['json', 'junit', 'sarif'].map((name) => `${file}.${name}`) as [
      string,
      string,
      string,
    ];
    const reports = ['--report', `json=${json}`, '--report', `junit=${junit}`, '--report', `sarif=${sarif}`];
    const { code, stdout } = await inProcess(['check', file, '--json', ...reports]).ended;
    expect(code).toBe(1);
    const printed = JSON.parse(stdout);
    expect(printed.findings).toMatchObject([{ code: 'reply.body.type', party: 'host' }]);
    expect(JSON.parse(readFileSync(json, 'utf8'))).toEqual(printed);
    expect(readFileSync(junit, 'utf8')).toContain('failures="1"');
    expect(JSON.parse(readFileSync(sarif, 'utf8')).runs[0].results).toHaveLength(1);
  });

  it('a SARIF finding points to the source file of its operation (--source)', async () => {
    const file = await capture(invalidListing());
    const flags = [
      '--report',
      `sarif=${file}.sarif`,
      '--source',
      'src/server.js',
      '--source',
      'listRewards=src/list.js:7',
    ];
    expect((await inProcess(['check', file, ...flags]).ended).code).toBe(1);
    const [{ locations }] = JSON.parse(readFileSync(`${file}.sarif`, 'utf8')).runs[0].results;
    expect(locations).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: 'src/list.js' }, region: { startLine: 7 } } },
    ]);
  });

  it('2: a source for an unknown operation', async () => {
    const { code, stdout, stderr } = await inProcess([
      'check',
      await capture(good),
      '--source',
      'listReward=src/list.js',
    ]).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown operation: listReward. Use an operationId from a contract, such as createRedemptionOrder.\n',
    });
  });

  it.each<[exit: number, what: string, capture: () => string, flags: readonly string[]]>([
    [0, 'an assumption', unlikelyToken, []],
    [0, 'an assumption, with --fail-on error', unlikelyToken, ['--fail-on', 'error']],
    [1, 'an assumption, with --fail-on warning', unlikelyToken, ['--fail-on', 'warning']],
    [1, 'a statement', invalidListing, ['--fail-on', 'error']],
  ])('OP-90: %d: a finding against %s', async (exit, _what, spoil, flags) => {
    const { code, stdout, stderr } = await inProcess(['check', await capture(spoil()), ...flags]).ended;
    expect({ code, stderr }).toEqual({ code: exit, stderr: '' });
    const against = spoil === invalidListing ? '1 error and 0 warnings' : '0 errors and 1 warning';
    expect(stdout).toContain(`\n${against} in 1 exchange.`);
  });

  it.each([[], ['--json']])('control characters in a capture do not reach the terminal, %j', async (...flags) => {
    const draft = example('companyAuth', 200);
    (draft.reply.body as { expires_in: unknown }).expires_in = '\u001b[2J\u009b31m\u202e';
    const odd = { ...entry(example('companyAuth', 200)) };
    odd.request = { ...odd.request, method: 'GE\u001b[2JT\r\nclean' };
    const { stdout, stderr } = await inProcess(['check', await capture(har([entry(draft), odd])), ...flags]).ended;
    expect(stdout).toContain('\\u001b[2J');
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(stdout).not.toMatch(/^clean/m);
    expect(stderr).toBe('');
  });

  it('control characters in an argument do not reach the terminal', async () => {
    const { stderr } = await inProcess(['check', '/nowhere/\u001b[2J\nClean: 1.har']).ended;
    expect(stderr).toMatch(/^Cannot check the capture: .*\\u001b\[2J\\u000aClean: 1\.har.*\n$/);
    const { stderr: sandbox } = await inProcess(['--port', '0', '--data', '/dev/null/\u001b[2J']).ended;
    expect(sandbox).toContain('\\u001b[2J');
    expect(sandbox.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('OP-155: 0: an incomplete capture is reported on stdout, and is not called clean', async () => {
    const authEntry = entry(example('companyAuth', 200));
    const { code, stdout, stderr } = await inProcess([
      'check',
      await capture(har([{ ...authEntry, response: { ...authEntry.response, content: { size: -1 } } }])),
    ]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [verdict, gaps] = stdout.split('\n');
    expect(verdict).toBe('No findings in the captured parts of 1 exchange.');
    expect(gaps).toMatch(/^The capture is incomplete: parts of 1 message are missing \(the body of 1\)\./);
  });

  it.each<[code: number, what: string, capture: () => string, last: string]>([
    [
      3,
      'foreign traffic',
      () => har([callTo('https://fonts.example/x.css'), callTo('https://shop.example/cart')]),
      'Checked 0 of 2 calls. No contract matches 1 call to https://fonts.example, 1 call to https://shop.example. If your client server is among them, add --server client=ADDRESS, such as --server client=https://fonts.example.',
    ],
    [
      3,
      "calls to a partner's own server",
      () => har([own, own]),
      'Checked 0 of 2 calls. No contract matches 2 calls to http://127.0.0.1:5320 (if that is your client server, add --server client=http://127.0.0.1:5320).',
    ],
    [
      3,
      'no calls',
      () => har([]),
      'Nothing was checked: the capture contains no calls. Check that recording was on, or use another file.',
    ],
    [3, 'entries without a call', () => har([{}]), 'Nothing was checked: the capture has 1 entry, but no call.'],
    [
      0,
      'calls of which half match',
      () => har([entry(example('companyAuth', 200)), own]),
      'Checked 1 of 2 calls. No contract matches 1 call to http://127.0.0.1:5320 (if that is your client server, add --server client=http://127.0.0.1:5320).',
    ],
    [
      1,
      'calls of which half match, with a finding',
      () => har([...JSON.parse(invalidListing()).log.entries, own]),
      'Checked 1 of 2 calls. No contract matches 1 call to http://127.0.0.1:5320 (if that is your client server, add --server client=http://127.0.0.1:5320).',
    ],
  ])('OP-90: %d: a capture of %s is never called clean', async (exit, _what, captured, last) => {
    const { code, stdout, stderr } = await run(['check', await capture(captured())]).ended;
    expect({ code, stderr, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: exit, stderr: '', last });
    expect(stdout).not.toContain('Clean');
  });

  it("OP-90: 3 becomes 1 once --server gives the address of a partner's own server", async () => {
    const draft = example('creditPoints', 200);
    const creditCall = entry({
      ...draft,
      request: { ...draft.request, body: { ...(draft.request.body as object), points: 24 } },
    });
    const wrong = { ...creditCall, request: { ...creditCall.request, url: own.request.url } };
    const file = await capture(har([wrong]));
    expect(await run(['check', file, '--json']).ended).toMatchObject({
      code: 3,
      stderr:
        'Nothing was checked: the capture has 1 call, and no contract matches. Checked 0 of 1 call. No contract matches 1 call to http://127.0.0.1:5320 (if that is your client server, add --server client=http://127.0.0.1:5320).\n',
    });
    expect(await run(['check', file, '--server', 'client=http://127.0.0.1:5320']).ended).toMatchObject({ code: 1 });
  });

  it('1: too little coverage, reported on stderr', async () => {
    const { code, stderr } = await inProcess(['check', await capture(good), '--min-coverage', '80', '--api', 'rewards'])
      .ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Coverage is \d+(\.\d)? %, below the required 80 %\.\n$/);
  });

  it.each([
    ['no capture', []],
    ['an unknown flag', ['x.har', '--nonsense']],
    ['an unknown report format', ['x.har', '--report', 'pdf=x']],
    ['a source outside the repository', ['x.har', '--source', '../server.js']],
    ['an unknown contract', ['x.har', '--api', 'none']],
    ['an unknown server', ['x.har', '--server', 'bank=https://x.example']],
    ['an invalid address', ['x.har', '--server', 'client=x']],
    ['a share beyond 100', ['x.har', '--min-coverage', '101']],
    ['an invalid severity', ['x.har', '--fail-on', 'notice']],
  ])('2: a usage error, such as %s', async (_title, args) => {
    const { code, stdout, stderr } = await inProcess(['check', ...args]).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toContain('    at ');
  });

  it('3: a file that is missing or not a capture', async () => {
    for (const [file, message] of [
      [join(await temporaryFolder(), 'nothing.har'), /^Cannot check the capture: .*ENOENT.*\n$/],
      [await capture('{}'), /^Cannot check the capture: it is neither a HAR .*\n$/],
    ] as const) {
      const { code, stdout, stderr } = await inProcess(['check', file]).ended;
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(message);
    }
  });

  it('1: findings, even when the reader closes stdout early', async () => {
    const { child, ended } = run(['check', await capture(invalidListing())]);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 1, stderr: '' });
  });

  it('0: --help shows examples and exit codes', async () => {
    const { code, stdout } = await inProcess(['check', '--help']).ended;
    expect(code).toBe(0);
    for (const part of ['Examples:', 'Exit codes:', '--report', '--fail-on', '--min-coverage', '--server'])
      expect(stdout).toContain(part);
  });
});

describe('proxy', () => {
  const started = async (args: string[]) => {
    const process = run(['proxy', '--port', '0', '--json', ...args]);
    const [line] = await process.saw(/^\{.*\}$/m);
    return { ...process, url: (JSON.parse(line) as { url: string }).url };
  };

  it('SIGTERM: it writes the reports, and its exit code reflects the findings', async () => {
    const upstream = await httpServer((_, response) => response.writeHead(203).end());
    const file = join(await temporaryFolder(), 'proxy.xml');
    const proxy = await started(['--sandbox', upstream.origin, '--report', `junit=${file}`]);
    expect((await fetch(`${proxy.url}/rewards/v1/partner/rewards`, { headers: { authorization: 't' } })).status).toBe(
      203,
    );
    proxy.child.kill('SIGTERM');
    const { code, stdout, stderr } = await proxy.ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout.trim().split('\n')[1] ?? '').findings).toMatchObject([
      { code: 'reply.status.undocumented' },
    ]);
    expect(stderr).toMatch(
      /^error reply\.status\.undocumented GET \/rewards\/v1\/partner\/rewards: .* \(at fault: host; stated by the interface \(A9, R6\)\)\n$/,
    );
    expect(readFileSync(file, 'utf8')).toContain('failures="1"');
  });

  it('OP-90: 3: a proxy that forwarded no call reports that nothing was checked', async () => {
    const proxy = await started([]);
    proxy.child.kill('SIGTERM');
    const { code, stderr } = await proxy.ended;
    const message = 'Nothing was checked: the proxy forwarded no call that a contract describes.\n';
    expect({ code, stderr }).toEqual({ code: 3, stderr: message });
  });

  it('3: the port is in use', async () => {
    const { port, origin } = await httpServer((_, response) => response.end());
    const { code, stderr } = await inProcess(['proxy', '--port', port, '--sandbox', origin]).ended;
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 3, lines: 1 });
    expect(stderr).toContain('Choose another with --port.');
  });

  it('2: plain HTTP beyond loopback needs --insecure-http', async () => {
    const { code, stderr } = await inProcess(['proxy', '--host', '0.0.0.0']).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('--insecure-http');
  });
});

describe('npm start', () => {
  /** Returns a free port followed by another free port. */
  const freePort = async (): Promise<number> => {
    const first = await httpServer((_, response) => response.end());
    const second = createServer();
    const free = await new Promise<boolean>((resolve) => {
      second.once('error', () => resolve(false));
      second.listen(Number(first.port) + 1, '127.0.0.1', () => second.close(() => resolve(true)));
    });
    if (!free) return freePort();
    await closeServers();
    return Number(first.port);
  };

  it('starts the proxy alongside an HTTPS sandbox, which is ready when both listen, and stops it', async () => {
    const port = await freePort();
    const data = await temporaryFolder();
    const sandbox = run(['--port', String(port), '--json', '--https', '--data', data]);
    const [line] = await sandbox.saw(/^\{.*\}$/m);
    const { proxy, urls } = JSON.parse(line) as { proxy: string; urls: { sandbox: string } };
    expect(proxy).toBe(`http://127.0.0.1:${port + 1}`);
    expect((await fetch(`${proxy}/__proxy/findings`)).status).toBe(200);
    const dispatcher = new Agent({ connect: { ca: readFileSync(join(data, 'tls-cert.pem'), 'utf8') } });
    expect((await request(`${urls.sandbox}/health`, { dispatcher })).statusCode).toBe(200);
    await dispatcher.destroy();
    expect((await fetch(`${proxy}/sandbox/v1/health`)).status).toBe(200);
    const { exchanges, findings } = (await (await fetch(`${proxy}/__proxy/findings`)).json()) as Record<
      string,
      unknown
    >;
    expect({ exchanges, findings }).toEqual({ exchanges: { checked: 1, outside: 0, unreadable: 0 }, findings: [] });
    sandbox.child.kill('SIGTERM');
    expect((await sandbox.ended).code).toBe(0);
    await expect(fetch(`${proxy}/__proxy/findings`)).rejects.toThrow();
  });

  it('--no-proxy starts no proxy', async () => {
    const port = await freePort();
    const { saw } = inProcess(['--port', String(port), '--no-proxy', '--json', '--data', await temporaryFolder()]);
    const [line] = await saw(/^\{.*\}$/m);
    expect(JSON.parse(line)).not.toHaveProperty('proxy');
  });
});
