/** The `doctor` command, which checks whether the platform could call a partner's server, and suggests changes. */
import { type Command, Option } from 'commander';
import { type Check, checkConnection } from '../certification/connection-check.ts';
import { writeLines } from '../runtime/terminal.ts';
import { type Act, url } from './command-line.ts';
import type { Io } from './io.ts';

interface DoctorFlags {
  readonly clientUrl: string;
  readonly clientToken: string;
  readonly customer: string;
  readonly clientBasic?: string;
  readonly json?: boolean;
}

const help = `
Examples:
  rewards-sandbox doctor --client-url http://localhost:8080 --client-token SECRET --customer CUST0001
  rewards-sandbox doctor --client-url https://rewards.example/api --client-token SECRET --customer CUST0001 --client-basic user:password

The command changes nothing and sends no code to a customer.

Exit codes:
  0 the platform can call the server   1 something must be changed   2 usage error`;

const marks = { ok: 'ok', wrong: 'WRONG', doubtful: 'doubtful' } as const;

/** Adds the `doctor` command to the program. */
export function addTo(program: Command, act: Act): void {
  program
    .command('doctor')
    .description('Check whether the platform can call your server: address, path, token, customer, format, time.')
    .addOption(new Option('--client-url <url>', 'address of the client API').makeOptionMandatory().argParser(addressOf))
    .addOption(
      new Option('--client-token <token>', 'service token that the platform sends')
        .env('REWARDS_SANDBOX_CLIENT_TOKEN')
        .makeOptionMandatory(),
    )
    .requiredOption('--customer <id>', 'ID of a customer that exists on your server')
    .addOption(
      new Option('--client-basic <user:password>', 'credentials of the microsite, to check its calls as well').env(
        'REWARDS_SANDBOX_CLIENT_BASIC',
      ),
    )
    .option('--json', 'print one JSON line per check')
    .addHelpText('after', help)
    .action(act(doctor));
}

/** Parses a URL and removes the trailing slash that users often add. */
function addressOf(text: string): string {
  const { origin, pathname } = url(text);
  return `${origin}${pathname.replace(/\/$/, '')}`;
}

async function doctor(io: Io, { clientUrl, clientToken, customer, clientBasic, json }: DoctorFlags): Promise<number> {
  const subject = { url: clientUrl, token: clientToken, customer, ...(clientBasic && { basic: clientBasic }) };
  let code = 0;
  for await (const check of checkConnection(subject, Date.now)) {
    writeLines(io.stdout, ...(json === true ? [JSON.stringify(check)] : linesOf(check)));
    if (check.state === 'wrong') code = 1;
  }
  return code;
}

function linesOf({ name, state, found, change }: Check): readonly string[] {
  const line = `${marks[state].padEnd(9)} ${name}: ${found}`;
  return change === undefined ? [line] : [line, `${' '.repeat(10)}${change}`];
}
