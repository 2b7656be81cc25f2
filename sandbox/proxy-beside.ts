import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What the proxy beside a sandbox is started with. */
export interface Beside {
  /** The program that runs it: Node. */
  readonly execPath: string;
  readonly env: NodeJS.ProcessEnv;
  readonly host: string;
  readonly port: number;
  /** Any address of the sandbox. */
  readonly sandbox: string;
  /** File of the certificate that the sandbox serves. */
  readonly certificate?: string;
}

/**
 * Starts the validation proxy in a process of its own and does not wait for it: the sandbox serves at once. Answers how it is
 * stopped. A proxy that cannot start says so on stderr, and the sandbox goes on without it.
 */
export function proxyBeside({ execPath, env, host, port, sandbox, certificate }: Beside): () => Promise<void> {
  const file = import.meta.url.endsWith('.ts') ? './proxy/cli.ts' : './proxy/cli.js';
  const child = spawn(
    execPath,
    [
      fileURLToPath(new URL(file, import.meta.url)),
      ...['proxy', '--quiet', '--insecure-http', '--host', host, '--port', String(port)],
      ...['--sandbox', new URL(sandbox).origin],
      ...(certificate === undefined ? [] : ['--sandbox-certificate', certificate]),
    ],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], env },
  );
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
