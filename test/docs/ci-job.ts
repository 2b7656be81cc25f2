/** Runs the CI jobs from the README and the guide as a runner would. Each step runs in a shell, in a repository that contains a server. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { blocksOf } from '../harness/blocks.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closedPort } from '../harness/http-server.ts';
import { root } from '../harness/sources.ts';
import { copyServer, credentials, type Mistake } from './own-server.ts';

const guide = blocksOf(join(root, 'docs/guides/ci.md'));

/** Returns the only matching block. Throws unless there is exactly one. */
function block(blocks: typeof guide, matches: (block: (typeof guide)[number]) => boolean): string {
  const candidates = blocks.filter(matches);
  if (candidates.length !== 1) throw new Error(`${candidates.length} blocks match`);
  return candidates[0]?.text ?? '';
}
const labelled = (label: string, part: string) =>
  block(guide, ({ marks, text }) => marks.join(' ') === `[${label}]` && text.includes(part));

interface Step {
  readonly if?: string;
  readonly run?: string;
}

/** The steps of each service's job. */
export const jobs: Readonly<Record<string, () => readonly string[]>> = {
  README: () => {
    const steps: Step[] = parse(block(blocksOf(join(root, 'README.md')), ({ language }) => language === 'yaml'));
    return steps.flatMap(({ run = [] }) => run);
  },
  'GitHub Actions': () => {
    const steps: Step[] = parse(labelled('GitHub Actions', 'verdict')).jobs.integration.steps;
    return steps.flatMap(({ run = [] }) => run);
  },
  GitLab: () => [parse(labelled('GitLab', 'certify')).integration.script.join('\n')],
  Jenkins: () => [/sh '''\n([\s\S]*?)'''/.exec(labelled('Jenkins', 'certify'))?.[1] ?? ''],
};

/** The job that runs the journeys, which need no server, and then checks their calls. */
export const journeys: readonly (readonly [service: string, steps: () => readonly string[]])[] = [
  [
    'GitHub Actions',
    () => {
      const steps: Step[] = parse(labelled('GitHub Actions', 'workflows'));
      return [...steps.flatMap(({ if: when, run = [] }) => (when === undefined ? run : [])), checkOfCalls()];
    },
  ],
  ['GitLab', () => [...parse(labelled('GitLab', 'workflows')).journeys.script, checkOfCalls()]],
  [
    'Jenkins',
    () => {
      const steps = [...labelled('Jenkins', 'workflows').matchAll(/sh '([^'\n]+)'/g)];
      return [...steps.map(([, step = '']) => step), checkOfCalls()];
    },
  ],
];

/** Returns the check command in the guide. */
function checkOfCalls(): string {
  const page = readFileSync(join(root, 'docs/guides/ci.md'), 'utf8');
  const [, command = ''] = /`(npx [^`]* check calls\.har)`/.exec(page) ?? [];
  return command;
}

/** A partner's integration test: an order that the vendor rejects, and a payment whose first reply is lost. */
const integrationTest = `
const origin = 'http://127.0.0.1:4010';
const call = async (method, path, body, headers = {}) => {
  const sent = { 'content-type': 'application/json', ...headers };
  const reply = await fetch(origin + path, { method, headers: sent, body: JSON.stringify(body) });
  if (!reply.ok) throw new Error(path + ' was answered ' + reply.status + ': ' + (await reply.text()));
  return reply.json();
};
const control = (method, path, body) => call(method, '/sandbox/v1' + path, body);
const workspace = await (await fetch(origin + '/sandbox/v1/workspace')).json();
const { token } = await call('POST', '/rewards/v1/company/auth', { secret: workspace.credentials.company_secret });
await control('PUT', '/vendor-outcomes/EGV-SPICE-500', { outcome: 'reject', reason: 'Not sold here' });
const line_items = [{ sku: 'EGV-SPICE-500', quantity: 1 }];
await fetch(origin + '/rewards/v1/partner/redeemptiononskus', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: token },
  body: JSON.stringify({ uid: 'CUST0001', line_items }),
});
await control('POST', '/faults', { target: 'creditPoints', fault: 'lost_reply', times: 1 });
await control('POST', '/triggers/payment', { uid: 'CUST0001', transactionId: 'TXN-1' });
await control('POST', '/clock/advance', { seconds: 600 });
`;

/** Returns the runner's programs. None installs anything: `npx` and `npm install` use this checkout. */
function programs(): Readonly<Record<string, string>> {
  const sandbox = `exec "${process.execPath}" "${join(root, 'sandbox/bin.js')}"`;
  const server = `exec "${process.execPath}" server.js`;
  const suite = `exec "${process.execPath}" integration.mjs`;
  return {
    npx: `[ "$1 $2" = '--no-install rewards-sandbox' ] || exit 64; shift 2
