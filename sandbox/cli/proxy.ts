/** The command line of the traffic check, the proxy and the mock: what is printed, exit codes. Their composition root. */
import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CaptureError, capturesIn, checkCapture, checkCaptures } from '../conformance/capture.ts';
import { Checker } from '../conformance/checker.ts';
import { bundlesIn, ContractError, loadContractSet, ownContracts, projectRoot } from '../conformance/contracts.ts';
import { fails } from '../conformance/finding.ts';
import { FindingCollector, type Report } from '../conformance/finding-collector.ts';
import { findingLine, textReport } from '../conformance/report-text.ts';
import { nothingWords, unmatchedWords } from '../conformance/report-words.ts';
import { writeReports } from '../conformance/reports.ts';
import { unknownOperations } from '../conformance/sources.ts';
import { unobserved } from '../conformance/statements/statements.ts';
import { forwardFindings, listening } from '../proxy/findings-channel.ts';
import { startProxy } from '../proxy/proxy.ts';
import { isLoopback } from '../runtime/address.ts';
import { letReadersLeave, printable } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { parse } from './command-line.ts';
import { type Io, onShellExit, say } from './io.ts';
import { installedCli, installedOpinion, installHint } from './prism.ts';
import { type CheckFlags, command, type ProxyFlags } from './proxy-command.ts';

/** What the process ends with. */
const exitCodes = { clean: 0, findings: 1, usage: 2, environment: 3 } as const;

/** Loaded before the Prism CLI, which would otherwise crash with a stack trace when the reader of its output is gone. */
const heedless = `data:text/javascript,${encodeURIComponent(
  "for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});",
)}`;

const actions = {
  async check(io: Io, capture: string, flags: CheckFlags): Promise<number> {
    const { server = {}, api, complete = false } = flags;
    const checker = checkerFor(flags.contracts);
    if (!checkSources(io, flags, checker)) return exitCodes.usage;
    const options = { version, addresses: server, complete, ...(api && { apis: api }) };
    // The stream reports a missing file.
    const isFolder = capture !== '-' && (await stat(capture).catch(() => undefined))?.isDirectory() === true;
    const captures = isFolder ? await capturesIn(capture) : [];
    const named = captures.map((name) => ({ name, open: () => createReadStream(name) }));
    // Nothing is awaited between: a stream that fails before anyone listens ends the process.
    const book = isFolder
      ? await checkCaptures(named, checker, options)
      : await checkCapture(capture === '-' ? io.stdin() : createReadStream(capture), checker, options);
    return conclude(io, book.report, flags);
  },

  async proxy(io: Io, flags: ProxyFlags): Promise<number> {
    const { parent } = io;
    const { port, host, insecureHttp, mode, failOn, upstream = {}, sandbox, timeout, quiet, api } = flags;
    const { sandboxCertificate: certificate, adminToken, allowHost = [] } = flags;
    if (!isLoopback(host) && insecureHttp !== true) {
      say(io, `${host} is not a loopback address, and the proxy serves plain http. Add --insecure-http to allow it.`);
      return exitCodes.usage;
    }
    // If a sandbox started it, it ends with the sandbox.
    const isBeside = parent?.connected === true;
    const alone = new Promise<void>((done) => parent?.once('disconnect', done));
    const stopped = Promise.race([io.stopped(), alone]);
    const sandboxCertificate = certificate && (await readFile(certificate, 'utf8'));
    const checker = checkerFor(flags.contracts);
    if (!checkSources(io, flags, checker)) return exitCodes.usage;
    const book = new FindingCollector(checker, 'proxy', version, api);
    if (parent?.connected) forwardFindings(book, parent);
    const secondOpinion = flags.prism ? await installedOpinion(checker) : undefined;
    if (flags.prism && secondOpinion === undefined)
      say(io, `Prism is not installed, so there is no second opinion. ${installHint}`);
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
    // Else a process that is killed leaves no compiled code for the next one.
    flushCompileCache();
    await stopped;
    await proxy.close();
    // The channel to the sandbox that started it would keep the process.
    if (parent?.connected) parent.disconnect();
    const code = await conclude(io, book.report, flags, quiet);
    // The sandbox does not restart a proxy that ends with 3, as it would with the same arguments again.
    return isBeside && code === exitCodes.environment ? exitCodes.clean : code;
  },

  async mock(io: Io, api: string, { port }: { readonly port: number }): Promise<number> {
    const cli = installedCli();
    if (cli === undefined) {
      say(io, `The mock needs the Prism CLI, which is not installed. ${installHint}`);
      return exitCodes.environment;
    }
    const bundle = fileURLToPath(new URL(`generated/${api}/bundle.json`, projectRoot));
    const child = spawn(io.execPath, ['--import', heedless, cli, 'mock', bundle, '--port', String(port)], {
      stdio: 'inherit',
    });
    io.onSignal((signal) => child.kill(signal));
    onShellExit(() => child.kill());
    const code = await new Promise<number | null>((ended) => child.once('close', ended));
    return code === null || code === 0 ? exitCodes.clean : exitCodes.environment;
  },
};

