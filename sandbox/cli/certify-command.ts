import { Command, InvalidArgumentError, Option } from 'commander';
import { type ReportFile, type ReportFormat, reportFormats } from '../certification/report-files.ts';
import { adaptHelp } from './command-line.ts';

/** What the command line asks for; what it leaves out may stand in the configuration. */
export interface CertifyFlags {
  readonly clientUrl?: string;
  readonly serviceToken?: string;
  readonly basic?: string;
  readonly api?: 'v1' | 'v2' | 'both';
  readonly config?: string;
  readonly customer?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly list?: boolean;
  readonly seed?: string;
  readonly requirements?: string;
  readonly baseline?: string;
  readonly report?: readonly ReportFile[];
  readonly certificate?: string;
  readonly signingKey?: string;
  readonly witness?: string;
  readonly data: string;
  readonly failOn?: 'must' | 'should';
  readonly allowPartial?: boolean;
  readonly slow?: boolean;
  readonly timeout?: number;
  readonly balance?: number;
  readonly projectCode?: string;
  readonly expiredToken?: string;
  readonly webhookUrl?: string;
  readonly webhookSecret?: string;
  readonly sandbox?: string;
  readonly adminToken?: string;
  readonly otp?: string;
  readonly otpCommand?: string;
  readonly otpUrl?: string;
  readonly otpGateway?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const help = `
Examples:
  npm run certify -- --client-url http://localhost:8080 --service-token SECRET --customer CUST0001
  npm run certify -- --config certify.yaml                all settings from a file; flags override it
  npm run certify -- --config certify.yaml --only CRD-02  only one requirement, or a group such as credit
  npm run certify -- --list                               list the requirements and what each needs
  npm run certify -- --config certify.yaml --basic user:password --otp-url 'http://localhost:8080/test/otp/{reference_id}'
  npm run certify -- --config certify.yaml --baseline known-failures.yaml --report json=certify.json
  npm run certify -- --config certify.yaml --report html=certify.html --certificate certificate.jws

The run changes balances on your server and restores them. Use a test environment and test customers.

Exit codes:
  0 all applicable mandatory requirements passed or are known failures
  1 a requirement failed, could not be checked because of another fault, or passed despite being a known failure
  2 usage error   3 environment: server not reachable, unknown customer, too few points, nothing to check
  4 internal error in the certification suite, not in your server
  5 partial: no failures, but some mandatory requirements were not checked (0 with --allow-partial)
  130 stopped by SIGINT or SIGTERM`;

/** The command, its flags and its help. */
export function certifyCommand(version: string): Command {
  const command = new Command('rewards-sandbox certify')
    .description('Call a client server as the platform and the microsite do, and check it against each requirement.')
    .version(version);
  const options = [...server, ...codes, ...selection, ...outcome];
  return options
    .reduce((extended, option) => extended.addOption(option), command)
    .addHelpText('after', adaptHelp(help))
    .exitOverride();
}

const server = [
  new Option('--client-url <url>', "address of the client's API, such as http://localhost:8080"),
  new Option('--service-token <token>', 'token the platform sends when no customer is signed in').env(
    'REWARDS_SANDBOX_CLIENT_TOKEN',
  ),
  new Option('--basic <user:password>', 'Basic credentials the microsite sends at sign-in').env(
    'REWARDS_SANDBOX_CLIENT_BASIC',
  ),
  new Option('--api <version>', 'check only this version (default: the versions your server implements)').choices([
    'v1',
    'v2',
    'both',
  ]),
  new Option(
    '--customer <uid>',
    'test customer; most requirements use the first, some need a second (repeatable)',
  ).argParser(repeated),
  new Option('--balance <points>', 'minimum balance of the first customer (default: 5000)').argParser(whole),
  new Option(
    '--project-code <code>',
    "scheme and projectCode of redemptions (default: that of the customer's profile)",
  ),
  new Option(
    '--expired-token <jwt>',
    'an expired customer JWT (default: waits for one to expire, if tokens last 60 s or less)',
  ),
  new Option('--sandbox <url>', 'running sandbox to read the outbox and activity log from'),
  new Option('--admin-token <token>', 'token for the control API of --sandbox').env('REWARDS_SANDBOX_ADMIN_TOKEN'),
  new Option('--webhook-url <url>', 'URL on your server that receives catalogue updates'),
  new Option('--webhook-secret <secret>', 'signing secret of the catalogue updates, whsec_...'),
  new Option('--yes', 'allow a server on another machine, and changes to its balances'),
];

const codes = [
  new Option('--otp <code>', 'fixed one-time password'),
  new Option(
    '--otp-command <cmd>',
    'command that prints the one-time password; {customer_id} and {reference_id} are replaced',
  ),
  new Option(
    '--otp-url <url>',
    'URL that returns the one-time password, as text or as JSON with otp or code; same placeholders',
  ),
  new Option('--otp-gateway', 'your server sends the one-time password to the message gateway of --sandbox'),
];

const selection = [
  new Option('--config <file>', 'YAML file with these settings; its schema is certify.schema.json in the downloads'),
  new Option(
    '--requirements <edition>',
    'edition of the requirements: current, or a release such as 1.0 (default: current)',
  ),
  new Option('--only <names>', 'check only these requirements or groups (repeatable, or comma-separated)').argParser(
    separated,
  ),
  new Option('--skip <names>', 'skip these requirements or groups').argParser(separated),
  new Option('--slow', 'include requirements that take longer than 3 s'),
  new Option('--seed <text>', 'seed for the order and the random values (default: 1)'),
  new Option('--timeout <seconds>', 'response timeout, at most 15 (default: 15)').argParser(seconds),
  new Option('--list', 'list the requirements without calling the server'),
];

const outcome = [
  new Option(
    '--fail-on <weight>',
    'exit with 1 on failed mandatory requirements (must), or also on recommended ones (should) (default: must)',
  ).choices(['must', 'should']),
  new Option('--allow-partial', 'exit with 0 even if mandatory requirements were not checked'),
  new Option('--baseline <file>', 'YAML list of known failures, each with id and reason'),
  new Option(
    '--report <format=file>',
    `also write ${reportFormats.map((format) => `${format}=`).join(', ')} (repeatable)`,
  ).argParser(report),
  new Option('--certificate <file>', 'write a signed certificate; verify it with `certificate verify`'),
  new Option(
    '--signing-key <file>',
    'Ed25519 key (PEM) that signs the certificate (default: the key in the data folder)',
  ),
  new Option('--witness <name>', 'name of the witness who signs the certificate; requires --signing-key'),
  new Option('--data <dir>', 'folder with the signing key of this sandbox')
    .env('REWARDS_SANDBOX_DATA')
    .default('.sandbox-data'),
  new Option('--json', 'print the report or the list as JSON'),
  new Option('--quiet', 'print only failures and the result'),
];

function repeated(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, text];
}

/** An option that may be repeated, and may name several with commas in between. */
function separated(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...text.split(',').map((part) => part.trim())];
}

function whole(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number.parseInt(text, 10);
}

function seconds(text: string): number {
  const number = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (!(number >= 0.1 && number <= 15))
    throw new InvalidArgumentError('It must be a number of seconds from 0.1 to 15.');
  return number;
}

function report(text: string, previous: readonly ReportFile[] = []): readonly ReportFile[] {
  const [, format = '', file = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!isFormat(format))
    throw new InvalidArgumentError(`Use ${reportFormats.map((name) => `${name}=FILE`).join(' or ')}.`);
  return [...previous, { format, file }];
}

function isFormat(text: string): text is ReportFormat {
  return (reportFormats as readonly string[]).includes(text);
}
