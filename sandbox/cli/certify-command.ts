import { Command, InvalidArgumentError, Option } from 'commander';
import { type ReportFile, type ReportFormat, reportFormats } from '../conformance/certification/report-files.ts';
import { asTyped } from './as-typed.ts';

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
  npm run certify -- --config certify.yaml                everything from a file; flags win over it
  npm run certify -- --config certify.yaml --only CRD-02  one requirement, or a group such as credit
  npm run certify -- --list                               the requirements, with what each needs
  npm run certify -- --config certify.yaml --basic user:password --otp-url 'http://localhost:8080/test/otp/{reference_id}'
  npm run certify -- --config certify.yaml --baseline known-failures.yaml --report json=certify.json
  npm run certify -- --config certify.yaml --report html=certify.html --certificate certificate.jws

It changes the ledger of the server and restores it. Use a test environment and test customers.

Exit codes:
  0 every mandatory requirement that applies was judged, and holds or is known to fail
  1 something failed, could not be judged for what else is wrong, or is known to fail and holds now
  2 usage   3 environment: no server, no such customer, too few points, nothing that could be judged
  4 this suite broke, which is no fault of the server
  5 partial: what was judged holds, but a mandatory requirement was not judged; 0 with --allow-partial
  130 ended by SIGINT or SIGTERM`;

/** The command, its flags and its help. */
export function certifyCommand(version: string): Command {
  const command = new Command('rewards-sandbox certify')
    .description(
      'Call a client server as the platform and the microsite do, and say of each requirement whether it holds.',
    )
    .version(version);
  const options = [...server, ...codes, ...selection, ...outcome];
  return options
    .reduce((known, option) => known.addOption(option), command)
    .addHelpText('after', asTyped(help))
    .exitOverride();
}

const server = [
  new Option('--client-url <url>', "address of the client's API, such as http://localhost:8080"),
  new Option('--service-token <token>', 'what the platform shows where no customer is present').env(
    'REWARDS_SANDBOX_CLIENT_TOKEN',
  ),
  new Option('--basic <user:password>', 'credentials of the microsite for sign-in').env('REWARDS_SANDBOX_CLIENT_BASIC'),
  new Option('--api <version>', 'judge this version only (default: those that the server has)').choices([
    'v1',
    'v2',
    'both',
  ]),
  new Option(
    '--customer <uid>',
    'customer to act for; the first is used most, some need a second (repeat it)',
  ).argParser(repeated),
  new Option('--balance <points>', 'points that the first customer must have (default: 5000)').argParser(whole),
  new Option(
    '--project-code <code>',
    "scheme and projectCode of redemptions (default: that of the customer's profile)",
  ),
  new Option(
    '--expired-token <jwt>',
    "a customer's JWT that has expired (default: waits for one, if tokens work for 60 s or less)",
  ),
  new Option('--sandbox <url>', 'a running sandbox, whose outbox and activity log are read'),
  new Option('--admin-token <token>', 'opens its control API').env('REWARDS_SANDBOX_ADMIN_TOKEN'),
  new Option('--webhook-url <url>', 'where the server takes catalogue updates'),
  new Option('--webhook-secret <secret>', 'what they are signed with, whsec_...'),
  new Option('--yes', 'call a server on another machine, and change its ledger'),
];

const codes = [
  new Option('--otp <code>', 'the one-time password is always this one'),
  new Option('--otp-command <cmd>', 'prints it; {customer_id} and {reference_id} are filled in'),
  new Option('--otp-url <url>', 'GET answers it, as text or JSON with otp or code; the same are filled in'),
  new Option('--otp-gateway', 'the server sends it to the message gateway of --sandbox'),
];

const selection = [
  new Option('--config <file>', 'YAML with all of this; certify.schema.json among the downloads describes it'),
  new Option('--requirements <edition>', 'current, or a released edition such as 1.0 (default: current)'),
  new Option('--only <names>', 'ids of requirements or groups, and nothing else (repeat it, or use commas)').argParser(
    separated,
  ),
  new Option('--skip <names>', 'ids of requirements or groups to leave out').argParser(separated),
  new Option('--slow', 'also what waits for more than 3 s'),
  new Option('--seed <text>', 'decides the order and what is drawn (default: 1)'),
  new Option('--timeout <seconds>', 'longest wait for an answer, at most 15 (default: 15)').argParser(seconds),
  new Option('--list', 'print the requirements, and call nothing'),
];

const outcome = [
  new Option(
    '--fail-on <weight>',
    'what ends with exit code 1: failures of mandatory requirements, or of recommended ones too (default: must)',
  ).choices(['must', 'should']),
  new Option('--allow-partial', 'end with exit code 0 though mandatory requirements were not judged'),
  new Option('--baseline <file>', 'YAML list of failures that are known, each with id and reason'),
  new Option(
    '--report <format=file>',
    `also write ${reportFormats.map((format) => `${format}=`).join(', ')} (repeat it for more)`,
  ).argParser(report),
  new Option('--certificate <file>', 'write a signed certificate of the run; `certificate verify` checks it'),
  new Option('--signing-key <file>', 'sign it with this Ed25519 key (PEM), not with the one of the data folder'),
  new Option('--witness <name>', 'who vouches for the run; goes with --signing-key'),
  new Option('--data <dir>', "folder of this sandbox's own key").env('REWARDS_SANDBOX_DATA').default('.sandbox-data'),
  new Option('--json', 'print the report, or the list, as JSON'),
  new Option('--quiet', 'print failures and the outcome only'),
];

function repeated(text: string, known: readonly string[] = []): readonly string[] {
  return [...known, text];
}

/** An option that may be repeated, and may name several with commas in between. */
function separated(text: string, known: readonly string[] = []): readonly string[] {
  return [...known, ...text.split(',').map((part) => part.trim())];
}

function whole(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number.parseInt(text, 10);
}

function seconds(text: string): number {
  const number = /^\d{1,2}(\.\d{1,3})?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (!(number >= 0.1 && number <= 15)) throw new InvalidArgumentError('Give seconds from 0.1 to 15.');
  return number;
}

function report(text: string, known: readonly ReportFile[] = []): readonly ReportFile[] {
  const [, format = '', file = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!isFormat(format))
    throw new InvalidArgumentError(`Give ${reportFormats.map((name) => `${name}=FILE`).join(' or ')}.`);
  return [...known, { format, file }];
}

function isFormat(text: string): text is ReportFormat {
  return (reportFormats as readonly string[]).includes(text);
}
