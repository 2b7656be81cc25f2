/** The `proxy` and `mock` commands, with their output and exit codes. They have their own composition root. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire, flushCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { servedContracts, serverNames } from '../apis/registry.ts';
import type { Checker } from '../conformance/checker.ts';
import { projectRoot } from '../conformance/contracts.ts';
import { FindingCollector } from '../conformance/finding-collector.ts';
import { findingLine } from '../conformance/report-text.ts';
import { forwardFindings, listening } from '../proxy/findings-channel.ts';
import type { Upstreams } from '../proxy/proxy-server.ts';
import type { SecondOpinion } from '../proxy/second-opinion.ts';
import { isLoopback } from '../runtime/caller.ts';
import { version } from '../version.ts';
import {
  addresses,
  addTrafficFlags,
  checkerFor,
  conclude,
  exitCodes,
  type TrafficFlags,
  trafficCodes,
} from './check.ts';
import { type Act, adaptHelp, adminToken, port, separated, url, wholeNumber } from './command-line.ts';
import { failWith, type Io, onShellExit, say } from './io.ts';

export { explain } from './check.ts';

interface ProxyFlags extends TrafficFlags {
  readonly port: number;
  readonly host: string;
  readonly insecureHttp?: boolean;
  readonly sandbox: URL;
  readonly sandboxCertificate?: string;
  readonly upstream?: Upstreams;
  readonly mode: 'report' | 'enforce';
  readonly timeout: number;
  readonly adminToken?: string;
  readonly allowHost?: readonly string[];
  readonly quiet?: boolean;
  /** Whether Prism also validates each call. */
  readonly prism: boolean;
}

const proxyHelp = `
Examples:
  npm run proxy                                           in front of the sandbox on port 4010; send calls to port 4011
  npm run proxy -- --upstream client=https://client.example/api      your own client server under /client
  npm run proxy -- --mode enforce --fail-on warning       reject contract violations, including assumptions
  npm run proxy -- --no-prism                             no second opinion: faster, a third of the memory
  npm run proxy -- --report junit=proxy.xml --min-coverage 80        write the reports when it stops

While it runs, GET /__proxy/findings returns the report. The proxy adds X-Forwarded-For and Via to every call. The sandbox
receives the original Host; your own server receives its own name as Host and the original one as X-Forwarded-Host.
${trafficCodes}`;

const mockHelp = `
Serves stateless examples and generated values with Prism, without the sandbox's path prefix.

Example:
  npm run mock -- rewards && curl -H 'Authorization: any' localhost:4020/v1/partner/rewards`;

/** The servers to which the proxy can forward calls. */
const behind = [...serverNames, 'webhook'];

/** Adds the `proxy` and `mock` commands to the program. */
export function addTo(program: Command, act: Act): void {
  addTrafficFlags(program.command('proxy'))
    .description('Forward calls, and validate requests and responses against the contracts.')
    .option('--port <number>', 'port to listen on; 0 picks a free port', port, 4011)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--insecure-http', 'allow a non-loopback address')
    .addOption(
      new Option('--sandbox <url>', 'sandbox that receives all calls to APIs without an upstream')
        .default(new URL('http://127.0.0.1:4010'), 'http://127.0.0.1:4010')
        .argParser(url),
    )
    .option('--sandbox-certificate <file>', 'certificate of the sandbox (PEM) to trust, for any host name')
    .addOption(
      addresses(
        '--upstream <name=url>',
        `server of an API: ${behind.join(', ')}`,
        behind,
        (previous: Upstreams = {}, name, to) => ({
          ...previous,
          [name]: to,
        }),
      ),
    )
    .addOption(
      new Option('--mode <mode>', 'report contract violations, or also reject them')
        .choices(['report', 'enforce'])
        .default('report'),
    )
    .option('--timeout <seconds>', 'response timeout', (text) => wholeNumber(text, 86_400), 120)
    .addOption(
      new Option(
        '--admin-token <token>',
        "token for the proxy's own endpoints (default: none, readable from this machine over loopback only)",
      )
        .env('REWARDS_SANDBOX_ADMIN_TOKEN')
        .argParser(adminToken),
    )
    .addOption(
      new Option('--allow-host <name>', 'extra Host name to accept, in addition to localhost and IP addresses')
        .env('REWARDS_SANDBOX_ALLOW_HOST')
        .argParser(separated),
    )
    .option('--quiet', 'do not print findings as they occur')
    .option('--no-prism', 'do not also validate every call with Prism')
    .addHelpText('after', adaptHelp(proxyHelp))
    .action(act(forward));
  program
    .command('mock')
    .description('Serve one contract with the Prism CLI, without state.')
    .addArgument(program.createArgument('<api>', 'the contract').choices(servedContracts))
    .option('--port <number>', 'port to listen on', port, 4020)
    .addHelpText('after', adaptHelp(mockHelp))
    .action(act(mock));
}

