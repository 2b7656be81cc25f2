/**
 * The composition root: the one place where store, clock, randomness, parties and HTTP are put together. A test suite can
 * embed a whole sandbox with `startSandbox({ port: 0 })`.
 */
import { makeApplication } from './application.ts';
import { type Books, booksSpec } from './books.ts';
import { type Certificate, type CertificateFiles, givenCertificate, ownCertificate } from './certificate.ts';
import { Directory } from './client/directory.ts';
import type { Violation, Watch } from './contract/api.ts';
import type { LoadedContract } from './contract/schemas.ts';
import { makeControl } from './control-room.ts';
import { allowedOf, type CallOptions, givenSettings } from './given.ts';
import { standingFaults } from './magic/standing-faults.ts';
import { loadContracts, makeMounts } from './mounts.ts';
import { makeParties } from './parties.ts';
import type { ClockMode } from './runtime/clock.ts';
import { type Resolve, systemResolve } from './runtime/connecting.ts';
import { Faults } from './runtime/faults.ts';
import { Feed } from './runtime/feed.ts';
import type { OutgoingLimits } from './runtime/outgoing.ts';
import { type Delay, delayBy, realTimer, type Timer } from './runtime/timer.ts';
import { Waiting } from './runtime/waiting.ts';
import { seedMagic, seedWorkspace, startOf } from './seed.ts';
import { listen } from './server.ts';
import { openLowdbStore } from './store/lowdb.ts';
import { openMemoryStore } from './store/memory.ts';
import { type Store, StoreError } from './store/store.ts';
import { version } from './version.ts';
import { project, type Workspace } from './workspace.ts';

export { version };

export interface SandboxOptions extends CallOptions {
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
  /** Real time for callers who wait; the machine's where nothing else is said. */
  readonly timer?: Timer;
  readonly outgoing?: Partial<OutgoingLimits>;
  /** Serve https, with a certificate of the sandbox's own for localhost or with the one in the files (OP-32). */
  readonly https?: true | CertificateFiles;
  /** Finds the IP addresses of a name that is to be called; left out, the machine's resolver. */
  readonly resolve?: Resolve;
  /** Waits real milliseconds where a fault makes a call slow; the machine's timer where nothing else is said. */
  readonly delay?: Delay;
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

/**
 * Starts a sandbox. Rejects with `OptionError` when an option cannot be, `CertificateError` when the certificate
 *  cannot, `StoreError` when the data cannot be opened, or the
 * system's error when it cannot listen.
 */
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
  const contracts = loadContracts();
  const given = givenSettings(options, contracts.sandbox.schemas.check('/components/schemas/SettingsChange'));
  const stored = store.get('meta', 'workspace');
  const meta = startOf(stored, { ...options, given }, realTime(), warn);
  const tls = await certificateOf(options, realTime());
  let origin = '';
  const parties = makeParties(store, {
    meta,
    realTime,
    origin: () => origin,
    outgoing: options.outgoing ?? {},
    allowedAddresses: allowedOf(options),
    resolve: options.resolve ?? systemResolve,
    certificate: tls?.cert,
    clientContracts: [contracts.client, contracts.v2Client],
    warn,
  });
  const directory = new Directory(parties.client, project, meta.seed);
  const seed = () => seedWorkspace(store, parties, directory, meta, given);
  if (stored === undefined) await seed();
  else {
    await store.transact((tx) => {
      tx.put('meta', 'workspace', meta);
      seedMagic(tx, directory);
    });
  }

  const { platform, client, workspace, random, activity, runner, outgoing, itself } = parties;
  const timer = options.timer ?? realTimer;
  const waiting = new Waiting(store, timer);
  const feed = new Feed(store, timer);
  const served = Object.values<LoadedContract>({ ...contracts }).filter(({ api }) => api !== 'sandbox');
  const faults = new Faults({
    store,
    activity,
    seed: meta.seed,
    delay: options.delay ?? delayBy(realTimer),
    targets: new Set(served.flatMap(({ operations }) => operations.map(({ operationId }) => operationId))),
    standing: standingFaults,
    warn,
  });
  const reset = () => {
    for (const calls of [outgoing, itself]) calls.forget();
    return seed();
  };
  const control = makeControl(store, parties, { version, customers: directory, waiting, feed, faults, reset });
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
    tls,
  );
  origin = `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${server.port}`;
  runner.start();
  return {
    origin,
    workspace: workspace.shown(),
    companyToken: () => platform.companyTokens.sign(project.projectCode, random.hex(8), 3600),
    async close() {
      waiting.stop();
      feed.stop();
      faults.stop();
      await runner.stop();
      await server.drain();
      await server.close();
      await Promise.all([outgoing.close(), itself.close()]);
      await store.close();
    },
  };
}

function certificateOf({ https, dataDir }: SandboxOptions, now: number): Promise<Certificate | undefined> {
  if (https === undefined) return Promise.resolve(undefined);
  return https === true ? ownCertificate(dataDir, now) : givenCertificate(https, now);
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
