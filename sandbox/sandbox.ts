/**
 * The composition root, which connects store, clock, randomness, parties and HTTP. A test suite can embed a whole
 * sandbox with `startSandbox({ port: 0 })`.
 */

import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { newestAt } from './activity-log/stored-log.ts';
import { loadApis, mountApis, servedApis } from './assembly/apis.ts';
import type { CertifyOptions } from './assembly/certification-run.ts';
import { project, type WorkspaceSettings } from './assembly/settings.ts';
import type { Turns } from './certification/partner.ts';
import { CertificationQueue, type RunCertification } from './certification/queue.ts';
import type { StartPlatform } from './certification/run-connections.ts';
import type { Report as CertificationReport } from './certification/verdict.ts';
import type { Project } from './client/profiles.ts';
import type { DatabaseOptions, OpenedDatabase, SharingOptions } from './cluster/open.ts';
import { answersProblems } from './conformance/answers.ts';
import { loadContract } from './contract/schemas.ts';
import { arrivalOfCallers } from './http/arrival.ts';
import { FairQueue } from './http/fair-queue.ts';
import { type HttpServer, listen } from './http/listen.ts';
import { pipeline } from './http/pipeline.ts';
import { boundaryOf, certificateFor, forwardedServing, machineAddresses, serveSandbox } from './http/sandbox-server.ts';
import { type Connector, type Resolve, systemResolve } from './http-client/connecting.ts';
import { beginWatching, type Watched, watchFor } from './operator/watched.ts';
import {
  allowedOf,
  givenSettings,
  hostsOf,
  isReachedByOthers,
  limitsOf,
  OptionError,
  publicOriginOf,
  startOptions,
} from './options.ts';
import { once } from './runtime/caches.ts';
import { urlHost } from './runtime/caller.ts';
import { delayBy, realTimer } from './runtime/clock.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { ByteBudget } from './store/byte-budget.ts';
import { version } from './version.ts';
import { addDemo, openDemo } from './workspaces/open-demo.ts';
import { ProcessMemory } from './workspaces/process-memory.ts';
import { newAdminToken, newRoot, Workspaces } from './workspaces/registry.ts';
import { startOf } from './workspaces/seed.ts';
import { localStorage } from './workspaces/storage.ts';
import type { Workspace } from './workspaces/workspace.ts';

export { type CertificationReport, type CertifyOptions, type SandboxOptions, version };

/** Maximum time that a stop waits, in milliseconds. All outgoing calls have ended by then (OP-24). */
const longestStop = 8_000;

export interface Sandbox {
  readonly origin: string;
  /** The address of `/healthz`, `/readyz` and `/metrics`; `undefined` if they are not enabled. */
  readonly operations: string | undefined;
  /** Addresses, credentials and settings in the format of `GET /sandbox/v1/workspace`. */
  readonly workspace: ReturnType<WorkspaceSettings['describe']>;
  /** Signs a company token for a first call. */
  companyToken(): Promise<string>;
  /** Completes the calls in progress, stores everything and stops. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox. Rejects with `OptionError` for an invalid option, and `CertificateError` for an invalid
 * certificate. Rejects with `StoreError` if the data cannot be opened, or with the system's error if it cannot listen.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const opened: (() => unknown)[] = [];
  try {
    return await assemble(options, opened);
  } catch (error) {
    for (const close of opened.toReversed()) await close();
    throw error;
  }
}

/** Opens the storage: a folder, memory, or a database that can be shared with other instances. */
async function openStorage(
  place: SandboxOptions & Omit<DatabaseOptions, 'url'> & Pick<SharingOptions, 'mostLoaded'>,
): Promise<OpenedDatabase> {
  const { share, store: url, key, mostLoaded, idleMilliseconds } = place;
  if (share !== undefined && (url === undefined || key === undefined))
    throw new OptionError('--share requires --store and its key.');
  if (url === undefined) return { storage: localStorage(place) };
  const { openDatabase } = await import('./cluster/open.ts');
  return openDatabase({ ...place, url }, share && { share, listen, mostLoaded, idleMilliseconds });
}

/**
 * Certifies a client server by calling it as the platform and the microsite. Resolves with a report, regardless of the
 * server's behaviour. Rejects with `OptionError` for invalid input, and with `EnvironmentError` if the sandbox that
 * supplies the codes is unreachable.
 */
export async function certify(options: CertifyOptions, network: CertifyNetwork = {}): Promise<CertificationReport> {
  // The import loads the validator, which nothing else in this file needs.
  const { runCertification } = await import('./assembly/certification-run.ts');
  const unique = `${Date.now().toString(36)}${newRoot().slice(0, 8)}`.toUpperCase();
  const { connect, resolve, turns } = network;
  const startPlatform = journeyPlatform(resolve === undefined ? {} : { resolve });
  return runCertification(options, { now: Date.now, unique, startPlatform, connect, turns });
}

/** The network access of a certification. Default: the machine's. */
export interface CertifyNetwork {
  readonly connect?: Connector;
  readonly resolve?: Resolve;
  /** The lock on a shared processor. */
  readonly turns?: Turns;
}

/**
 * Maximum time that a journey's sandbox waits for calls to the server when it stops, in milliseconds. It is short, so
 * that an interrupted run ends soon.
 */
const longestJourneyStop = 1_000;

/**
 * Returns a function that starts the sandbox for the journeys of a certification: on a free loopback port, in memory,
 * with a frozen clock. Apart from public addresses, it calls only the addresses of the certified server.
 */
export function journeyPlatform(options: Pick<SandboxOptions, 'resolve' | 'onViolation' | 'warn'> = {}): StartPlatform {
  const { resolve = systemResolve } = options;
  return async ({ clientUrl, projectCode, timeoutMs }) => {
    const host = new URL(clientUrl).hostname.replace(/^\[|\]$/g, '');
    const found = isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host];
    const sandbox = await startSandbox({
      ...options,
      port: 0,
      clock: 'frozen',
      projectCode,
      stopMilliseconds: longestJourneyStop,
      allowedAddresses: found.map((address) => `${address}/${isIP(address) === 6 ? 128 : 32}`),
      outgoing: { totalTimeout: timeoutMs },
    });
    return { origin: sandbox.origin, adminToken: sandbox.workspace.admin_token, close: () => sandbox.close() };
  };
}

