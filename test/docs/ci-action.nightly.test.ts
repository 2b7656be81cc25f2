/**
 * Tests the GitHub action, the GitLab template and the dev container. Parses their files, and runs their steps as the service would.
 */
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { temporaryFolder } from '../harness/folders.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { execute } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';

const action = parse(await readFile(join(root, 'action.yml'), 'utf8'));
const [step, ...others] = action.runs.steps;

/** Returns a runner's PATH, on which npm links this checkout instead of installing a package. */
async function runner(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const binFolder = '"$3/node_modules/.bin"';
  const link = `mkdir -p ${binFolder} && ln -sfn "${join(root, 'sandbox/bin.js')}" ${binFolder}/rewards-sandbox`;
  await writeFile(join(bin, 'npm'), `#!/bin/sh\n[ "$1 $2" = 'install --prefix' ] || exit 64\n${link}\n`);
  await chmod(join(bin, 'npm'), 0o755);
  return [bin, dirname(process.execPath), process.env.PATH].join(delimiter);
}

/** Runs a script in bash, as a job's step would. */
const bash = (script: string, cwd: string, env: NodeJS.ProcessEnv) =>
  execute('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], { cwd, env });

/** Sets up a GitHub job that runs the action's step with inputs and reads the runner's files. */
async function job() {
  const folder = await temporaryFolder();
  const PATH = await runner(folder);
  const names = ['GITHUB_ENV', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'] as const;
  const files = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
  for (const file of Object.values(files)) await writeFile(file, '');
  const expressions: Record<string, string> = { 'github.action_path': root, 'runner.temp': folder };
  onTestFinished(() => {
    const env = { ...process.env, PATH, REWARDS_SANDBOX_DIR: join(folder, 'rewards-sandbox') };
    spawnSync('sh', [join(root, 'examples/ci/sandbox.sh'), 'stop'], { cwd: folder, env });
  });
  return {
    run(inputs: Readonly<Record<string, string>>, actionPath = root) {
      const inputValues = Object.entries(action.inputs as Record<string, { default: string }>).map(
        ([name, { default: standard }]) => [`inputs.${name}`, inputs[name] ?? standard],
      );
      const values = { ...expressions, 'github.action_path': actionPath, ...Object.fromEntries(inputValues) };
      const variables = Object.entries(step.env as Record<string, string>).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => values[expression] ?? 'unknown expression'),
      ]);
      return bash(step.run, folder, { ...process.env, PATH, ...files, ...Object.fromEntries(variables) });
    },
    folder,
    read: (name: (typeof names)[number]) => readFile(files[name] ?? '', 'utf8'),
  };
}

