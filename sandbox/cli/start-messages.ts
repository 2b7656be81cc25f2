/** Messages of `start`: the addresses, the client in use, and the reason for a failed start. */

import { join } from 'node:path';
import { splitAddress, workspacePath } from '../apis/registry.ts';
import { docsPrefix } from '../assembly/docs-site.ts';
import { CertificateError, ownFiles } from '../http/certificate.ts';
import { isReachedByOthers, OptionError } from '../options.ts';
import type { Sandbox } from '../sandbox.ts';
import { StoreError } from '../store/store.ts';
import { version } from '../version.ts';
import { failWith, type Io, say } from './io.ts';
import { dataExitCode, dataExitCodes } from './key.ts';
import { databaseOf, type Flags, httpsOf, isInMemory } from './start-options.ts';

/** Exit codes of `start`, in addition to `dataExitCodes`. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, portBusy: 3, certificateUnusable: 7 } as const;

/** Returns a description of the storage location. */
function placeOf(flags: Flags): string {
  if (isInMemory(flags)) return 'in memory';
  return databaseOf(flags) === undefined ? flags.dataDir : 'PostgreSQL';
}

/** Prints a one-line reason why the sandbox cannot start, with a remedy. Returns the exit code. */
export async function explain(io: Io, error: unknown, flags: Flags): Promise<number> {
  const { host, port } = flags;
  const { code, message, port: busyPort = port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (error instanceof CertificateError) return failWith(io, exitCodes.certificateUnusable, message);
  if (error instanceof OptionError) return failWith(io, exitCodes.usage, message);
  if (error instanceof StoreError)
    return failWith(io, dataExitCode(error), `Cannot open the data in ${placeOf(flags)}: ${message}`);
  if (code === 'EADDRINUSE') {
    const flag = busyPort === port ? '--port' : '--operations';
    const busy = `Port ${busyPort} is in use by ${await holder(host, busyPort)}.`;
    return failWith(io, exitCodes.portBusy, `${busy} Choose another with ${flag}, or use ${flag} 0 for any free port.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES' || code === 'ENOTFOUND') {
    const problem = `Cannot listen on ${host}:${port} (${code}).`;
    return failWith(io, exitCodes.portBusy, `${problem} Choose another address with --host or --port.`);
  }
  if (databaseOf(flags) !== undefined && isLostConnection(code, message))
    return failWith(io, dataExitCodes.unreadable, `Cannot open the data in PostgreSQL: ${message}`);
  return failWith(io, exitCodes.failed, `Cannot start: ${message}`);
}

/** Returns whether an error of the database driver means that the connection was lost during the start. */
function isLostConnection(code = '', message = ''): boolean {
  const said = /^(Connection terminated|Query read timeout|timeout exceeded|There is no connection)/;
  return /^(ECONN|EPIPE|ETIMEDOUT|57P)/.test(code) || said.test(message);
}

/** Returns a name for the program on a busy port, based on its reply to a health check. */
async function holder(host: string, port: number): Promise<string> {
  const health = `http://${host}:${port}/sandbox/v1/health`;
  const reply = await fetch(health, { signal: AbortSignal.timeout(1000) }).catch(() => undefined);
  return reply?.ok && reply.headers.has('x-trace-id') ? 'another rewards-sandbox' : 'another program';
}

type Workspace = Pick<Sandbox['workspace'], 'urls' | 'settings' | 'credentials'>;

/** Returns the lines about the client server that the platform calls, and about the reference client. */
function clientLines({ urls, settings }: Workspace): readonly string[] {
  if (settings.client_url === urls.client)
    return [`  Client API    ${urls.client}   (reference client, until you connect your own server)`];
  return [
    `  Your server   ${settings.client_url}   (called by the platform as the client)`,
    `  Client API    ${urls.client}   (reference client, not in use; for comparison)`,
  ];
}

/** Returns a warning if the operator's own server receives a token that only the sandbox knows; otherwise `undefined`. */
function missingToken({ urls, settings, credentials }: Workspace): string | undefined {
  const isOwn = settings.client_url !== urls.client;
  if (!isOwn || settings.client_token !== credentials.service_token) return undefined;
  return `No --client-token was given, so ${settings.client_url} receives the sandbox's own service token and will probably refuse it. Use --client-token with the token that your server expects.`;
}

/**
 * Returns the workspace without its key in the URLs, so that the URLs work only with a credential. In a shared sandbox,
 * the key of the demo workspace is a secret.
 */
function withoutKey(workspace: Sandbox['workspace']): Sandbox['workspace'] {
  const { key } = splitAddress(new URL(workspace.urls.microsite).pathname);
  return key === undefined ? workspace : JSON.parse(JSON.stringify(workspace).replaceAll(workspacePath(key), ''));
}

/** Prints the addresses of a sandbox that is ready. */
export function announce(
  io: Io,
  sandbox: Sandbox,
  flags: Flags,
  proxy: { readonly host: string; readonly port: number } | undefined,
): void {
  const { json } = flags;
  const isShared = isReachedByOthers(flags);
  // The output of a shared sandbox ends up in a log, which must contain no valid token and no workspace key.
  const workspace = withoutKey(sandbox.workspace);
  const { urls, project_code } = workspace;
  const proxyUrl = proxy && `http://${proxy.host.includes(':') ? `[${proxy.host}]` : proxy.host}:${proxy.port}`;
  if (isShared) {
    const { admin_token } = sandbox.workspace;
    const text = 'The control API requires the admin token';
    const own = `${text}, even from this machine: ${admin_token} (set your own with --admin-token).`;
    say(io, flags.adminToken === undefined ? own : `${text} that it was started with, even from this machine.`);
  }
  const warning = missingToken(workspace);
  if (warning !== undefined) say(io, warning);
  if (json === true) {
    io.stdout.write(
      `${JSON.stringify({ ready: true, version, pid: io.pid, project_code, urls, ...(proxyUrl && { proxy: proxyUrl }), ...(sandbox.operations && { operations: sandbox.operations }) })}\n`,
    );
    return;
  }
  const isLocked = isShared || flags.adminToken !== undefined;
  const secret = isLocked ? 'COMPANY_SECRET' : workspace.credentials.company_secret;
  const origin = flags.publicUrl ?? new URL(urls.sandbox).origin;
  // Other programs already trust an operator's certificate, but not the sandbox's own.
  const trust = httpsOf(flags) === true ? `--cacert '${join(flags.dataDir, ownFiles.cert)}' ` : '';
  io.stdout.write(
    [
      `Rewards sandbox ${version} is ready. Data: ${placeOf(flags)}. Stop with Ctrl+C.`,
      `  Start page    ${origin}/   (links to all of these)`,
      ...(flags.publicUrl === undefined
        ? []
        : [`  Listens on    ${sandbox.origin}   (--public-url is the public address)`]),
      `  Platform API  ${urls.rewards}`,
      ...clientLines(workspace),
      isShared
        ? `  Microsite     urls.microsite of ${urls.sandbox}/workspace   (sign in, then open the portal)`
        : `  Microsite     ${urls.microsite}   (sign in, then open the portal)`,
      `  Dashboard     ${urls.dashboard}   (inspect calls, control the simulation)`,
      `  Control API   ${urls.sandbox}   (credentials: ${urls.sandbox}/workspace${isLocked ? ', with the admin token' : ''})`,
      ...(sandbox.operations ? [`  Operations    ${sandbox.operations}/readyz   (also /healthz and /metrics)`] : []),
      ...(flags.docs ? [`  Documentation ${new URL(urls.sandbox).origin}${docsPrefix}/`] : []),
      ...(proxyUrl ? [`  Proxy         ${proxyUrl}   (forwards and validates calls; turn off with --no-proxy)`] : []),
      isLocked ? `Try it (the company secret is in ${urls.sandbox}/workspace):` : 'Try it:',
      `  TOKEN=$(curl -s ${trust}-H 'Content-Type: application/json' -d '{"secret":"${secret}"}' ${urls.rewards}/v1/company/auth | sed 's/.*"token":"\\([^"]*\\).*/\\1/')`,
      `  curl -s ${trust}-H "Authorization: $TOKEN" '${urls.rewards}/v1/partner/rewards?limit=2'`,
      '',
    ].join('\n'),
  );
}
