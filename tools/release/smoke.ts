import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { NotReleasable } from './version.ts';

const run = promisify(execFile);

/** Commands whose help is asked for: each loads another part of the package. */
const commands = [
  ...['start', 'check', 'proxy', 'mock', 'workflows', 'certify', 'certificate', 'init', 'export', 'import'],
  ...['completion', 'mcp', 'workspaces'],
];

/**
 * Whether the package in a folder works: it says its version, each command has help, and a sandbox starts, answers,
 * has its pages and documentation, and stops. Throws NotReleasable where one of these does not hold.
 */
export async function smoke(folder: string, version: string): Promise<void> {
  const bin = join(folder, 'node_modules/.bin/rewards-sandbox');
  const { stdout } = await run(bin, ['--version'], { cwd: folder });
  if (stdout.trim() !== version) throw new NotReleasable(`The package says that it is ${stdout.trim()}.`);
  for (const command of commands) await run(bin, [command, '--help'], { cwd: folder });
  const sandbox = spawn(bin, ['--port', '0', '--json', '--data', join(folder, 'data')], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(sandbox, 'exit');
  try {
    const ready = once(createInterface(sandbox.stdout), 'line');
    const first = await Promise.race([ready, ended]);
    if (typeof first[0] !== 'string') throw new NotReleasable('The sandbox of the package does not start.');
    await answers(JSON.parse(first[0]));
  } finally {
    sandbox.kill('SIGINT');
    await ended;
  }
}

async function answers({ urls }: { urls: Readonly<Record<string, string>> }): Promise<void> {
  const { origin } = new URL(urls.sandbox ?? '');
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
    if (answer.status !== status) throw new NotReleasable(`${path} of the package answers ${answer.status}.`);
  }
}
