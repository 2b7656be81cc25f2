/** The processes that a start launches: the validation proxy, and the builds of a checkout. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Found, isListening } from '../proxy/findings-channel.ts';

/** The options of a proxy that a sandbox starts. */
export interface Beside {
  /** The program that runs it: Node. */
  readonly execPath: string;
  readonly env: NodeJS.ProcessEnv;
  readonly host: string;
  readonly port: number;
  /** Any address of the sandbox. */
  readonly sandbox: string;
  /** File of the certificate that the sandbox serves. */
  readonly certificate?: string;
  /** Opens what the proxy answers itself; if there is none, this machine may read it without. */
  readonly adminToken?: string;
  readonly allowedHosts?: readonly string[];
  /** Called when the proxy ends without having been stopped. */
  readonly warn: (message: string) => void;
}

/**
 * Pause before an ended proxy is restarted. It doubles each time, and starts over once a proxy has run for the longest
 * pause.
 */
const pauseMilliseconds = { first: 200, longest: 30_000 };
/** Exit codes that a restart would repeat: wrong arguments, and a port or a file that cannot be used. */
const final = [2, 3];
/** A stopping proxy gives calls in progress 8 s to end. */
const stopMilliseconds = 9_000;

/**
 * Starts the validation proxy in a process of its own without waiting for it, so the sandbox serves immediately. A proxy
 * that cannot start says so on stderr, and the sandbox continues without it. One that exits later is restarted with its
 * earlier findings.
 */
export function proxyBeside(beside: Beside): ProxyBeside {
  let found: Found = { report: undefined };
  let pause = pauseMilliseconds.first;
  let stopping = false;
  let again: NodeJS.Timeout | undefined;
  const started = Promise.withResolvers<void>();
  const start = (): Running => {
    const steady = setTimeout(() => {
      pause = pauseMilliseconds.first;
    }, pauseMilliseconds.longest);
    const { promise, resolve } = Promise.withResolvers<void>();
    const child = launch(beside);
    child.on('message', (message) => {
      if (isListening(message)) started.resolve();
      else found = message as Found;
    });
    child.send(found, () => {});
    const ended = (how: string, code: number | null) => {
      resolve();
      started.resolve();
      clearTimeout(steady);
      if (stopping || final.includes(code ?? 0)) return;
      beside.warn(`The validation proxy stopped (${how}). Restarting it in ${pause / 1000} s with its findings.`);
      again = setTimeout(() => {
        running = start();
      }, pause);
      pause = Math.min(pause * 2, pauseMilliseconds.longest);
    };
    child.once('exit', (code, signal) => ended(signal ?? `code ${code}`, code));
    child.once('error', ({ message }) => {
      if (child.pid === undefined) ended(message, null);
    });
    return { child, ended: promise };
  };
  let running = start();
  const stop = async () => {
    stopping = true;
    clearTimeout(again);
    const { child, ended } = running;
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), stopMilliseconds);
    await ended;
    clearTimeout(kill);
  };
  return { stop, started: started.promise };
}

/** A proxy that a sandbox has started. */
interface ProxyBeside {
  readonly stop: () => Promise<void>;
  /** Resolves when it listens, or has ended without listening. */
  readonly started: Promise<void>;
}

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<void>;
}

/** Names of the environment that configure the sandbox, PostgreSQL and OpenTelemetry: keys, tokens and passwords. */
const ofSandbox = ['REWARDS_SANDBOX_', 'PG', 'OTEL_'];

function launch(beside: Beside): ChildProcess {
  const { execPath, env, host, port, sandbox, certificate, adminToken, allowedHosts = [] } = beside;
  // The command itself, which has compiled code of an earlier start.
  const command = isCheckout ? '../bin.js' : '../../../sandbox/bin.js';
  const args = [
    fileURLToPath(new URL(command, import.meta.url)),
    // Prism would take two thirds of its memory. Start a proxy of your own for a second opinion.
    ...['proxy', '--quiet', '--no-prism', '--insecure-http', '--host', host, '--port', String(port)],
    ...['--sandbox', new URL(sandbox).origin],
    ...(certificate === undefined ? [] : ['--sandbox-certificate', certificate]),
    ...allowedHosts.flatMap((name) => ['--allow-host', name]),
  ];
  // Arguments are seen by everybody on the machine, the environment is not.
  const secret = adminToken === undefined ? {} : { REWARDS_SANDBOX_ADMIN_TOKEN: adminToken };
  const others = Object.entries(env).filter(([name]) => !ofSandbox.some((prefix) => name.startsWith(prefix)));
  return spawn(execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...Object.fromEntries(others), ...secret },
  });
}

/** In a checkout the sources run directly and can build the rest; a package contains the builds. */
const isCheckout = import.meta.url.endsWith('.ts');

/** Where the built documentation is. */
export const docsFolder = fileURLToPath(
  new URL(isCheckout ? '../../docs/site' : '../../../docs/site', import.meta.url),
);

const docsBuilder = fileURLToPath(new URL('../../tools/docs/build.ts', import.meta.url));
const dashboardBuilder = fileURLToPath(new URL('../../tools/dashboard/build.ts', import.meta.url));

/**
 * Builds the documentation unless it is up to date, in a process of its own with low priority. Returns a function that
 * stops the build. `warn` is called if the build fails.
 */
export function buildDocs(node: string, warn: (message: string) => void, builder = docsBuilder): () => void {
  const problem = 'Could not build the documentation. Run `npm run docs` to see why; everything else works without it.';
  return build(node, builder, constants.priority.PRIORITY_LOW, () => warn(problem));
}

/** As `buildDocs`, for the dashboard: it takes less than a second, and a user may be waiting for it. */
export function buildDashboard(node: string, warn: (message: string) => void, builder = dashboardBuilder): () => void {
  const problem =
    'Could not build the dashboard. Run `npm run dashboard` to see why; everything else works without it.';
  return build(node, builder, constants.priority.PRIORITY_NORMAL, () => warn(problem));
}

function build(node: string, builder: string, priority: number, onFailure: () => void): () => void {
  if (!isCheckout) return () => {};
  const child = spawn(node, [builder, '--if-changed'], { stdio: 'ignore' });
  if (child.pid !== undefined) setPriority(child.pid, priority);
  let isStopped = false;
  child.once('error', onFailure);
  child.once('exit', (code) => {
    if (code !== 0 && !isStopped) onFailure();
  });
  return () => {
    isStopped = true;
    child.kill();
  };
}
