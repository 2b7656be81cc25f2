/** Tests the files that partners copy to start a sandbox in CI or in a container. The test runs them as documented where possible. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { addFlags } from '../../sandbox/cli/start-options.ts';
import { version } from '../../sandbox/version.ts';
import { ready } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { installPackage } from '../harness/installed-package.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { execute } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';

const examples = join(root, 'examples');
let folder: string;
let installed: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-sandbox-'));
  installed = await installPackage(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The environment of a job, with the Node executable of this run. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` };

/** Runs `sandbox.sh` in a job's folder. */
const script = (cwd: string, ...args: readonly string[]) =>
  execute('sh', [join(examples, 'ci/sandbox.sh'), ...args], { cwd, env });

const status = async (url: string) => (await fetch(`${url}/health`)).status;

it('sandbox.sh: a sandbox runs for the rest of the job, until it is stopped', async () => {
  const job = await temporaryFolder();
  const { code, stdout } = await script(job, 'start', installed, '--port', '0');
  onTestFinished(() => void script(job, 'stop'));
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^REWARDS_SANDBOX_URL=http:\/\/127\.0\.0\.1:\d+\/sandbox\/v1$/m),
  });
  const [, url = ''] =
    /^REWARDS_SANDBOX_URL=(.*)$/m.exec(await readFile(join(job, '.rewards-sandbox/env'), 'utf8')) ?? [];
  expect(await status(url)).toBe(200);
  expect(await script(job, 'stop')).toMatchObject({ code: 0 });
  await expect(status(url)).rejects.toThrow();
});

it("sandbox.sh: the job's calls are checked against the contracts, with reports, and one that breaks a stated rule fails", async () => {
  const job = await temporaryFolder();
  const { stdout } = await script(job, 'start', installed, '--port', '0');
  onTestFinished(async () => {
    await script(job, 'stop');
  });
  const [, origin = ''] = /^REWARDS_SANDBOX_URL=(.*)\/sandbox\/v1$/m.exec(stdout) ?? [];
  const report = (name: string) => readFile(join(job, '.rewards-sandbox', name), 'utf8');
  const findings = async () => JSON.parse(await report('check.sarif')).runs[0].results;
  const headers = { 'Content-Type': 'application/json' };
  const signIn = (body: object) =>
    fetch(`${origin}/rewards/v1/company/auth`, { method: 'POST', headers, body: JSON.stringify(body) });
  await signIn({ secret: 'no secret of this sandbox' });
  expect(await script(job, 'check')).toMatchObject({ code: 0 });
  expect(await findings()).toEqual([]);
  await signIn({ secret: 5 });
  expect(await script(job, 'check', '--source', 'src/server.js')).toMatchObject({ code: 1 });
  expect(await report('check.xml')).toContain('/body/secret must be a string');
  expect(await findings()).toMatchObject([{ level: 'error', ruleId: 'request.body.type' }]);
});

it('sandbox.sh: a server is certified, with reports, and the script exits as certify does', async () => {
  const job = await temporaryFolder();
  await script(job, 'start', installed, '--port', '0');
  onTestFinished(async () => {
    await script(job, 'stop');
  });
  const { origin, credentials } = await testSandbox();
  const flags = ['--client-url', `${origin}/client`, '--customer', 'CUST0001', '--only', 'CRD-01'];
  const token = ['--service-token', credentials.service_token];
  const report = (name: string) => readFile(join(job, '.rewards-sandbox', name), 'utf8');
  expect(await script(job, 'certify', ...flags, ...token, '--allow-partial')).toMatchObject({ code: 0 });
  expect(await report('certify.xml')).toMatch(/<testcase [^>]*CRD-01/);
  expect(await report('certify.html')).toContain('CRD-01');
  // `certify` exits with 5 if the run is partial, and with 3 if it could not begin.
  expect(await script(job, 'certify', ...flags, ...token)).toMatchObject({ code: 5 });
  expect(await script(job, 'certify', ...flags, '--service-token', 'another')).toMatchObject({ code: 3 });
});