/** Forwards and validates calls until the command is stopped. */
async function forward(io: Io, flags: ProxyFlags): Promise<number> {
  const { parent } = io;
  const { port, host, insecureHttp, mode, failOn, upstream = {}, sandbox, timeout, quiet, api } = flags;
  const { sandboxCertificate: certificate, adminToken, allowHost = [] } = flags;
  if (!isLoopback(host) && insecureHttp !== true) {
    const problem = `${host} is not a loopback address, and the proxy serves plain http.`;
    return failWith(io, exitCodes.usage, `${problem} Add --insecure-http to allow it.`);
  }
  // If a sandbox started this proxy, the proxy stops with it.
  const isBeside = parent?.connected === true;
  const alone = new Promise<void>((done) => parent?.once('disconnect', done));
  const stopped = Promise.race([io.stopped(), alone]);
  const sandboxCertificate = certificate && (await readFile(certificate, 'utf8'));
  const checker = checkerFor(flags);
  const book = new FindingCollector(checker, 'proxy', version, api);
  if (parent?.connected) forwardFindings(book, parent);
  const secondOpinion = flags.prism ? await installedOpinion(checker) : undefined;
  if (flags.prism && secondOpinion === undefined)
    say(io, `Prism is not installed, so there is no second opinion. ${installHint}`);
  const { startProxy } = await import('../proxy/proxy.ts');
  const proxy = await startProxy(checker, book, {
    secondOpinion,
    host,
    port,
    mode,
    failOn,
    sandbox,
    allowedHosts: allowHost,
    ...(adminToken && { adminToken }),
    ...(sandboxCertificate && { sandboxCertificate }),
    upstreams: upstream,
    replyMilliseconds: timeout * 1000,
    now: () => performance.now(),
    ...(quiet !== true && {
      onFinding: (found) => say(io, findingLine(found)),
    }),
  });
  if (parent?.connected) parent.send(listening, () => {});
  if (flags.json === true)
    io.stdout.write(`${JSON.stringify({ ready: true, version, pid: io.pid, url: proxy.url, mode })}\n`);
  else if (quiet !== true)
    io.stdout.write(
      `Validation proxy ${version} is ready on ${proxy.url}, mode ${mode}. Findings: ${proxy.url}/__proxy/findings\n`,
    );
  // Without this call, a killed process would leave no compiled code for the next one.
  flushCompileCache();
  await stopped;
  await proxy.close();
  // An open channel to the sandbox would keep the process alive.
  if (parent?.connected) parent.disconnect();
  const code = await conclude(io, book.report, flags, quiet);
  // The sandbox does not restart a proxy that exits with 3, because that code indicates unusable arguments.
  return isBeside && code === exitCodes.environment ? exitCodes.clean : code;
}

/**
 * A module that is loaded before the Prism CLI. Without it, the CLI crashes with a stack trace when the reader of its
 * output disconnects.
 */
const heedless = `data:text/javascript,${encodeURIComponent(
  "for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});",
)}`;

/** Serves the examples of a contract until the command is stopped. */
async function mock(io: Io, api: string, { port }: { readonly port: number }): Promise<number> {
  const cli = await installedCli();
  if (cli === undefined) {
    const problem = 'The mock needs the Prism CLI, which is not installed.';
    return failWith(io, exitCodes.environment, `${problem} ${installHint}`);
  }
  const bundle = fileURLToPath(new URL(`generated/${api}/bundle.json`, projectRoot));
  const child = spawn(io.execPath, ['--import', heedless, cli, 'mock', bundle, '--port', String(port)], {
    stdio: 'inherit',
  });
  io.onSignal((signal) => child.kill(signal));
  onShellExit(() => child.kill());
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return code === null || code === 0 ? exitCodes.clean : exitCodes.environment;
}

/** Instructions for installing Prism, an optional dependency, in the tested version. */
const installHint =
  'Install it with: npm install @stoplight/prism-http@5.16.0 @stoplight/prism-cli@5.16.0 (requires Node 24.18 or later).';

/** Loads Prism as a second opinion, with the contracts of a checker; `undefined` if Prism is not installed. */
function installedOpinion(checker: Checker): Promise<SecondOpinion | undefined> {
  return ifInstalled(async () => (await import('../proxy/second-opinion.ts')).loadSecondOpinion(checker));
}

/** Returns the path of the Prism CLI; `undefined` if it is not installed. */
async function installedCli(): Promise<string | undefined> {
  const resolve = async () => createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
  const cli = await ifInstalled(resolve);
  return cli && join(dirname(cli), 'dist/index.js');
}

/** Resolves with the result of `load`, or with `undefined` if it needs a package of Prism that is not installed. */
async function ifInstalled<T>(load: () => Promise<T>): Promise<T | undefined> {
  try {
    return await load();
  } catch (error) {
    const { code, message = '' } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
    if (!isMissing || !message.includes('@stoplight/prism')) throw error;
    return undefined;
  }
}