/** @param opened receives functions that close the opened parts if the start fails */
async function assemble(options: SandboxOptions, opened: (() => unknown)[]): Promise<Sandbox> {
  const { host = startOptions.host.default, port = startOptions.port.default, proxyPort, timer = realTimer } = options;
  const warn = options.warn ?? ((message: string) => console.error(message));
  const now = () => performance.now();
  const at = { ...options, host };
  const watched = await beginWatching({ ...options, allowedHosts: hostsOf(options) }, now, newRoot, warn);
  opened.push(() => watched.operations?.close());
  const { maxBytes, mostLoaded, ...limits } = limitsOf(options);
  const memory = new ProcessMemory(options.memoryBytes);
  const newBudget = (bytes = maxBytes) => new ByteBudget(bytes, 'store', memory.total);
  const self = { address: `${urlHost(host)}:${port}`, now, machineTime: Date.now };
  const place = { ...options, ...self, warn, mostLoaded, observer: watched.commits, newBudget };
  const { storage, cluster } = await openStorage(place);
  opened.push(() => storage.close());
  const found = await openDemo(storage, timer, warn, cluster?.records);
  const { store, calls, isOwn } = found;
  opened.push(
    () => store.close(),
    () => calls?.close(),
  );
  const realTime = options.realTime ?? storage.time ?? Date.now;
  const watch = watchFor(options, warn);
  const apis = mountApis(loadApis(), servedApis, watch);
  let listening: number | undefined;
  const own = { port: () => listening ?? (port || undefined), proxyPort, addresses: machineAddresses };
  const allowed = allowedOf(options, host);
  const check = loadContract('sandbox').schemas.check('/components/schemas/SettingsChange');
  const given = givenSettings(options, check, { allowed, own });
  const [wrong] = options.answers === undefined ? [] : answersProblems(options.answers);
  if (wrong !== undefined) throw new OptionError(`Invalid answers: ${wrong.where} ${wrong.problem}.`);
  const publicOrigin = publicOriginOf(options);
  const stored = store.get('meta', 'workspace');
  const { adminToken = stored?.adminToken ?? newAdminToken() } = options;
  const exposed = isReachedByOthers(at) ? { host: publicOrigin ?? host, root: newRoot() } : undefined;
  const newest = newestAt(store, calls?.saved.calls);
  const meta = startOf(stored, { ...options, adminToken, given, exposed, newest }, realTime(), warn);
  const tls = await certificateFor(options, realTime());
  let origin = '';
  let server: HttpServer | undefined;
  const shared = {
    origin: () => origin,
    allowedAddresses: allowed,
    own,
    resolve: options.resolve ?? systemResolve,
    connectItself: () => (server as HttpServer).connect(),
    // The runs of all workspaces together have the share of one tenant.
    takeTurn: () => queue.turn('certifications'),
  };
  const runHere: RunCertification = async (controls) => {
    const { certificationRun } = await import('./assembly/certification-run.ts');
    return certificationRun({ ...shared, certify })(controls);
  };
  const services = {
    ...shared,
    version,
    apis,
    storage,
    memory,
    watch,
    warn,
    realTime,
    newSeed: newRoot,
    ...limits,
    project: projectOf(options),
    publicOrigin: () => publicOrigin ?? origin,
    isReachedByOthers: exposed !== undefined,
    outgoing: options.outgoing ?? {},
    timer,
    delay: options.delay ?? delayBy(realTimer),
    docs: options.docs,
    observer: watched.calls,
    onSpan: options.onSpan,
    certifying: new CertificationQueue(runHere, realTimer),
    signingKey: once(async () => (await import('./certification/certificate.ts')).sandboxSigningKey(options)),
  };
  const workspaces = new Workspaces(services, cluster);
  const { demo, home } = await addDemo(
    workspaces,
    found,
    meta,
    { isShared: cluster !== undefined, isReachedByOthers: exposed !== undefined },
    warn,
  );
  opened.push(() => workspaces.close());
  if (isOwn) await (stored === undefined ? demo.seed() : demo.resume());
  await workspaces.reopen();
  if (isOwn) await cluster?.records.enrol(demo.record());
  const most = options.mostInService;
  const queue = new FairQueue({ timer: realTimer, loopTime: performance.eventLoopUtilization, warn, most });
  const boundary = boundaryOf(at, tls);
  const served = { queue, watch, docs: options.docs, observer: watched.calls };
  const parts = { ...served, workspaces, home, apis, boundary, warn, isReachedByOthers: exposed !== undefined };
  const remote = cluster?.serve(forwardedServing(parts));
  const app = pipeline(arrivalOfCallers({ ...parts, remote }), parts);
  server = await serveSandbox(app.callback(), demo, { host, port }, tls, watched.calls);
  listening = server.port;
  origin = `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${server.port}`;
  workspaces.start();
  cluster?.begin();
  const { operations } = watched;
  operations?.ready(() => ({ ...workspaces.measured(), unreachable: cluster?.unreachable() }));
  const { platform, workspace, random } = demo.parties;
  return {
    origin,
    operations:
      operations && `http://${urlHost(options.operations?.host ?? startOptions.host.default)}:${operations.port}`,
    workspace: workspace.describe(),
    companyToken: () => platform.companyTokens.sign(projectOf(options).projectCode, random.hex(8), 3600),
    close: () =>
      closeInOrder({
        operations,
        server,
        cluster,
        workspaces,
        apart: home !== demo || !isOwn ? home : undefined,
        storage,
        milliseconds: options.stopMilliseconds ?? longestStop,
      }),
  };
}