/** Checks a capture, or runs the proxy or the mock until it is stopped. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  let code: number = exitCodes.clean;
  const program = command(version, {
    check: async (capture, flags) => {
      code = await actions.check(io, capture, flags);
    },
    proxy: async (flags) => {
      code = await actions.proxy(io, flags);
    },
    mock: async (api, flags) => {
      code = await actions.mock(io, api, flags);
    },
  });
  try {
    return (await parse(program, io)) ?? code;
  } catch (error) {
    return explain(io, error);
  }
}

function checkerFor(folder: string | undefined): Checker {
  if (folder === undefined) return new Checker(ownContracts());
  const root = pathToFileURL(`${resolve(folder)}/`);
  return new Checker(loadContractSet(bundlesIn(root), root));
}

/** Reports operations of `--source` that no contract has. Returns whether there are none. */
function checkSources(io: Io, { source = new Map() }: CheckFlags | ProxyFlags, checker: Checker): boolean {
  const unknown = unknownOperations(source, checker);
  if (unknown.length === 0) return true;
  say(
    io,
    `Unknown operation: ${unknown.join(', ')}. Use an operationId from a contract, such as createRedemptionOrder.`,
  );
  return false;
}

/** Writes and prints the report. Returns the exit code of the result. */
async function conclude(io: Io, report: Report, flags: CheckFlags | ProxyFlags, quiet?: boolean): Promise<number> {
  const { stdout } = io;
  await writeReports(report, flags.report ?? [], flags.source);
  if (flags.json === true) stdout.write(`${printable(JSON.stringify(report))}\n`);
  else if (quiet !== true) stdout.write(textReport(report, stdout.isTTY === true));
  const { percent } = report.coverage;
  const tooLittle = flags.minCoverage !== undefined && percent < flags.minCoverage;
  if (tooLittle) say(io, `Coverage is ${percent} %, below the required ${flags.minCoverage} %.`);
  const missing = unobserved(report.statements, flags.require ?? []);
  if (missing.length > 0) say(io, `Required statements not exercised: ${missing.join(', ')}.`);
  const failed = report.findings.some((found) => fails(found, flags.failOn));
  const nothing = nothingWords(report);
  if (nothing !== undefined && flags.json === true) say(io, [nothing, unmatchedWords(report) ?? ''].join(' ').trim());
  if (nothing !== undefined) return exitCodes.environment;
  return failed || tooLittle || missing.length > 0 ? exitCodes.findings : exitCodes.clean;
}

/** Says in one line what cannot be done, and what to do. */
function explain(io: Io, error: unknown): number {
  if (error instanceof ContractError) say(io, `Cannot use the contracts: ${error.message}`);
  else if (error instanceof CaptureError) say(io, `Cannot check the capture: ${error.message}`);
  else {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      say(io, `The port is in use by another program (${message}). Choose another with --port.`);
    else say(io, `Cannot continue: ${message}`);
  }
  return exitCodes.environment;
}