it('sandbox.sh: exits with 1 and the message if the sandbox does not start, and with 2 without a command', async () => {
  const job = await temporaryFolder();
  expect(await script(job, 'start', installed, '--port', 'none')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('It must be a whole number from 0 to 65535.'),
  });
  expect(await script(job, 'stop')).toMatchObject({ code: 0, stderr: '' });
  const usage = 'sandbox.sh start PACKAGE [flag...]';
  expect(await script(job)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(usage) });
});

it('the image: two stages from one base, the second as a non-root user, with labels and a volume', async () => {
  const dockerfile = (await readFile(join(examples, 'container/Dockerfile'), 'utf8')).replaceAll(/ \\\n */g, ' ');
  const lines = (instruction: string) =>
    [...dockerfile.matchAll(new RegExp(`^${instruction} (.*)$`, 'gm'))].map(([, rest]) => rest);
  expect(lines('FROM').map((line) => line?.replace('$', ''))).toEqual(['{BASE} AS package', '{BASE}']);
  expect(lines('ARG')).toEqual([
    expect.stringMatching(/^BASE=node:24\.\d+\.\d+-slim@sha256:/),
    `VERSION=${version}`,
    'REVISION=unknown',
  ]);
  expect(lines('USER')).toEqual(['1000:1000']);
  expect(lines('VOLUME')).toEqual(['/data']);
  const labels = [...(lines('LABEL')[0] ?? '').matchAll(/org\.opencontainers\.image\.(\w+)=/g)].map(([, name]) => name);
  expect(labels).toEqual(['title', 'description', 'licenses', 'version', 'revision']);
  // Only the first stage runs npm. The second stage and a start need no network.
  expect(lines('RUN').filter((line) => line?.includes('npm'))).toHaveLength(1);
});

it('the image: its command starts, and its health check detects whether it runs', async () => {
  const dockerfile = (await readFile(join(examples, 'container/Dockerfile'), 'utf8')).replaceAll(/ \\\n */g, ' ');
  const list = (instruction: string): string[] =>
    JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]');
  const check: string[] = JSON.parse(/^HEALTHCHECK .* CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');
  expect(list('ENTRYPOINT')).toEqual(['rewards-sandbox']);
  const flags = list('CMD').map((flag) => (flag === '/data' ? join(folder, 'data') : flag === '4010' ? '0' : flag));
  const { urls } = await ready(flags, {}, join(installed, 'sandbox/bin.js'));
  const healthy = (port: string) => {
    const [tool = '', ...args] = check.map((word) => word.replace('4010', port));
    return spawnSync(tool, args, { env }).status;
  };
  expect(healthy(new URL(urls.sandbox).port)).toBe(0);
  expect(healthy('1')).toBe(1);
});

it('compose and the jobs use only settings of the command', async () => {
  const command = new Command();
  addFlags(command, async () => {});
  const variables = command.options.map(({ envVar }) => envVar);
  // The key has no flag because all users of the machine can see arguments.
  const settings = new Set([...variables, 'REWARDS_SANDBOX_KEY']);
  const { services } = parse(await readFile(join(examples, 'container/compose.yaml'), 'utf8'));
  const own = parse(await readFile(join(examples, 'container/compose.own-server.yaml'), 'utf8'));
  const threeText = await readFile(join(examples, 'container/compose.three.yaml'), 'utf8');
  const three = parse(threeText, { merge: true });
  const gitlab = await readFile(join(examples, 'ci/rewards-sandbox.gitlab-ci.yml'), 'utf8');
  const jenkins = await readFile(join(examples, 'ci/Jenkinsfile'), 'utf8');
  const named = [
    ...Object.keys(services.sandbox.environment),
    ...Object.keys(own.services.sandbox.environment),
    ...Object.keys(three.services['sandbox-1'].environment),
    ...[...gitlab.matchAll(/^ {4}(REWARDS_SANDBOX_\w+):/gm)].map(([, name = '']) => name),
    ...[...jenkins.matchAll(/^ {4}(REWARDS_SANDBOX_\w+) =/gm)].map(([, name = '']) => name),
  ];
  expect(named).toHaveLength(16);
  expect(named.filter((name) => !settings.has(name))).toEqual([]);
});
