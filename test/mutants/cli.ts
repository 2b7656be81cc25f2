/** Plants mutants and shows which of them the tests see: `npm run test:mutants`, see `--help`. */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { mutants } from './mutants.ts';
import { jsonReport, lineOf, table } from './report.ts';
import { ListError, type Tried, tryMutants } from './run.ts';

/** What the process ends with. */
const exitCodes = { killed: 0, survived: 1, usage: 2, stopped: 130 } as const;

const help = `npm run test:mutants -- [flags]

Plants ${mutants.length} mutants, one after the other, each in a copy of the project, and runs the tests that have to see it.
Progress goes to stderr, the report to stdout.

  --only ID    try this mutant; may be given more than once
  --list       list the mutants and try none
  --json FILE  write the report to a file too, as JSON
  --help       show this

Exit codes:
  0    each mutant was killed by the test that it names
  1    some were not: they survived, failed another test, or broke everything
  2    a flag is wrong, a mutant does not fit the code any more, or the tests fail without any mutant
  130  stopped
`;

/** The mutant is taken out and the copies are removed also when the run is stopped. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

async function main(): Promise<number> {
  const { values: flags } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (flags.help) return print(help);
  const unknown = flags.only.filter((id) => !mutants.some((mutant) => mutant.id === id));
  if (unknown.length > 0) throw new ListError(`there is no mutant ${unknown.join(', ')}; --list shows them`);
  const wanted = mutants.filter(({ id }) => flags.only.length === 0 || flags.only.includes(id));
  if (flags.list) return print(wanted.map(({ id, title }) => `${id}\n    ${title}\n`).join(''));
  let done = 0;
  const tell = (one: Tried) => {
    done += 1;
    process.stderr.write(`${done}/${wanted.length} ${lineOf(one)}\n`);
  };
  const tried = await tryMutants(wanted, { tell, signal: stop.signal });
  print(table(tried));
  if (flags.json !== undefined) writeFileSync(flags.json, jsonReport(tried));
  return tried.every(({ outcome }) => outcome === 'killed') ? exitCodes.killed : exitCodes.survived;
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.killed;
}

/** An error of the caller or of the list; anything else is a mistake in here and shows its stack. */
function isUsage(error: unknown): error is Error {
  const code = (error as { code?: unknown }).code;
  return error instanceof ListError || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS'));
}

try {
  process.exitCode = await main();
} catch (error) {
  if (stop.signal.aborted) process.exitCode = exitCodes.stopped;
  else if (isUsage(error)) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = exitCodes.usage;
  } else throw error;
}
