/**
 * A real PostgreSQL: a test file's own, from an npm package, or the one that REWARDS_SANDBOX_TEST_POSTGRES names. Each
 * requested database is an empty schema.
 */
import { afterEveryFile } from './lifecycle.ts';
import { newSchema, newServer, type PostgresServer, type StartedPostgres } from './postgres-server.ts';

const started: Promise<StartedPostgres>[] = [];
let shared: Promise<PostgresServer> | undefined;

afterEveryFile(async () => {
  shared = undefined;
  for (const server of started.splice(0)) await (await server).stop();
});

/** The address of a new, empty schema on a server that starts on a file's first request. */
export function postgres(): () => Promise<string> {
  const named = process.env.REWARDS_SANDBOX_TEST_POSTGRES;
  return async () => {
    if (named) return newSchema(named);
    shared ??= startPostgres();
    return (await shared).schema();
  };
}

/** Starts servers that are stopped after the tests of the file. */
export function postgresServers(): () => Promise<PostgresServer> {
  return startPostgres;
}

function startPostgres(): Promise<StartedPostgres> {
  const server = newServer();
  started.push(server);
  return server;
}
