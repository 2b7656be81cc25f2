/**
 * Replaces each sandbox of a test with three instances that share a database, and sends each call to the next instance.
 * `vitest.instances.config.ts` loads this file before the test files.
 */
import { vi } from 'vitest';
import type { Sandbox, SandboxOptions } from '../../sandbox/sandbox.ts';
import { postgres } from '../harness/postgres.ts';

const database = postgres();
const usualKey = new Uint8Array(32).fill(7);
/** The origins of all instances, keyed by the origin that the test calls. */
const groups = new Map<string, readonly string[]>();
/** Databases, keyed by the test's data folder. */
const databases = new Map<string, Promise<string>>();
let next = 0;

const plain = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const request = input instanceof Request ? input : undefined;
  const url = new URL(request?.url ?? String(input));
  const group = groups.get(url.origin);
  if (group === undefined) return plain(input, init);
  next += 1;
  const there = `${group[next % group.length]}${url.pathname}${url.search}`;
  return request === undefined ? plain(there, init) : plain(new Request(there, request), init);
};

vi.mock('../../sandbox/sandbox.ts', async (load) => {
  const actual = await load<typeof import('../../sandbox/sandbox.ts')>();
  const startSandbox = async ({ dataDir, files: _, ...options }: SandboxOptions = {}): Promise<Sandbox> => {
    const store = options.store ?? (await databaseOf(dataDir));
    const shared = { key: usualKey, ...options, store, share: { port: 0 } };
    const first = await actual.startSandbox(shared);
    const others = [
      await actual.startSandbox({ ...shared, port: 0 }),
      await actual.startSandbox({ ...shared, port: 0 }),
    ];
    const all = [first, ...others];
    for (const { origin } of all)
      groups.set(
        origin,
        all.map((each) => each.origin),
      );
    const close = async () => {
      for (const { origin } of all) groups.delete(origin);
      await Promise.all(all.map((each) => each.close()));
    };
    return { ...first, close };
  };
  return { ...actual, startSandbox };
});

function databaseOf(dataDir: string | undefined): Promise<string> {
  if (dataDir === undefined) return database();
  const existing = databases.get(dataDir) ?? database();
  databases.set(dataDir, existing);
  return existing;
}
