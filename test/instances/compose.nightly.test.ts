/**
 * Tests the compose file for three instances. Runs the services' commands and environments over a test PostgreSQL,
 * without starting a container.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { ready } from '../harness/command.ts';
import { freePort, newServer } from '../harness/postgres-server.ts';
import { root } from '../harness/sources.ts';

const admin = 'token-of-the-operator';

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

it('the three instances of the compose file share their workspaces', async () => {
  const text = await readFile(join(root, 'examples/container/compose.three.yaml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
  const sandboxes = Object.entries(services).filter(([name]) => name.startsWith('sandbox'));
  expect(sandboxes.map(([name, { environment }]) => [name, environment.REWARDS_SANDBOX_SHARE])).toEqual(
    ['sandbox-1', 'sandbox-2', 'sandbox-3'].map((name) => [name, `${name}:4020`]),
  );
  const database = await newServer();
  onTestFinished(database.stop);
  const store = await database.schema();
  const instances = await Promise.all(sandboxes.map((one) => start(one, store)));
  const headers = { authorization: `Bearer ${admin}` };
  const read = async (port: number) =>
    (await fetch(`http://127.0.0.1:${port}/sandbox/v1/workspace`, { headers })).json();
  const [first, ...others] = await Promise.all(instances.map(read));
  expect(first).toMatchObject({
    id: expect.any(String),
    // The load balancer's URL.
    urls: { rewards: expect.stringMatching(/^http:\/\/localhost:4010\//) },
  });
  expect(others).toEqual([first, first]);
});

/** Starts a service's command on its own port, with local addresses. Returns the port. */
async function start([, { command, environment }]: [string, Service], store: string): Promise<number> {
  const port = await freePort();
  const flags = command.map((flag) => (flag === '4010' ? String(port) : flag));
  await ready(flags, {
    ...environment,
    REWARDS_SANDBOX_ADMIN_TOKEN: admin,
    REWARDS_SANDBOX_KEY: Buffer.alloc(32, 9).toString('hex'),
    REWARDS_SANDBOX_SHARE: `127.0.0.1:${await freePort()}`,
    REWARDS_SANDBOX_STORE: store,
  });
  return port;
}
