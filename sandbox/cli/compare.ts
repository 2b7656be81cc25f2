/** The `compare` command, which finds differences between a recorded server and the sandbox. It has its own composition root. */
import type { Command } from 'commander';
import { createSandboxClient } from '../../generated/index.ts';
import type { RecordedCall } from '../comparison/call.ts';
import type { Comparison, Difference } from '../comparison/comparison.ts';
import { advice } from '../conformance/answers.ts';
import type { CaptureOptions } from '../conformance/capture.ts';
import type { Finding } from '../conformance/finding.ts';
import type { ServerAddresses } from '../conformance/har.ts';
import { registeredPoints } from '../conformance/open-points.ts';
import { count } from '../conformance/report-text.ts';
import { isStated } from '../contract/basis.ts';
import { columns, printable } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { checkerFor, exitCodes, explain, readCapture, serverOption } from './check.ts';
import type { Act } from './command-line.ts';
import { type Io, say } from './io.ts';

export { explain };

interface CompareFlags {
  readonly server?: ServerAddresses;
  readonly complete?: boolean;
  readonly json?: true;
}

const help = `
Examples:
  rewards-sandbox compare staging.har                    repeat the calls of a recording against a fresh sandbox
  rewards-sandbox compare recordings/ --json             every capture in a folder; print one JSON object
  rewards-sandbox compare run.json --server client=https://client.example/api    calls without the /client prefix

The command starts its own sandbox and calls no other server. Each difference refers to a statement of the interface or to an
open point, or is a new question. Values such as ids, times and amounts are not compared.

Exit codes:
  0 no difference   1 differences   2 usage error   3 nothing was compared, or unreadable capture`;

/** Maximum number of calls of a recording that are repeated. */
const mostCalls = 2000;
/** Maximum duration of a comparison, in milliseconds. */
const longest = 10 * 60_000;
/** The number of calls between two progress messages. */
const progressEvery = 100;

/** Adds the `compare` command to the program. */
export function addTo(program: Command, act: Act): void {
  program
    .command('compare')
    .argument('<capture>', 'recording in any format that check reads, or a folder of them; - reads stdin')
    .description('Repeat recorded calls against a sandbox and list the differences.')
    .addOption(serverOption())
    .option('--complete', 'the capture contains every call for its customers, timed by one clock')
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(act(compare));
}

async function compare(
  io: Io,
  capture: string,
  { server = {}, complete = false, json }: CompareFlags,
): Promise<number> {
  const { ComparisonRun } = await import('../comparison/comparison.ts');
  const { clientsOf, dataOf } = await import('../testing/workspace.ts');
  const { startSandbox } = await import('../sandbox.ts');
  const checker = checkerFor({});
  const sandbox = await startSandbox({ port: 0, warn: (message) => say(io, message) });
  try {
    const { urls, admin_token: token } = sandbox.workspace;
    const control = createSandboxClient({ baseUrl: urls.sandbox, token });
    const run = new ComparisonRun(
      checker,
      async () => {
        const made = dataOf(await control.POST('/workspaces', { body: { clock: 'frozen' } }));
        return clientsOf(made, made.admin_token);
      },
      AbortSignal.timeout(longest),
    );
    const { calls, findings } = await readCalls(io, capture, checker, { addresses: server, complete }, (why) =>
      run.skip(why),
    );
    const comparison = await run.run(calls, findings, (done) => {
      if (done % progressEvery === 0) say(io, `${done} of ${calls.length} calls repeated.`);
    });
    io.stdout.write(json ? `${printable(JSON.stringify(comparison))}\n` : textOf(comparison));
    if (comparison.compared === 0) return exitCodes.environment;
    return comparison.differences.length > 0 ? exitCodes.findings : exitCodes.clean;
  } finally {
    await sandbox.close();
  }
}

/** Returns the calls of a recording that can be repeated, and the violations of rules that span several calls. */
async function readCalls(
  io: Io,
  capture: string,
  checker: ReturnType<typeof checkerFor>,
  options: Pick<CaptureOptions, 'addresses' | 'complete'>,
  skip: (why: string) => void,
): Promise<{ readonly calls: readonly RecordedCall[]; readonly findings: readonly Finding[] }> {
  const calls: RecordedCall[] = [];
  let number = 0;
  const { report } = await readCapture(io, capture, checker, {
    version,
    ...options,
    onExchange(exchange, { operation, findings }) {
      number += 1;
      const { reply } = exchange;
      if (operation === undefined || !['rewards', 'client', 'general'].includes(exchange.server))
        skip('platform and client have no such operation');
      else if (reply === undefined) skip('no reply was recorded');
      else if (calls.length === mostCalls) skip(`only the first ${mostCalls} calls are repeated`);
      else calls.push({ number, exchange, reply, operation, findings });
    },
  });
  // A violation by a caller is the caller's mistake, which `check` reports.
  const isChoice = ({ code, party, basis }: Finding) =>
    code.split('.')[1] === 'trace' && !advice.has(code) && (party === 'host' || !isStated(basis));
  return { calls, findings: report.findings.filter(isChoice) };
}

function textOf({ compared, not_compared, differences }: Comparison): string {
  const skipped = Object.entries(not_compared).map(
    ([why, times]) => `Not compared: ${count(times, 'call')}, because ${why}.`,
  );
  const titles = ['CONCERNS', 'OPERATION', 'PLACE', 'SANDBOX', 'RECORDED', 'TIMES', 'EXAMPLE'];
  const rows = differences.map((one) => [
    ...[one.basis ?? 'no point: a new question', one.operation ?? '', one.place, one.sandbox, one.recorded],
    ...[String(one.times), exampleWords(one)],
  ]);
  const concerned = registeredPoints().filter(({ id }) => differences.some(({ basis }) => basis === id));
  return [
    `${count(compared, 'call')} compared, ${count(differences.length, 'difference')}\n`,
    ...(rows.length === 0 ? [] : [columns([titles, ...rows])]),
    ...[...concerned.map(({ id, title }) => `${id}: ${title}`), ...skipped].map((line) => `${printable(line)}\n`),
  ].join('');
}

function exampleWords({ example: { number, call } }: Difference): string {
  return `${number === null ? '' : `#${number} `}${call}`;
}
