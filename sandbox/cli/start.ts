/** The command line: arguments, environment, what is printed, exit codes. */
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { docsPrefix } from '../assembly/docs-site.ts';
import { ownFiles } from '../http/certificate.ts';
import type { Tracing } from '../operator/tracing.ts';
import { isReachedByOthers, OptionError } from '../options.ts';
import { isLoopback, localAddresses } from '../runtime/address.ts';
import { countWriteFailures } from '../runtime/terminal.ts';
import { holdingTimer } from '../runtime/timer.ts';
import { loadPackages, type Sandbox, type SandboxOptions, startSandbox, version } from '../sandbox.ts';
import { buildDashboard, buildDocs, docsFolder } from './checkout-builds.ts';
import { command, type Flags } from './command.ts';
import { parse } from './command-line.ts';
import { type Io, say } from './io.ts';
import { keyOf } from './key.ts';
import { proxyBeside } from './proxy-beside.ts';
import { clientLines, exitCodes, explain, missingToken } from './start-messages.ts';

/** Longest time for an orderly stop if the data is in PostgreSQL: calls in progress have eight seconds of that. */
const longestEnd = 12_000;

/** Starts a sandbox, and closes it on a signal to stop. */
export async function main(io: Io): Promise<number> {
  const logWriteFailures = countWriteFailures(io.stdout, io.stderr);
  const program = command(version);
  const ended = await parse(program, io);
  if (ended !== undefined) return ended;
  const flags = program.opts<Flags>();
  if ((flags.tlsCert === undefined) !== (flags.tlsKey === undefined)) {
    say(io, '--tls-cert and --tls-key must be used together.');
    return exitCodes.usage;
  }
  const https = httpsOf(flags);
  if (!isLoopback(flags.host) && https === undefined && flags.insecureHttp !== true) {
    say(
      io,
      `${flags.host} is not a loopback address, and plain http is allowed on loopback only. Add --https, or --insecure-http to allow it.`,
    );
    return exitCodes.usage;
  }
  const stopped = io.stopped();
  const log = await callLog(io, flags);
  const tell = log?.warn ?? ((message: string) => say(io, message));
  const proxy = proxyOf(io, flags, tell);
  let sandbox: Sandbox;
  let tracing: Tracing | undefined;
  try {
    tracing = await tracingOf(io, tell);
    const watchers = { logWriteFailures, ...log, ...(tracing && { onSpan: tracing.report }) };
    sandbox = await startSandbox({ ...(await optionsOf(io, flags, proxy?.port, tell)), ...watchers });
  } catch (error) {
    return explain(io, error, flags);
  }
  const beside = proxy && proxyBeside({ ...proxy, ...tokenFor(proxy.host, flags, sandbox), sandbox: sandbox.origin });
  // A program calls every address of the line as soon as it has read it.
  if (flags.json === true) await Promise.race([beside?.started, stopped]);
  await announce(io, sandbox, flags, proxy);
  const stopDashboard = buildDashboard(io.execPath, tell);
  const stopDocs = flags.docs ? buildDocs(io.execPath, tell) : undefined;
  await loadPackages(tell);
  // Else a process that is killed, as test runners do it, leaves no compiled code for the next one.
  flushCompileCache();
  await stopped;
  stopDashboard();
  stopDocs?.();
  tell('Stopping: waiting for calls in progress.');
  const end = Promise.all([sandbox.close().then(() => tracing?.close()), beside?.stop()]);
  const problem = flags.store === undefined ? await end.then(() => undefined) : await endProblem(end);
  if (problem !== undefined) {
    tell(
      `Could not release all workspaces (${problem}). Acknowledged changes are saved, and other instances take over soon.`,
    );
    return io.exit(exitCodes.failed);
  }
  // Unread output must not keep the process alive.
  if (log !== undefined && !(await isRead(io))) return io.exit(exitCodes.ok);
  return exitCodes.ok;
}

/** Why an end is not in order, as where PostgreSQL gives no answer (OP-200); undefined where it is. */
function endProblem(end: Promise<unknown>): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const cancel = holdingTimer(() => resolve(`it took longer than ${longestEnd / 1000} s`), longestEnd);
  const over = end.then(
    () => undefined,
    (error: Error) => error.message,
  );
  return Promise.race([over, promise]).finally(cancel);
}

/** The log of calls and messages as JSON; undefined without --log-level, which then does not load the logger. */
async function callLog({ stderr }: Io, { logLevel }: Flags) {
  if (logLevel === undefined) return undefined;
  const { CallLog } = await import('../operator/call-log.ts');
  // Node writes to a pipe synchronously, and would wait for its reader.
  (stderr as { _handle?: { setBlocking?: (isBlocking: boolean) => void } })._handle?.setBlocking?.(false);
  const log = new CallLog(logLevel, stderr);
  return { onCall: log.call, warn: log.warn };
}

/** The exporter of traces; undefined if the environment names no collector, or OpenTelemetry is not installed. */
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

/** Resolves with whether the output to stderr was read: when it is, or after a second. */
function isRead({ stderr }: Io): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = holdingTimer(() => resolve(false), 1000);
    stderr.write('', () => {
      cancel();
      resolve(true);
    });
  });
}

