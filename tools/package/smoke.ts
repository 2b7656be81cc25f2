/** A smoke test of an installed package. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Thrown if the package does not work. The message describes the failure in one sentence. */
export class BrokenPackage extends Error {}

/** All commands. The help of each command loads a different part of the package. */
const commands = [
  ...['start', 'check', 'proxy', 'mock', 'workflows', 'certify', 'certificate', 'init', 'export', 'import'],
  ...['completion', 'mcp', 'workspaces'],
];

/**
 * Checks that the package in a folder works. It must print its version and the help of each command, and start a
 * sandbox that serves its API, pages and documentation. The proxy must check a sign-in and a listing. Throws
 * `BrokenPackage` if a check fails.
 *
 * @param folder the folder into which npm installed the package
 * @param env the environment of its commands; its PATH determines which Node runs them
 * @param prism whether Prism is installed; if not, `mock` must fail and the proxy must report that it gives no second
 * opinion
 */
export async function smoke(
  folder: string,
  version: string,
  { env = process.env, prism = true }: { readonly env?: NodeJS.ProcessEnv; readonly prism?: boolean } = {},
): Promise<void> {
  const bin = join(folder, 'node_modules/.bin/rewards-sandbox');
  const { stdout } = await run(bin, ['--version'], { cwd: folder, env });
  if (stdout.trim() !== version) throw new BrokenPackage(`The package says its version is ${stdout.trim()}.`);
  for (const command of commands) await run(bin, [command, '--help'], { cwd: folder, env });
  if (!prism) await saysHowToInstall(bin, { cwd: folder, env });
  await findsWhatIsWrong(bin, { cwd: folder, env });
  const sandbox = await started(bin, ['start', '--data', join(folder, 'data')], { cwd: folder, env });
  try {
    const { urls } = sandbox.announced as { urls: Readonly<Record<string, string>> };
    const { origin } = new URL(urls.sandbox ?? '');
    await answers(origin);
    await offersTools(origin);
    const proxy = await started(bin, ['proxy', '--quiet', '--sandbox', origin], { cwd: folder, env });
    if (/no second opinion/i.test(proxy.said()) === prism)
      throw new BrokenPackage(`The proxy says of its second opinion: ${proxy.said()}`);
    try {
      const { url } = proxy.announced as { url: string };
      await isChecked(url, await received(`${urls.sandbox}/workspace`));
    } finally {
      await proxy.stop();
    }
  } finally {
    await sandbox.stop();
  }
}

/** Checks `mock` without Prism: it must print one line on how to install Prism, and exit with 3. */
async function saysHowToInstall(bin: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const ended = await run(bin, ['mock', 'rewards'], options).catch((error: unknown) => error);
  const { code = 0, stderr = '' } = ended as { readonly code?: number; readonly stderr?: string };
  if (code !== 3 || !/^.* npm install @stoplight\/prism-http@.*\n$/.test(stderr))
    throw new BrokenPackage(`mock without Prism ends with ${code}: ${stderr}`);
}

/**
 * Checks that a recording with different `orderStatus` and `status` produces a finding. The finding must name the
 * violated line of the interface.
 */
async function findsWhatIsWrong(bin: string, options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const headers = [{ name: 'content-type', value: 'application/json' }];
  const status = {
    redeemCode: 'RDM-1',
    status: 'Delivered',
    orderStatus: 'Rejected',
    remark: '',
    projectCode: 'DEMO01',
  };
  const postData = { mimeType: 'application/json', text: JSON.stringify(status) };
  const request = { method: 'POST', url: 'http://127.0.0.1:9/updateRedeemStatus', headers, postData };
  const content = { mimeType: 'application/json', text: JSON.stringify({ success: true, status: 200 }) };
  const recording = join(options.cwd, 'recording.har');
  const entries = [{ request, response: { status: 200, headers, content } }];
  await writeFile(recording, JSON.stringify({ log: { version: '1.2', entries } }));
  const ended = await run(bin, ['check', recording, '--server', 'client=http://127.0.0.1:9'], options).catch(
    (error: unknown) => error,
  );
  const {
    code = 0,
    stdout = '',
    stderr = '',
  } = ended as Partial<Record<'stdout' | 'stderr', string>> & { code?: number };
  if (code !== 1 || !stdout.includes('docs/interface.md:'))
    throw new BrokenPackage(`check of a recording with a violation ends with ${code}: ${stdout}${stderr}`);
}

/** Starts a long-running command. Resolves with the JSON line that the command prints when ready. */
async function started(bin: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
  const child = spawn(bin, [...args, '--port', '0', '--json'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (typeof line !== 'string') throw new BrokenPackage(`${args[0]} ended with ${line} before it was ready: ${said}`);
  const stop = async () => {
    child.kill('SIGINT');
    const [code] = await ended;
    if (code !== 0) throw new BrokenPackage(`${args[0]} ended with ${code}.`);
  };
  return { announced: JSON.parse(line) as unknown, said: () => said, stop };
}

async function answers(origin: string): Promise<void> {
  const expected: readonly [path: string, status: number][] = [
    ['/sandbox/v1/health', 200],
    ['/dashboard/', 200],
    ['/microsite', 200],
    ['/docs/', 200],
    ['/docs/reference/rewards', 200],
    ['/rewards/v1/partner/rewards', 401],
  ];
  for (const [path, status] of expected) {
    const answer = await fetch(origin + path);
    await answer.arrayBuffer();
    if (answer.status !== status) throw new BrokenPackage(`${path} of the package answers ${answer.status}.`);
  }
}

/** Checks that an agent can list tools, which needs the bundled Model Context Protocol SDK. */
async function offersTools(origin: string): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const reply = await received(`${origin}/sandbox/v1/mcp`, { method: 'POST', headers, body });
  const { result } = reply as { readonly result?: { readonly tools: readonly { readonly name: string }[] } };
  if (!result?.tools.some(({ name }) => name === 'getClock'))
    throw new BrokenPackage(`An agent that lists tools is answered ${JSON.stringify(reply)}.`);
}

/**
 * Signs in as a company through the proxy and lists rewards. The proxy must check both exchanges and report no
 * findings.
 */
async function isChecked(proxy: string, workspace: unknown): Promise<void> {
  const { credentials } = workspace as { credentials: { company_secret: string } };
  const api = `${proxy}/rewards/v1`;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ secret: credentials.company_secret });
  const { token } = (await received(`${api}/company/auth`, { method: 'POST', headers, body })) as { token: string };
  const page = (await received(`${api}/partner/rewards?limit=3`, { headers: { Authorization: token } })) as {
    items: unknown[];
  };
  const report = (await received(`${proxy}/__proxy/findings`)) as {
    exchanges: { checked: number };
    totals: { errors: number };
  };
  const found = { items: page.items.length, checked: report.exchanges.checked, errors: report.totals.errors };
  if (JSON.stringify(found) !== '{"items":3,"checked":2,"errors":0}')
    throw new BrokenPackage(`A listing through the proxy came to ${JSON.stringify(found)}.`);
}

async function received(url: string, init: RequestInit = {}): Promise<unknown> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new BrokenPackage(`${url} answers ${answer.status}.`);
  return answer.json();
}