case "$1" in --*) set -- "$@" --no-docs --no-proxy ;; esac
${sandbox} "$@"`,
    npm: `case "$*" in
  'install --no-save ./rewards-sandbox-sandbox-0.1.0.tgz' | 'install --no-save ./rewards-sandbox-sandbox-0.1.0.tgz @redocly/cli@'*) [ -f ./rewards-sandbox-sandbox-0.1.0.tgz ] ;;
  'install --prefix '*./rewards-sandbox-sandbox-0.1.0.tgz) mkdir -p "$3/node_modules/.bin" && ln -sfn "${join(root, 'sandbox/bin.js')}" "$3/node_modules/.bin/rewards-sandbox" ;;
  test) ${suite} ;;
  *) exit 64 ;;
esac`,
    dotnet: `case "$1" in run) ${server} ;; test) ${suite} ;; *) exit 64 ;; esac`,
    gradlew: `case "$1" in bootRun) ${server} ;; integrationTest) ${suite} ;; *) exit 64 ;; esac`,
  };
}

/** The result of a job: its exit code, its last step and its output. */
export interface JobResult {
  readonly code: number | null;
  readonly step: string;
  readonly output: string;
}

/** Runs a job in a repository whose server is correct or has one mistake. */
export async function runJob(steps: readonly string[], mistake?: Mistake): Promise<JobResult> {
  const folder = await temporaryFolder();
  await copyServer(folder, mistake);
  const [server = '', sandbox = ''] = await Promise.all([closedPort(), closedPort()]).then((urls) =>
    urls.map((url) => new URL(url).port),
  );
  const withPorts = (text: string) => text.replaceAll(':8080', `:${server}`).replaceAll(':4010', `:${sandbox}`);
  const bin = join(folder, 'bin');
  await mkdir(bin);
  for (const [name, text] of Object.entries(programs())) {
    const file = join(name === 'gradlew' ? folder : bin, name);
    await writeFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  await cp(join(root, 'examples/ci/sandbox.sh'), join(folder, 'ci/sandbox.sh'));
  await writeFile(join(folder, 'rewards-sandbox-sandbox-0.1.0.tgz'), '');
  await writeFile(join(folder, 'integration.mjs'), withPorts(integrationTest));
  await writeFile(join(folder, 'certify.yaml'), withPorts(block(guide, ({ text }) => text.startsWith('client_url:'))));
  await writeFile(join(folder, 'ci.yaml'), withPorts(block(guide, ({ text }) => text.startsWith('# ci.yaml'))));
  const otp = `grep -F "$2" server.log | sed -E 's/.*"text":"([0-9]+).*/\\1/'`;
  await writeFile(join(folder, 'last-otp.sh'), `#!/bin/sh\n${otp}\n`, { mode: 0o755 });
  for (const [number, step] of steps.entries()) await writeFile(join(folder, `step-${number}`), withPorts(step));
  await writeFile(
    join(folder, 'job'),
    steps.map((_, number) => `{ echo ${number} > at; bash --noprofile --norc -e step-${number}; }`).join(' &&\n'),
  );
  const env = {
    ...process.env,
    ...credentials,
    // As the page says, the run waits for a token to expire.
    TOKEN_SECONDS: '20',
    PORT: server,
    TOKEN: credentials.SERVICE_TOKEN,
    CLIENT_SERVICE_TOKEN: credentials.SERVICE_TOKEN,
    REWARDS_SANDBOX_CLIENT_URL: `http://127.0.0.1:${server}`,
    REWARDS_SANDBOX_CLIENT_TOKEN: credentials.SERVICE_TOKEN,
    REWARDS_SANDBOX_PORT: sandbox,
    PATH: [bin, dirname(process.execPath), process.env.PATH].join(delimiter),
  };
  // The job has its own process group, so background processes end with it, as on a runner.
  const child = spawn('bash', ['-c', 'exec > said 2>&1; . ./job'], {
    cwd: folder,
    env,
    detached: true,
    stdio: 'ignore',
  });
  const end = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  };
  onTestFinished(end);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  end();
  const step = steps[Number(await readFile(join(folder, 'at'), 'utf8'))] ?? '';
  return { code, step, output: await readFile(join(folder, 'said'), 'utf8') };
}
