/**
 * The composition root: the one place where store, clock, randomness, parties and HTTP are put together. A test suite can
 * embed a whole sandbox with `startSandbox({ port: 0 })`.
 */
import { makeApplication, makeMounts } from './application.ts';
import { type Books, booksSpec } from './books.ts';
import { Directory } from './client/directory.ts';
import type { Violation, Watch } from './contract/api.ts';
import { loadContract } from './contract/schemas.ts';
import { standingFaults } from './magic/standing-faults.ts';
import { makeControl } from './make-control.ts';
import { makeParties } from './parties.ts';
import type { ClockMode } from './runtime/clock.ts';
import { Faults, type Timer } from './runtime/faults.ts';
import type { OutgoingLimits } from './runtime/outgoing.ts';
import { seedMagic, seedWorkspace, startOf } from './seed.ts';
import { listen } from './server.ts';
import { openLowdbStore } from './store/lowdb.ts';
import { openMemoryStore } from './store/memory.ts';
import { type Store, StoreError } from './store/store.ts';
import { realTimer } from './timer.ts';
import { project, type Workspace } from './workspace.ts';

export const version = '0.1.0';

export interface SandboxOptions {
  /** 0 for any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where to keep the data; left out, a sandbox forgets everything when it ends. */
  readonly dataDir?: string;
  /** 32 bytes that encrypt the data at rest (OP-33). */
  readonly key?: Uint8Array;
  /** Decides what the demo workspace looks like, and all codes and secrets. Kept with the data. */
  readonly seed?: string;
  readonly clock?: ClockMode;
  /** The machine's time in milliseconds. */
  readonly realTime?: () => number;
  readonly outgoing?: Partial<OutgoingLimits>;
  /** Waits real milliseconds where a fault makes a call slow. */
  readonly timer?: Timer;
  /** Is told of a reply that breaks the contract; the caller gets a 500. */
  readonly onViolation?: (violation: Violation) => void;
  /** Is told what an operator should know. */
  readonly warn?: (message: string) => void;
}

export interface Sandbox {
  readonly origin: string;
  /** Addresses, credentials and settings, as `GET /sandbox/v1/workspace` shows them. */
  readonly workspace: ReturnType<Workspace['shown']>;
  /** A company token for a first call. */
  companyToken(): Promise<string>;
  /** Lets what is under way end, stores everything and stops. */
  close(): Promise<void>;
}

/** Starts a sandbox. Rejects with `StoreError` when the data cannot be opened, or the system's error when it cannot listen. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const warn = options.warn ?? ((message: string) => console.error(message));
  const store = await openStore(options, warn);
  try {
    return await assemble(store, options, warn);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function openStore({ dataDir, key }: SandboxOptions, warn: (message: string) => void): Promise<Store<Books>> {
  if (dataDir === undefined) return Promise.resolve(openMemoryStore(booksSpec, warn));
  return openLowdbStore({ dir: dataDir, spec: booksSpec, key, warn });
}

async function assemble(
  store: Store<Books>,
  options: SandboxOptions,
  warn: (message: string) => void,
): Promise<Sandbox> {
  const realTime = options.realTime ?? Date.now;
  const stored = store.get('meta', 'workspace');
  const meta = startOf(stored, options, realTime(), warn);
  const contracts = {
    rewards: loadContract('rewards'),
    client: loadContract('client'),
    auth: loadContract('auth'),
    sandbox: loadContract('sandbox'),
  };
  let origin = '';
  const parties = makeParties(store, {
    meta,
    realTime,
    origin: () => origin,
    outgoing: options.outgoing ?? {},
    clientContract: contracts.client,
    warn,
  });
  const directory = new Directory(parties.client, project, meta.seed);
  const seed = () => seedWorkspace(store, parties, directory, meta);
  if (stored === undefined) await seed();
  else {
    await store.transact((tx) => {
      tx.put('meta', 'workspace', meta);
      seedMagic(tx, directory);
    });
  }

  const { platform, client, workspace, random, activity, runner, outgoing } = parties;
  const { rewards, client: points, auth } = contracts;
  const targets = [rewards, points, auth].flatMap(({ operations }) => operations.map(({ operationId }) => operationId));
  const timer = options.timer ?? realTimer;
  const faults = new Faults({
    store,
    activity,
    seed: meta.seed,
    timer,
    targets: new Set(targets),
    standing: standingFaults,
    warn,
  });
  const control = makeControl(parties, { version, store, customers: directory, faults, reset: seed });
  const watch = watching(options, warn);
  const mounts = makeMounts(contracts, { platform, client, control }, watch, faults);
  const app = makeApplication(mounts, random, activity, watch);
  const host = options.host ?? '127.0.0.1';
  const server = await listen(
    {
      handle: app.callback(),
      internal: (path) => path.startsWith('/client/'),
      newTrace: () => random.hex(16),
    },
    host,
    options.port ?? 4010,
  );
  origin = `http://${urlHost(host)}:${server.port}`;
  runner.start();
  return {
    origin,
    workspace: workspace.shown(),
    companyToken: () => platform.companyTokens.sign(project.projectCode, random.hex(8), 3600),
    async close() {
      faults.stop();
      await runner.stop();
      await server.drain();
      await server.close();
      await outgoing.close();
      await store.close();
    },
  };
}

function watching(options: SandboxOptions, warn: (message: string) => void): Watch {
  return {
    violation: options.onViolation ?? ((found) => warn(`A reply breaks its contract: ${JSON.stringify(found)}`)),
    error(error, operationId) {
      warn(`${operationId} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return error instanceof StoreError ? 'unavailable' : 'internal_error';
    },
  };
}

/** How a host is written in a URL; an address that means every interface is reached on this machine's own. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
