/** Processes launched by `start`: the validation proxy, and the builds of a checkout. */
import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Found, isListening } from '../proxy/findings-channel.ts';

/** The options of the proxy that a sandbox starts. */
export interface Beside {
  /** The path of the Node executable. */
  readonly execPath: string;
  readonly env: NodeJS.ProcessEnv;
  readonly host: string;
  readonly port: number;
  /** Any URL of the sandbox. */
  readonly sandbox: string;
  /** The file of the certificate that the sandbox uses. */
  readonly certificate?: string;
  /** The token for the proxy's own endpoints. Without it, they are readable from this machine without a token. */
  readonly adminToken?: string;
  readonly allowedHosts?: readonly string[];
  /** Called if the proxy exits without being stopped. */
  readonly warn: (message: string) => void;
}

/**
 * The pause before a proxy is restarted, in milliseconds. It doubles after each exit, and is reset once a proxy has run
 * for the longest pause.
 */
const pauseMilliseconds = { first: 200, longest: 30_000 };
/** Exit codes that a restart would repeat: invalid arguments, or an unusable port or file. */
const final = [2, 3];
/** Milliseconds before a stopping proxy is killed. It allows 8 s for calls in progress. */
const stopMilliseconds = 9_000;

/**
 * Starts the validation proxy in a separate process, without delaying the sandbox. If the proxy cannot start, it prints
 * the reason to stderr, and the sandbox continues without it. If it exits later, it is restarted with its earlier
 * findings.
 */
export function proxyBeside(beside: Beside) {
  let found: Found = { report: undefined };
  let pause = pauseMilliseconds.first;
  let stopping = false;
  let again: NodeJS.Timeout | undefined;
  const started = Promise.withResolvers<void>();
  const start = () => {
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
      beside.warn(`The validation proxy stopped (${how}). Restarting it in ${pause / 1000} s. Its findings are kept.`);
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
  // `started` resolves when the proxy listens or has exited.
  return { stop, started: started.promise };
}

/**
 * Prefixes of environment variables for the sandbox, PostgreSQL and OpenTelemetry, which can contain keys, tokens and
 * passwords.
 */
const ofSandbox = ['REWARDS_SANDBOX_', 'PG', 'OTEL_'];

function launch(beside: Beside): ChildProcess {
  const { execPath, env, host, port, sandbox, certificate, adminToken, allowedHosts = [] } = beside;
  // Runs `bin.js`, which can use compiled code from an earlier start.
  const command = isCheckout ? '../bin.js' : '../../../sandbox/bin.js';
  const args = [
    fileURLToPath(new URL(command, import.meta.url)),
    // Prism would use two thirds of the proxy's memory. For a second opinion, users can start their own proxy.
    ...['proxy', '--quiet', '--no-prism', '--insecure-http', '--host', host, '--port', String(port)],
    ...['--sandbox', new URL(sandbox).origin],
    ...(certificate === undefined ? [] : ['--sandbox-certificate', certificate]),
    ...allowedHosts.flatMap((name) => ['--allow-host', name]),
  ];
  // All users of the machine can see arguments, but not the environment.
  const secret = adminToken === undefined ? {} : { REWARDS_SANDBOX_ADMIN_TOKEN: adminToken };
  const others = Object.entries(env).filter(([name]) => !ofSandbox.some((prefix) => name.startsWith(prefix)));
  return spawn(execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...Object.fromEntries(others), ...secret },
  });
}

/** In a checkout, the sources run directly, and the other files can be built. A package contains the builds. */
const isCheckout = import.meta.url.endsWith('.ts');

/** The folder of the built documentation. */
export const docsFolder = fileURLToPath(
  new URL(isCheckout ? '../../docs/site' : '../../../docs/site', import.meta.url),
);

const docsBuilder = fileURLToPath(new URL('../../tools/docs/build.ts', import.meta.url));
const dashboardBuilder = fileURLToPath(new URL('../../tools/dashboard/build.ts', import.meta.url));

/**
 * Builds the documentation if it is outdated, in a separate process with low priority. Returns a function that stops
 * the build. `warn` is called if the build fails.
 */
export function buildDocs(node: string, warn: (message: string) => void, builder = docsBuilder): () => void {
  const problem = 'Could not build the documentation. Run `npm run docs` to see why; everything else works without it.';
  return build(node, builder, constants.priority.PRIORITY_LOW, () => warn(problem));
}

/**
 * Builds the dashboard like `buildDocs`, but with normal priority. The build takes less than a second, and a user may
 * be waiting for it.
 */
export function buildDashboard(node: string, warn: (message: string) => void, builder = dashboardBuilder): () => void {
  const problem =
    'Could not build the dashboard. Run `npm run dashboard` to see why; everything else works without it.';
  return build(node, builder, constants.priority.PRIORITY_NORMAL, () => warn(problem));
}

/** Builds a part of a checkout if it is outdated. Returns a function that stops the build. */
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