/** The parts of a running sandbox. */
interface Running extends Pick<OpenedDatabase, 'storage' | 'cluster'>, Pick<Watched, 'operations'> {
  readonly server: HttpServer;
  readonly workspaces: Workspaces;
  /** A workspace that only refuses calls, if it is not among `workspaces`. */
  readonly apart: Workspace | undefined;
  /** Milliseconds after which calls in progress are aborted. */
  readonly milliseconds: number;
}

/** Waits for calls in progress, stores all data, and closes all resources. */
async function closeInOrder(running: Running): Promise<void> {
  const { operations, server, cluster, workspaces, apart, storage, milliseconds } = running;
  operations?.draining();
  // Connections between instances stay open, so that they do not close under a forwarded call.
  server.stopKeepAlive();
  const over = new AbortController();
  const cancel = realTimer(() => {
    workspaces.cut();
    over.abort();
  }, milliseconds);
  await workspaces.quiet();
  await Promise.all([server.drain(over.signal), cluster?.drain(over.signal)]);
  cancel();
  await Promise.all([server.close(), cluster?.close()]);
  await workspaces.close();
  await apart?.close();
  await storage.close();
  await operations?.close();
}

/**
 * Preloads the packages that calls need but the start does not wait for. Otherwise the first order would load them,
 * which fails if the process has no free descriptors (OP-150).
 */
export async function loadPackages(warn: (message: string) => void): Promise<void> {
  try {
    await Promise.all([import('undici'), import('jose'), import('ajv/dist/2020.js'), import('ajv-formats')]);
  } catch (error) {
    warn(`Cannot load a package that calls need: ${(error as Error).message}. Restart the sandbox if calls fail.`);
  }
}

function projectOf({ projectCode = project.projectCode }: SandboxOptions): Project {
  return { ...project, projectCode };
}