/** What the sandbox is started with. Rejects where the data has no key that can be used. */
async function optionsOf(
  io: Io,
  flags: Flags,
  proxyPort: number | undefined,
  warn: (message: string) => void,
): Promise<SandboxOptions> {
  const { port, host, data: dataDir, store, seed, clock, clientUrl, clientToken, adminToken } = flags;
  const { allowAddress = [], allowHost = [], trustedProxy = [], workspaces, maxLoaded, share, operations } = flags;
  const { publicUrl, maxCreated, maxWorkspaceSize } = flags;
  const https = httpsOf(flags);
  return {
    port,
    host,
    dataDir,
    ...(await keyOf(flags, io.env.REWARDS_SANDBOX_KEY, warn)),
    ...(store && { store }),
    warn: (message) => say(io, message),
    allowedAddresses: [...(isReachedByOthers(flags) ? [] : localAddresses), ...allowAddress],
    allowedHosts: allowHost,
    trustedProxies: trustedProxy,
    ...(proxyPort !== undefined && { proxyPort }),
    ...(workspaces !== undefined && { workspaces }),
    ...(maxCreated !== undefined && { maxCreatedWorkspaces: maxCreated }),
    ...(maxLoaded !== undefined && { maxLoaded }),
    ...(maxWorkspaceSize !== undefined && { maxWorkspaceBytes: maxWorkspaceSize * 2 ** 20 }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(share && { share }),
    ...(operations && { operations }),
    ...(seed && { seed }),
    ...(flags.demoData && { demoData: flags.demoData }),
    ...(clock && { clock }),
    ...(https && { https }),
    ...(clientUrl && { clientUrl }),
    ...(clientToken && { clientToken }),
    ...(adminToken && { adminToken }),
    ...(flags.docs && { docs: docsFolder }),
  };
}

/** How the validation proxy is started: on the next port, unless the sandbox's own is left to the system. */
function proxyOf({ execPath, env }: Io, flags: Flags, warn: (message: string) => void) {
  const { host, port, proxy, insecureHttp, data, tlsCert } = flags;
  if (!proxy || port === 0 || port === 65_535) return undefined;
  const own = httpsOf(flags) === true ? join(data, ownFiles.cert) : undefined;
  const certificate = tlsCert ?? own;
  return {
    execPath,
    env,
    // It speaks plain http, which is for loopback.
    host: isLoopback(host) || insecureHttp === true ? host : '127.0.0.1',
    port: port + 1,
    allowedHosts: flags.allowHost ?? [],
    warn,
    ...(certificate !== undefined && { certificate }),
  };
}

/** What opens the findings of the proxy, as it opens the control API (OP-65). */
function tokenFor(host: string, flags: Flags, { workspace }: Sandbox) {
  const adminToken = flags.adminToken ?? (isReachedByOthers({ ...flags, host }) ? workspace.admin_token : undefined);
  return adminToken === undefined ? {} : { adminToken };
}

/** What is served under TLS: files of the operator's own mean it as much as the flag. */
function httpsOf({ https, tlsCert, tlsKey }: Flags) {
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  return https === true ? true : undefined;
}

async function announce(io: Io, sandbox: Sandbox, flags: Flags, proxy: ReturnType<typeof proxyOf>): Promise<void> {
  const { json, store } = flags;
  const data = store === undefined ? flags.data : 'PostgreSQL';
  const { urls, project_code } = sandbox.workspace;
  const proxyUrl = proxy && `http://${proxy.host.includes(':') ? `[${proxy.host}]` : proxy.host}:${proxy.port}`;
  const isShared = isReachedByOthers(flags);
  if (isShared && flags.adminToken === undefined) {
    const { admin_token } = sandbox.workspace;
    say(
      io,
      `The control API requires the admin token, even from this machine: ${admin_token} (set your own with --admin-token).`,
    );
  }
  const warning = missingToken(sandbox.workspace);
  if (warning !== undefined) say(io, warning);
  if (json === true) {
    io.stdout.write(
      `${JSON.stringify({ ready: true, version, pid: io.pid, project_code, urls, ...(proxyUrl && { proxy: proxyUrl }), ...(sandbox.operations && { operations: sandbox.operations }) })}\n`,
    );
    return;
  }
  // The output of a shared sandbox ends up in a log, which must not hold a valid token.
  const token = isShared ? 'COMPANY_TOKEN' : await sandbox.companyToken();
  // Other programs trust an operator's certificate already, but not the sandbox's own.
  const trust = httpsOf(flags) === true ? `--cacert '${join(flags.data, ownFiles.cert)}' ` : '';
  io.stdout.write(
    [
      `Rewards sandbox ${version} is ready. Data: ${data}. Stop with Ctrl+C.`,
      ...(flags.publicUrl === undefined
        ? []
        : [`  Listens on    ${sandbox.origin}   (--public-url is the public address)`]),
      `  Platform API  ${urls.rewards}`,
      ...clientLines(sandbox.workspace),
      `  Microsite     ${urls.microsite}   (sign in, then open the portal)`,
      `  Dashboard     ${urls.dashboard}   (inspect calls, control the simulation)`,
      `  Control API   ${urls.sandbox}   (credentials: ${urls.sandbox}/workspace)`,
      ...(sandbox.operations ? [`  Operations    ${sandbox.operations}/readyz   (also /healthz and /metrics)`] : []),
      ...(flags.docs ? [`  Documentation ${new URL(urls.sandbox).origin}${docsPrefix}/`] : []),
      ...(proxyUrl ? [`  Proxy         ${proxyUrl}   (forwards and validates calls; turn off with --no-proxy)`] : []),
      isShared
        ? `Try it (${urls.rewards}/v1/company/auth gives the token):`
        : 'Try it (the token is valid for an hour):',
      `  curl -s ${trust}-H 'Authorization: ${token}' '${urls.rewards}/v1/partner/rewards?limit=2'`,
      '',
    ].join('\n'),
  );
}
