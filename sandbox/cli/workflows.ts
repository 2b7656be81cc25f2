/**
 * The command line of `workflows`, see its `--help`. Messages go to stderr, reports to the files that the flags name.
 * A composition root, like `start.ts`.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { letReadersLeave } from '../runtime/terminal.ts';
import { replaceFile } from '../store/files.ts';
import { version } from '../version.ts';
import { journeyFile, journeys } from '../workflows/documents.ts';
import { type Capture, EnvironmentError, type Run, redoclyFrom, respect } from '../workflows/respect.ts';
import { junitReport, summaryText, workflowLines } from '../workflows/results.ts';
import { openStage } from '../workflows/stage.ts';
import { parse } from './command-line.ts';
import { type Io, say } from './io.ts';
import { type Flags, workflowsCommand } from './workflows-command.ts';

/** What the process ends with. */
const exitCodes = { passed: 0, failed: 1, usage: 2, environment: 3, stopped: 130 } as const;

/** Runs workflows until they are through, or a signal comes. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  const stopping = new AbortController();
  io.onSignal(() => stopping.abort(), 'once');
  try {
    return await run(io, stopping.signal);
  } catch (error) {
    return explain(io, error);
  }
}

async function run(io: Io, signal: AbortSignal): Promise<number> {
  const program = workflowsCommand(version);
  const ended = await parse(program, io, io.args.slice(1));
  if (ended !== undefined) return ended;
  const names = program.args.length > 0 ? program.args : journeys;
  const files = names.flatMap((name) => fileOf(name) ?? []);
  if (files.length < names.length) {
    const unknown = names.filter((name) => fileOf(name) === undefined);
    say(io, `Unknown workflow: ${unknown.join(', ')}. Use a file, or one of ${journeys.join(', ')}.`);
    return exitCodes.usage;
  }
  const flags = program.opts<Flags>();
  const runs = await runAll(io, files, flags, signal);
  const results = runs.flatMap((run) => run.results);
  say(io, summaryText(results));
  if (flags.junit !== undefined) await replaceFile(flags.junit, junitReport(results));
  if (flags.har !== undefined) await replaceFile(flags.har, JSON.stringify(joined(runs.map(({ capture }) => capture))));
  return results.every(({ passed }) => passed) ? exitCodes.passed : exitCodes.failed;
}

/** The document that a name or a path means. */
function fileOf(name: string): string | undefined {
  if ((journeys as readonly string[]).includes(name)) return journeyFile(name);
  return name.endsWith('.yaml') && existsSync(name) ? resolve(name) : undefined;
}

/** Runs the documents in sequence, each in a workspace of its own, and prints the results. */
async function runAll(io: Io, files: readonly string[], flags: Flags, signal: AbortSignal): Promise<Run[]> {
  const { sandbox, adminToken } = flags;
  const { execPath, env } = io;
  const program = { execPath, env, cli: redoclyFrom(import.meta.url, resolve('package.json')) };
  const stage = await openStage(sandbox && { url: sandbox, ...(adminToken !== undefined && { adminToken }) });
  const runs: Run[] = [];
  try {
    for (const file of files) {
      const start = performance.now();
      const run = await stage.inWorkspace((scene) => respect(file, scene, program, signal));
      runs.push(run);
      for (const result of run.results) say(io, ...workflowLines(result, performance.now() - start));
    }
  } finally {
    await stage.close();
  }
  return runs;
}

/** Captures as one. */
function joined(captures: readonly Capture[]): Capture {
  const [first] = captures;
  return { log: { ...first?.log, entries: captures.flatMap(({ log }) => log.entries) } };
}

/** Says in one line what cannot be done, and what to do. */
function explain(io: Io, error: unknown): number {
  if ((error as Error).name === 'AbortError') return exitCodes.stopped;
  say(io, ...(error instanceof EnvironmentError ? error.lines : [`Cannot continue: ${(error as Error).message}`]));
  return exitCodes.environment;
}
