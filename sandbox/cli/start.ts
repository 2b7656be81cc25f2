/** The `start` command, which is the default. It runs the sandbox until a signal. It has its own composition root. */
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { ownFiles } from '../http/certificate.ts';
import type { Tracing } from '../operator/tracing.ts';
import { isReachedByOthers, OptionError } from '../options.ts';
import { isLoopback } from '../runtime/caller.ts';
import { holdingTimer } from '../runtime/clock.ts';
import { countWriteFailures } from '../runtime/terminal.ts';
import type { Sandbox } from '../sandbox.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { buildDashboard, buildDocs, proxyBeside } from './child-processes.ts';
import type { Act } from './command-line.ts';
import { failWith, type Io, say } from './io.ts';
import { keyOf } from './key.ts';
import { announce, exitCodes, explain } from './start-messages.ts';
import { addFlags, databaseOf, type Flags, httpsOf, isInMemory, optionsOf } from './start-options.ts';

/** Maximum milliseconds for an orderly stop if the data is in PostgreSQL, including eight seconds for calls in progress. */
const longestEnd = 12_000;

/** Allows a server to continue if its output cannot be written. */
export const guard = countWriteFailures;

/** Adds the flags and the action of `start` to the program. */
export function addTo(program: Command, act: Act): void {
  addFlags(program, act(start));
}

/** Starts a sandbox, and closes it on a signal to stop. Resolves with the exit code. */
async function start(io: Io, flags: Flags): Promise<number> {
  const logWriteFailures = countWriteFailures(io.stdout, io.stderr);
  const problem = problemOf(flags);
  if (problem !== undefined) return failWith(io, exitCodes.usage, problem);
  const answers = await answersOf(flags);
  if (Array.isArray(answers)) return failWith(io, exitCodes.usage, ...answers);
  const input = flags.exitWithParent === true ? io.stdin() : undefined;
  const stopped = Promise.race([io.stopped(), ...(input === undefined ? [] : [endOf(input)])]);
  const log = await callLog(io, flags);
  const tell = log?.warn ?? ((message: string) => say(io, message));
  const proxy = proxyOf(io, flags, tell);
  const { loadPackages, startSandbox } = await import('../sandbox.ts');
  let sandbox: Sandbox;
  let tracing: Tracing | undefined;
  try {
    tracing = await tracingOf(io, tell);
    const watchers = { logWriteFailures, ...log, ...(tracing && { onSpan: tracing.report }) };
    const key = isInMemory(flags) ? {} : await keyOf(flags, io.env.REWARDS_SANDBOX_KEY, tell);
    const own = { warn: (message: string) => say(io, message), ...(proxy && { proxyPort: proxy.port }) };
    sandbox = await startSandbox({ ...optionsOf(flags), ...key, ...own, ...answers, ...watchers });
  } catch (error) {
    return explain(io, error, flags);
  }
  const beside = proxy && proxyBeside({ ...proxy, ...tokenFor(proxy.host, flags, sandbox), sandbox: sandbox.origin });
  // A program may call every address in the JSON line as soon as it has read it, so the proxy must be ready.
  if (flags.json === true) await Promise.race([beside?.started, stopped]);
  announce(io, sandbox, flags, proxy);
  const stopDashboard = buildDashboard(io.execPath, tell);
  const stopDocs = flags.docs ? buildDocs(io.execPath, tell) : undefined;
  await loadPackages(tell);
  // Without this call, a killed process, as in test runners, would leave no compiled code for the next one.
  flushCompileCache();
  io.collectGarbage?.();
  await stopped;
  // An open stdin would keep the process alive.
  input?.destroy();
  stopDashboard();
  stopDocs?.();
  tell('Stopping: waiting for calls in progress.');
  const end = Promise.all([sandbox.close().then(() => tracing?.close()), beside?.stop()]);
  const stopProblem = databaseOf(flags) === undefined ? await end.then(() => undefined) : await endProblem(end);
  if (stopProblem !== undefined) {
    tell(
      `Could not release all workspaces (${stopProblem}). Acknowledged changes are saved, and other instances will take over shortly.`,
    );
    return io.exit(exitCodes.failed);
  }
  // Unread output must not keep the process alive.
  if (log !== undefined && !(await isRead(io))) return io.exit(exitCodes.ok);
  return exitCodes.ok;
}

