/** The command line: arguments, environment, what is printed, exit codes. The only reader of `process`. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { OptionError } from './given.ts';
import { dataKey } from './key.ts';
import { isLoopback, localAddresses } from './runtime/address.ts';
import type { ClockMode } from './runtime/clock.ts';
import { type Sandbox, startSandbox, version } from './sandbox.ts';
import { StoreError } from './store/store.ts';

/** What the process ends with. */
const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  portBusy: 3,
  dataUnreadable: 4,
  dataLocked: 5,
  dataDamaged: 6,
} as const;

interface Flags {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly seed?: string;
  readonly clock?: ClockMode;
  readonly json?: boolean;
  readonly insecureHttp?: boolean;
  readonly clientUrl?: string;
  readonly clientToken?: string;
  readonly allowAddress?: readonly string[];
}

const help = `
Examples:
  npm start                                  everything on http://127.0.0.1:4010, data in .sandbox-data
  npm start -- --port 0 --json               any free port; one JSON line with all addresses when ready
  npm start -- --client-url http://localhost:8080 --client-token SECRET
                                             your own client server in place of the reference client
  npm start -- --clock frozen --data ./run1  time stands still until POST /sandbox/v1/clock/advance

Environment:
  REWARDS_SANDBOX_KEY                        64 hex digits that encrypt the data; left out, a key file is made beside it

Exit codes:
  0 stopped by SIGINT or SIGTERM   1 failed   2 usage   3 port is busy   4 data folder cannot be used
  5 data folder is in use by another process   6 data is damaged, or the key does not open it`;

function command(): Command {
  return new Command('rewards-sandbox')
    .description(
      'A sandbox for the rewards redemption interface: platform, reference client and vendors in one process.',
    )
    .version(version)
    .addOption(
      new Option('--port <number>', 'port to listen on, 0 for any free one')
        .env('REWARDS_SANDBOX_PORT')
        .default(4010)
        .argParser(port),
    )
    .addOption(new Option('--host <address>', 'address to listen on').env('REWARDS_SANDBOX_HOST').default('127.0.0.1'))
    .addOption(new Option('--data <dir>', 'folder for the data').env('REWARDS_SANDBOX_DATA').default('.sandbox-data'))
    .addOption(
      new Option('--seed <text>', 'decides the demo data, codes and secrets of a new data folder (default: demo)').env(
        'REWARDS_SANDBOX_SEED',
      ),
    )
    .addOption(
      new Option('--clock <mode>', 'sandbox time runs, or stands still')
        .choices(['running', 'frozen'])
        .env('REWARDS_SANDBOX_CLOCK'),
    )
    .addOption(new Option('--json', 'print one JSON line with all addresses when ready').env('REWARDS_SANDBOX_JSON'))
    .addOption(new Option('--insecure-http', 'allow plain http on an address that is not loopback'))
    .addOption(
      new Option('--client-url <url>', 'your own client server instead of the reference client').env(
        'REWARDS_SANDBOX_CLIENT_URL',
      ),
    )
    .addOption(
      new Option('--client-token <token>', 'service token that your client server expects').env(
        'REWARDS_SANDBOX_CLIENT_TOKEN',
      ),
    )
    .addOption(new Option('--allow-address <cidr...>', 'range that may be called beside public addresses and loopback'))
    .addHelpText('after', help)
    .exitOverride();
}

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(number <= 65_535)) throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return number;
}

async function main(argv: readonly string[]): Promise<number> {
  const program = command();
  try {
    program.parse(argv, { from: 'node' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    throw error;
  }
  const flags = program.opts<Flags>();
  if (!isLoopback(flags.host) && flags.insecureHttp !== true) {
    say(
      `${flags.host} is not a loopback address, and plain http is for loopback only. Add --insecure-http if you mean it.`,
    );
    return exitCodes.usage;
  }
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
  let sandbox: Sandbox;
  try {
    const key = await dataKey(flags.data, process.env.REWARDS_SANDBOX_KEY);
    const { port, host, data: dataDir, seed, clock, clientUrl, clientToken, allowAddress = [] } = flags;
    sandbox = await startSandbox({
      port,
      host,
      dataDir,
      key,
      warn: say,
      allowedAddresses: [...localAddresses, ...allowAddress],
      ...(seed && { seed }),
      ...(clock && { clock }),
      ...(clientUrl && { clientUrl }),
      ...(clientToken && { clientToken }),
    });
  } catch (error) {
    return explain(error, flags);
  }
  await announce(sandbox, flags);
  await stopped;
  say('Stopping: calls under way may end.');
  await sandbox.close();
  return exitCodes.ok;
}

/** Says in one line why the sandbox cannot start, and what to do. */
async function explain(error: unknown, { host, port, data }: Flags): Promise<number> {
  if (error instanceof OptionError) {
    say(error.message);
    return exitCodes.usage;
  }
  if (error instanceof StoreError) {
    say(`Cannot open the data in ${data}: ${error.message}`);
    if (error.code === 'locked') return exitCodes.dataLocked;
    return error.code === 'damaged' || error.code === 'wrong_key' ? exitCodes.dataDamaged : exitCodes.dataUnreadable;
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    say(
      `Port ${port} is held by ${await holder(host, port)}. Choose another with --port, or --port 0 for any free one.`,
    );
    return exitCodes.portBusy;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'EACCES' || code === 'ENOTFOUND') {
    say(`Cannot listen on ${host}:${port} (${code}). Choose another address with --host or --port.`);
    return exitCodes.portBusy;
  }
  say(`Cannot start: ${message}`);
  return exitCodes.failed;
}

/** Who answers on a busy port, as far as it says so itself. */
async function holder(host: string, port: number): Promise<string> {
  try {
    const reply = await fetch(`http://${host}:${port}/sandbox/v1/health`, { signal: AbortSignal.timeout(1000) });
    return reply.ok && reply.headers.has('x-trace-id') ? 'another rewards-sandbox' : 'another program';
  } catch (error) {
    return error instanceof Error ? 'another program' : 'something unknown';
  }
}

async function announce(sandbox: Sandbox, { json, data }: Flags): Promise<void> {
  const { urls, project_code } = sandbox.workspace;
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ ready: true, version, pid: process.pid, project_code, urls })}\n`);
    return;
  }
  const token = await sandbox.companyToken();
  process.stdout.write(
    [
      `Rewards sandbox ${version} is ready. Data: ${data}. Stop with Ctrl+C.`,
      `  Platform API  ${urls.rewards}`,
      `  Client API    ${urls.client}`,
      `  Control API   ${urls.sandbox}   (credentials: ${urls.sandbox}/workspace)`,
      'Try it (the token holds for an hour):',
      `  curl -s -H 'Authorization: ${token}' '${urls.rewards}/v1/partner/rewards?limit=2'`,
      '',
    ].join('\n'),
  );
}

/** Messages go to stderr, data to stdout. */
function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

process.exitCode = await main(process.argv);
