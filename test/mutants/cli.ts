/** Tests mutants from the command line: `npm run test:mutants -- --help`. */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { mutants } from './mutants.ts';
import { lineOf, summary } from './report.ts';
import { ListError, type Tested, testMutants } from './run.ts';

const exitCodes = { killed: 0, survived: 1, usage: 2, stopped: 130 } as const;

const help = `npm run test:mutants -- [flags]

Makes ${mutants.length} deliberate mistakes in the code, one at a time, and shows whether the tests notice.
Progress goes to stderr, the report to stdout.

  --only ID  test this mutant; may be repeated
  --list     list the mutants, and test none
  --help     show this

Exit codes:
  0    the named test killed each mutant
  1    some mutants were not killed
  2    a flag is wrong, a mutant does not fit the code, or tests fail without a mutant
  130  stopped
`;

/** A stopped run also ends its processes and removes its copies. */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

async function main(): Promise<number> {
  const { values: flags } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (flags.help) return print(help);
  const unknown = flags.only.filter((id) => !mutants.some((mutant) => mutant.id === id));
  if (unknown.length > 0) throw new ListError(`there is no mutant ${unknown.join(', ')}; --list shows them`);
  const wanted = mutants.filter(({ id }) => flags.only.length === 0 || flags.only.includes(id));
  if (flags.list) return print(wanted.map(({ id, title }) => `${id}\n    ${title}\n`).join(''));
  let count = 0;
  const report = (tested: Tested) => {
    count += 1;
    process.stderr.write(`${count}/${wanted.length} ${lineOf(tested)}\n`);
  };
  const tested = await testMutants(wanted, { report, baseline: true, signal: stop.signal });
  print(`${tested.map(lineOf).join('\n')}\n${summary(tested)}`);
  return tested.every(({ outcome }) => outcome === 'killed') ? exitCodes.killed : exitCodes.survived;
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.killed;
}

/** Whether the caller or the list is wrong. Any other error is a bug here and shows its stack. */
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