/** Returns the problem with a combination of flags; `undefined` if there is none. */
function problemOf(flags: Flags): string | undefined {
  const { host, insecureHttp, tlsCert, tlsKey } = flags;
  const https = httpsOf(flags);
  if ((tlsCert === undefined) !== (tlsKey === undefined)) return '--tls-cert and --tls-key must be used together.';
  if (!isLoopback(host) && https === undefined && insecureHttp !== true)
    return `${host} is not a loopback address, and plain http is allowed on loopback only. Add --https, or --insecure-http to allow it.`;
  if (isInMemory(flags) && https === true)
    return '--https stores its certificate in the data folder: with --store memory, use --tls-cert and --tls-key.';
  return undefined;
}

/** Reads the answers to open points from the file. Returns its errors, one per line, if it is invalid. */
async function answersOf({ answers: file }: Flags): Promise<Pick<SandboxOptions, 'answers'> | readonly string[]> {
  if (file === undefined) return {};
  const { InputError, readAnswers } = await import('./yaml-file.ts');
  try {
    return { answers: readAnswers(file) };
  } catch (error) {
    if (error instanceof InputError) return error.lines;
    throw error;
  }
}

/** Resolves when the input has ended because its writer closed it. */
function endOf(input: Readable): Promise<void> {
  return finished(input.resume()).catch(() => undefined);
}

/**
 * Waits for a stop. Resolves with the problem, such as an unresponsive PostgreSQL (OP-200), or with `undefined` if
 * there is none.
 */
function endProblem(end: Promise<unknown>): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const cancel = holdingTimer(() => resolve(`it took longer than ${longestEnd / 1000} s`), longestEnd);
  const over = end.then(
    () => undefined,
    (error: Error) => error.message,
  );
  return Promise.race([over, promise]).finally(cancel);
}

/** Creates the JSON log of calls and messages. Returns `undefined` without `--log-level`, so that the logger is not loaded. */
async function callLog({ stderr }: Io, { logLevel }: Flags) {
  if (logLevel === undefined) return undefined;
  const { CallLog } = await import('../operator/call-log.ts');
  // Node writes to a pipe synchronously, and would wait for the pipe's reader.
  (stderr as { _handle?: { setBlocking?: (isBlocking: boolean) => void } })._handle?.setBlocking?.(false);
  const log = new CallLog(logLevel, stderr);
  return { onCall: log.call, warn: log.warn };
}

/** Opens the exporter of traces; `undefined` if the environment contains no collector, or if OpenTelemetry is not installed. */
async function tracingOf({ env }: Io, tell: (message: string) => void): Promise<Tracing | undefined> {
  const { openTracing, tracesUrl, tracingHint } = await import('../operator/tracing.ts');
  const url = tracesUrl(env);
  if (url === undefined) return undefined;
  if (!URL.canParse(url))
    throw new OptionError(
      `The endpoint in OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL, not ${url}.`,
    );
  const tracing = await openTracing(url, tell);
  if (tracing === undefined) tell(`No traces are sent: OpenTelemetry is not installed. ${tracingHint}`);
  return tracing;
}

/** Resolves with true once the output to stderr has been read, or with false after a second. */
function isRead({ stderr }: Io): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = holdingTimer(() => resolve(false), 1000);
    stderr.write('', () => {
      cancel();
      resolve(true);
    });
  });
}

/**
 * Returns the options of the validation proxy, which uses the next port. Returns `undefined` if the proxy is disabled
 * or there is no fixed next port.
 */
function proxyOf({ execPath, env }: Io, flags: Flags, warn: (message: string) => void) {
  const { host, port, proxy, insecureHttp, dataDir, tlsCert } = flags;
  if (!proxy || port === 0 || port === 65_535) return undefined;
  const own = httpsOf(flags) === true ? join(dataDir, ownFiles.cert) : undefined;
  const certificate = tlsCert ?? own;
  return {
    execPath,
    env,
    // The proxy serves plain http, which is allowed by default only on loopback.
    host: isLoopback(host) || insecureHttp === true ? host : '127.0.0.1',
    port: port + 1,
    allowedHosts: flags.allowedHosts ?? [],
    warn,
    ...(certificate !== undefined && { certificate }),
  };
}

/** Returns the token for the findings of the proxy. The rules are those of the control API (OP-65). */
function tokenFor(host: string, flags: Flags, { workspace }: Sandbox) {
  const adminToken = flags.adminToken ?? (isReachedByOthers({ ...flags, host }) ? workspace.admin_token : undefined);
  return adminToken === undefined ? {} : { adminToken };
}