it('the action is composite, with one step in bash that gets its inputs by its environment only', () => {
  expect(action.runs.using).toBe('composite');
  expect([step.shell, others]).toEqual(['bash', []]);
  expect(step.run).not.toContain('${{');
  const used = [...JSON.stringify(step.env).matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
  expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
  const outputs = Object.values(action.outputs as Record<string, { value: string }>).map(({ value }) => value);
  expect(outputs).toEqual(['url', 'junit', 'sarif'].map((name) => `\${{ steps.${step.id}.outputs.${name} }}`));
});

it('the action starts a sandbox for later steps, then checks and certifies: both reports, and the failures in the summary', async () => {
  const { run, read, folder } = await job();
  expect(await run({ package: './package.tgz', 'start-flags': '--port 0 --seed job' })).toMatchObject({ code: 0 });
  const [, url = ''] = /^url=(.*)\n$/.exec(await read('GITHUB_OUTPUT')) ?? [];
  const own = join(folder, 'rewards-sandbox');
  expect(await read('GITHUB_ENV')).toBe(`REWARDS_SANDBOX_URL=${url}\nREWARDS_SANDBOX_DIR=${own}\n`);
  expect(await read('GITHUB_STEP_SUMMARY')).toBe('');
  const headers = { 'Content-Type': 'application/json' };
  for (const body of ['{"secret":5}', '{"secret":"no secret of this sandbox"}'])
    await fetch(url.replace('/sandbox/v1', '/rewards/v1/company/auth'), { method: 'POST', headers, body });
  const { origin, credentials } = await testSandbox();
  const server = `--client-url ${origin}/client --customer CUST0001 --service-token ${credentials.service_token}`;
  const certify = `${server} --only CRD-01 --allow-partial`;
  expect(await run({ run: 'check certify', 'certify-flags': certify })).toMatchObject({ code: 1 });
  expect(await read('GITHUB_OUTPUT')).toContain(`junit=${own}/*.xml\nsarif=${own}/check.sarif\n`);
  expect(await readFile(join(own, 'check.xml'), 'utf8')).toContain('/body/secret must be a string');
  expect(await readFile(join(own, 'certify.xml'), 'utf8')).toMatch(/<testcase [^>]*CRD-01/);
  const summary = (await read('GITHUB_STEP_SUMMARY')).replace(/of \d+ mandatory/, 'of N mandatory');
  expect(summary).toBe(`## Rewards sandbox

### Messages: 1 error and 0 warnings in 2 calls

- \`companyAuth\`: \`/body/secret\` \`must be a string\`, found \`number (masked)\` (request.body.type, at fault: caller)

### Every workspace

- \`Calls: 2 in 1 workspace.\`
- \`Messages: 1 finding.\`
- \` demo, entry 1: error request.body.type POST /rewards/v1/company/auth: /body/secret must be a string, found number (masked) (at fault: caller; stated A1)\`
- \`Points: 0 mismatches.\`
- \`Verdict: failed (messages).\`

### Certification: partial, 1 of N mandatory requirements judged

`);
  expect(await run({ run: 'stop' })).toMatchObject({ code: 0 });
  await expect(fetch(url)).rejects.toThrow();
});

it('the action says which input is missing or unknown', async () => {
  const { run } = await job();
  expect(await run({})).toMatchObject({
    code: 2,
    stdout: "::error::Set the input 'package' to a tarball or an address.\n",
  });
  const unknown = "::error::'chek' is none of start, check, certify and stop.\n";
  expect(await run({ run: 'chek' })).toMatchObject({ code: 2, stdout: unknown });
});

it('copied into a repository, the action finds the script next to it', async () => {
  const { run, read } = await job();
  const copy = await temporaryFolder();
  await cp(join(root, 'examples/ci/sandbox.sh'), join(copy, 'sandbox.sh'));
  expect(await run({ package: './package.tgz', 'start-flags': '--port 0' }, copy)).toMatchObject({ code: 0 });
  expect(await read('GITHUB_OUTPUT')).toMatch(/^url=http/);
});

it('the template for GitLab: its script runs with the inputs of the file that includes it', async () => {
  const text = await readFile(join(root, 'examples/ci/rewards-sandbox.gitlab-ci.yml'), 'utf8');
  const [header, ...jobs] = parseAllDocuments(text).map((document) => document.toJS());
  expect(jobs).toHaveLength(1);
  const { include } = parse(await readFile(join(root, 'examples/ci/gitlab-ci.yml'), 'utf8'));
  const declaredInputs: Record<string, { default?: string }> = header.spec.inputs;
  expect(Object.keys(include[0].inputs).filter((name) => !(name in declaredInputs))).toEqual([]);
  const { origin, credentials } = await testSandbox();
  const inputs: Record<string, string> = {
    ...include[0].inputs,
    script: join(root, 'examples/ci/sandbox.sh'),
    start: 'echo started > server.log &',
    test: `curl -s -d '{"secret":"none"}' -H 'Content-Type: application/json' "\${REWARDS_SANDBOX_URL%/sandbox/v1}/rewards/v1/company/auth"`,
    certify: `--client-url ${origin}/client --customer CUST0001 --only CRD-01 --allow-partial`,
  };
  const fill = (line: string) =>
    line.replaceAll(
      /\$\[\[ inputs\.([\w-]+) \]\]/g,
      (_, name: string) => inputs[name] ?? declaredInputs[name]?.default ?? 'none',
    );
  interface Job {
    readonly script: readonly string[];
    readonly after_script: readonly string[];
  }
  const [[name, template] = ['', { script: [], after_script: [] }]] = Object.entries(jobs[0] as Record<string, Job>);
  expect(fill(name)).toBe('integration');
  const folder = await temporaryFolder();
  const env = {
    ...process.env,
    PATH: await runner(folder),
    REWARDS_SANDBOX: './package.tgz',
    REWARDS_SANDBOX_PORT: '0',
    REWARDS_SANDBOX_CLIENT_TOKEN: credentials.service_token,
    REWARDS_SANDBOX_CLIENT_URL: `${origin}/client`,
  };
  const script = template.script.map(fill).join('\n');
  const outcome = await bash(script, folder, env);
  const after = await bash(template.after_script.map(fill).join('\n'), folder, env);
  expect(outcome).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Points: 0 mismatches.\nVerdict: passed.'),
  });
  expect(after).toMatchObject({ code: 0, stdout: expect.stringContaining('### Certification: partial, 1 of ') });
});

it('the dev container has a Node that Prism needs, runs scripts that exist, and forwards the default ports', async () => {
  const container = JSON.parse(await readFile(join(root, '.devcontainer/devcontainer.json'), 'utf8'));
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect(container.image).toMatch(/^node:24\./);
  expect(container.postCreateCommand).toBe('npm ci');
  expect([container.postAttachCommand, typeof scripts.start]).toEqual(['npm start', 'string']);
  expect(container.forwardPorts).toEqual([4010, 4011]);
  expect(Object.keys(container.portsAttributes)).toEqual(['4010', '4011']);
});
