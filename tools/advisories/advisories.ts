/**
 * `npm run advisories`: queries npm for known advisories on the versions in `package-lock.json`. A failed query counts
 * as a failure, not as "no advisories". Works without installed dependencies.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';

/** Exit codes of the process. */
const exitCodes = { none: 0, found: 1, usage: 2, noAnswer: 3 } as const;

const help = `Usage: npm run advisories

Ask npm for known advisories of all versions in package-lock.json.

Exit codes:
  0 none is known   1 advisories are known: name, version and severity of each are listed   2 usage
  3 the advisory service could not be asked: nothing is known`;

/** The relevant fields of an `npm audit --json` report. A report without `vulnerabilities` explains why the query failed. */
interface AuditReport {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

interface Vulnerability {
  /** Advisories on the package itself, and the names of its vulnerable dependencies. */
  readonly via: readonly (Advisory | string)[];
  /** Installed locations, as keys of the lock file. */
  readonly nodes: readonly string[];
}

interface Advisory {
  readonly title: string;
  readonly url: string;
  readonly severity: string;
  readonly range: string;
}

class NoAnswer extends Error {}

/** Returns one line for each known advisory. Rejects with `NoAnswer` if npm returns no report. */
async function advisories(...flags: readonly string[]): Promise<readonly string[]> {
  const { stdout, stderr } = await output('npm', ['audit', '--json', ...flags]);
  const { vulnerabilities, message, error } = reportIn(stdout);
  if (vulnerabilities === undefined) throw new NoAnswer(message ?? error?.summary ?? (stderr.trim() || 'no report'));
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Installed> };
  return Object.entries(vulnerabilities).flatMap(([name, { via, nodes }]) => {
    const versions = new Set(nodes.map((node) => lock.packages[node]?.version));
    return via.flatMap((one) =>
      typeof one === 'string'
        ? []
        : [`  ${one.severity}  ${name} ${[...versions].join(', ')}: ${one.title} (${one.range})  ${one.url}`],
    );
  });
}

interface Installed {
  readonly version?: string;
}

/** Runs a program and returns its output, regardless of its exit code. */
function output(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: 64 * 1024 * 1024 }, (_, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

/** Parses npm's report. Returns an empty report if the text is not JSON. */
function reportIn(text: string): AuditReport {
  try {
    return JSON.parse(text) as AuditReport;
  } catch {
    return {};
  }
}

function section(what: string, lines: readonly string[]): string {
  return `${what}: ${lines.length === 0 ? 'none known' : lines.length}\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** Prints the known advisories. Returns the exit code. */
async function run(): Promise<number> {
  try {
    const used = await advisories('--omit=dev');
    const all = await advisories();
    const development = all.filter((line) => !used.includes(line));
    process.stdout.write(section('Advisories of what users install', used));
    process.stdout.write(section('Advisories of development dependencies', development));
    return all.length === 0 ? exitCodes.none : exitCodes.found;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    process.stderr.write(
      `The advisory service could not be asked, so nothing is known about advisories: ${error.message}\nRun it again later.\n`,
    );
    return exitCodes.noAnswer;
  }
}

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
  if (values.help === true) process.stdout.write(`${help}\n`);
  else process.exitCode = await run();
} catch (error) {
  if (!(error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = exitCodes.usage;
}
