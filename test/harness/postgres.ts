/**
 * A real PostgreSQL: a test file's own, from an npm package, or the one that REWARDS_SANDBOX_TEST_POSTGRES names. Each
 * database that is asked for is an empty schema.
 */
import { afterAll } from 'vitest';
import { newSchema, newServer, type PostgresServer, type StartedPostgres } from './postgres-server.ts';

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

/** Starts servers that are gone after the tests of this file. To be called outside of tests, what it returns anywhere. */
export function postgresServers(): () => Promise<PostgresServer> {
  const started: Promise<StartedPostgres>[] = [];
  afterAll(async () => {
    for (const server of started) await (await server).stop();
  });
  return () => {
    const server = newServer();
    started.push(server);
    return server;
  };
}
