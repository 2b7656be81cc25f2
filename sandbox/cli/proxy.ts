/**
 * The command line of the traffic check, the proxy and the mock: arguments, what is printed, exit codes. Their
 * composition root, and beside the sandbox's the only reader of `process`.
 */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, flushCompileCache } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CommanderError } from 'commander';
import { CaptureError } from '../conformance/capture-error.ts';
import { Checker } from '../conformance/checker.ts';
import { bundlesIn, ContractError, loadContractSet, projectRoot, readContractSet } from '../conformance/contracts.ts';
import { fails } from '../conformance/finding.ts';
import { FindingBook, type Report } from '../conformance/finding-book.ts';
import { type Channel, handOn } from '../conformance/keeping.ts';
import { startProxy } from '../conformance/proxy.ts';
import { findingLine, textReport } from '../conformance/report-text.ts';
import { writeReports } from '../conformance/reports.ts';
import { unknownOperations } from '../conformance/sources.ts';
import { isLoopback } from '../runtime/address.ts';
import { letReadersLeave, printable, writeLines } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { type CheckFlags, command, type ProxyFlags } from './proxy-command.ts';
import { onLeft, toldToStop } from './told-to-stop.ts';

/** What the process ends with. */
const exitCodes = { clean: 0, findings: 1, usage: 2, environment: 3 } as const;

/** Loaded before the Prism CLI, which would else end with a stack when nobody reads what it prints any more. */
const heedless = `data:text/javascript,${encodeURIComponent(
  "for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});",
)}`;

const actions = {
  async check(capture: string, flags: CheckFlags): Promise<void> {
    const { server = {}, api } = flags;
    const { checkCapture } = await import('../conformance/capture.ts');
    const source = capture === '-' ? process.stdin : createReadStream(capture);
    const checker = await checkerFor(flags.contracts);
    if (!sourcesAreKnown(flags, checker)) return;
    const book = await checkCapture(source, checker, { version, addresses: server, ...(api && { apis: api }) });
    await conclude(book.report, flags);
  },

  async proxy(flags: ProxyFlags): Promise<void> {
    const { port, host, insecureHttp, mode, failOn, upstream = {}, sandbox, timeout, quiet, api } = flags;
    const { sandboxCertificate: certificate, adminToken, allowHost = [] } = flags;
    if (!isLoopback(host) && insecureHttp !== true) {
      say(`${host} is not a loopback address, and the proxy speaks plain http. Add --insecure-http if you mean it.`);
      process.exitCode = exitCodes.usage;
      return;
    }
    // Started beside a sandbox, it ends with it.
    const alone = new Promise<void>((done) => process.once('disconnect', () => done()));
    const stopped = Promise.race([toldToStop(), alone]);
    const sandboxCertificate = certificate && (await readFile(certificate, 'utf8'));
    // Those of this project are known to compile, and Prism may not be needed at all.
    const checker = flags.contracts === undefined ? new Checker(readContractSet()) : await checkerFor(flags.contracts);
    if (!sourcesAreKnown(flags, checker)) return;
    const book = new FindingBook(checker, 'proxy', version, api);
    if (process.channel !== undefined) handOn(book, process as Channel);
    const proxy = await startProxy(checker, book, {
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
      ...(quiet !== true && {
        onFinding: (found) => say(findingLine(found)),
      }),
    });
    if (flags.json === true)
      process.stdout.write(`${JSON.stringify({ ready: true, version, pid: process.pid, url: proxy.url, mode })}\n`);
    else if (quiet !== true)
      process.stdout.write(
        `Validation proxy ${version} is ready on ${proxy.url}, mode ${mode}. Findings: ${proxy.url}/__proxy/findings\n`,
      );
    // Else a process that is killed leaves no compiled code for the next one.
    flushCompileCache();
    await stopped;
    await proxy.close();
    // The channel to the sandbox that started it would keep the process.
    if (process.connected) process.disconnect();
    await conclude(book.report, flags, quiet);
  },

  async mock(api: string, { port }: { readonly port: number }): Promise<void> {
    const cli = createRequire(import.meta.url).resolve('@stoplight/prism-cli/package.json');
    const bundle = fileURLToPath(new URL(`generated/${api}/bundle.json`, projectRoot));
    const child = spawn(
      process.execPath,
      ['--import', heedless, join(dirname(cli), 'dist/index.js'), 'mock', bundle, '--port', String(port)],
      { stdio: 'inherit' },
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    onLeft(() => child.kill());
    const code = await new Promise<number | null>((ended) => child.once('close', ended));
    process.exitCode = code === null || code === 0 ? exitCodes.clean : exitCodes.environment;
  },
};

async function checkerFor(folder: string | undefined): Promise<Checker> {
  const root = folder === undefined ? projectRoot : pathToFileURL(`${resolve(folder)}/`);
  return new Checker(await loadContractSet(bundlesIn(root), root));
}

/** Says which operations that have a source there are none of, and whether there are no such. */
function sourcesAreKnown({ source = new Map() }: CheckFlags | ProxyFlags, checker: Checker): boolean {
  const unknown = unknownOperations(source, checker);
  if (unknown.length === 0) return true;
  say(`No contract has an operation ${unknown.join(', ')}. Give an operationId, such as createRedemptionOrder.`);
  process.exitCode = exitCodes.usage;
  return false;
}

/** Writes and prints the report, and says by the exit code what came of it. */
async function conclude(report: Report, flags: CheckFlags | ProxyFlags, quiet?: boolean): Promise<void> {
  await writeReports(report, flags.report ?? [], flags.source);
  if (flags.json === true) process.stdout.write(`${printable(JSON.stringify(report))}\n`);
  else if (quiet !== true) process.stdout.write(textReport(report, process.stdout.isTTY === true));
  const { percent } = report.coverage;
  const tooLittle = flags.minCoverage !== undefined && percent < flags.minCoverage;
  if (tooLittle) say(`Coverage is ${percent} %, and ${flags.minCoverage} % was asked for.`);
  const failed = report.findings.some((found) => fails(found, flags.failOn));
  process.exitCode = failed || tooLittle ? exitCodes.findings : exitCodes.clean;
}

/** Says in one line what cannot be done, and what to do. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.clean : exitCodes.usage;
  if (error instanceof ContractError) say(`The contracts cannot be checked against: ${error.message}`);
  else if (error instanceof CaptureError) say(`The capture cannot be checked: ${error.message}`);
  else {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') say(`The port is held by another program (${message}). Choose another with --port.`);
    else say(`Cannot go on: ${message}`);
  }
  return exitCodes.environment;
}

/** Messages go to stderr, data to stdout. */
function say(message: string): void {
  writeLines(process.stderr, message);
}

letReadersLeave(process.stdout, process.stderr);
try {
  await command(version, actions).parseAsync(process.argv, { from: 'node' });
} catch (error) {
  process.exitCode = explain(error);
}
