/**
 * Provides a real PostgreSQL: one per test file from an npm package, or the one named in REWARDS_SANDBOX_TEST_POSTGRES. Each requested
 * database is an empty schema.
 */
import { afterEveryFile } from './lifecycle.ts';
import { newSchema, newServer, type PostgresServer, type StartedPostgres } from './postgres-server.ts';

const started: Promise<StartedPostgres>[] = [];
let shared: Promise<PostgresServer> | undefined;

afterEveryFile(async () => {
  shared = undefined;
  for (const server of started.splice(0)) await (await server).stop();
});

/** Returns a function that creates an empty schema and returns its address. The server starts on a file's first request. */
export function postgres(): () => Promise<string> {
  const named = process.env.REWARDS_SANDBOX_TEST_POSTGRES;
  return async () => {
    if (named) return newSchema(named);
    shared ??= startPostgres();
    return (await shared).schema();
  };
}

/** Returns a function that starts servers. They stop after the file's tests. */
export function postgresServers(): () => Promise<PostgresServer> {
  return startPostgres;
}

function startPostgres(): Promise<StartedPostgres> {
  const server = newServer();
  started.push(server);
  return server;
}
