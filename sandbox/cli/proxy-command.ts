import { Command, InvalidArgumentError, Option } from 'commander';
import { servedContracts, serverNames } from '../apis/registry.ts';
import type { ServerAddresses } from '../conformance/har.ts';
import type { Upstreams } from '../conformance/proxy-options.ts';
import { type ReportFile, reportFile } from '../conformance/reports.ts';
import { type Sources, sourceOf } from '../conformance/sources.ts';
import { isRequirable } from '../conformance/statements/required.ts';
import type { Weight } from '../contract/basis.ts';
import { asTyped } from './as-typed.ts';

/** What `check` and `proxy` share. */
interface Common {
  readonly report?: readonly ReportFile[];
  readonly source?: Sources;
  readonly minCoverage?: number;
  readonly require?: readonly string[];
  readonly failOn: Weight;
  readonly api?: readonly string[];
  readonly contracts?: string;
  readonly json?: boolean;
}

export interface CheckFlags extends Common {
  readonly server?: ServerAddresses;
  readonly complete?: boolean;
}

export interface ProxyFlags extends Common {
  readonly port: number;
  readonly host: string;
  readonly insecureHttp?: boolean;
  readonly sandbox: URL;
  readonly sandboxCertificate?: string;
  readonly upstream?: Upstreams;
  readonly mode: 'report' | 'enforce';
  readonly timeout: number;
  readonly adminToken?: string;
  readonly allowHost?: readonly string[];
  readonly quiet?: boolean;
  /** Whether Prism is asked for a second opinion. */
  readonly prism: boolean;
}

/** What is run for each command. */
export interface Actions {
  check(capture: string, flags: CheckFlags): Promise<void>;
  proxy(flags: ProxyFlags): Promise<void>;
  mock(api: string, flags: { readonly port: number }): Promise<void>;
}

const codes = `
Exit codes:
  0 clean: nothing of the weight that --fail-on asks for, and enough coverage
  1 findings of that weight, or too little coverage
  2 usage
  3 nothing was checked, or the environment: a file, a port, a contract that does not compile
An error breaks what the interface states, a warning an assumption of this sandbox; each finding names which (basis).`;

const checkHelp = `
Examples:
  npm run check -- capture.har                            a HAR of a browser, mitmproxy or \`redocly respect -H\`
  npm run check -- run.json                               what newman exports or k6 writes of a run
  npm run check -- access.ndjson --server client=http://127.0.0.1:8080    an access log with bodies, a JSON object on each line
  npm run check -- pacts/app-client.json --server client=http://127.0.0.1:8080    the interactions of a Pact file
  npm run check -- captures/                              every capture in a folder, in one report
  curl -s localhost:4010/sandbox/v1/activity | npm run check -- -    what the sandbox itself has seen
  npm run check -- capture.har --report junit=check.xml --report sarif=check.sarif
  npm run check -- capture.har --report sarif=check.sarif --source src/server.js --source creditPoints=src/points.js:40
  npm run check -- capture.har --fail-on warning         assumptions of the sandbox count too
  npm run check -- capture.har --server client=http://127.0.0.1:8080    calls to your own server, which has no /client
  npm run check -- capture.har --complete --require observed=S,R6    the whole of a test run, and what it has to exercise
  npm run check -- capture.har --server client=https://client.example/api --api client --min-coverage 80
${codes}`;

const proxyHelp = `
Examples:
  npm run proxy                                           in front of the sandbox on port 4010, calls go to port 4011
  npm run proxy -- --upstream client=https://client.example/api      a client server of your own behind /client
  npm run proxy -- --mode enforce --fail-on warning       what breaks a contract is refused, assumptions too
  npm run proxy -- --no-prism                             faster, and a third of the memory: no second opinion
  npm run proxy -- --report junit=proxy.xml --min-coverage 80        the reports are written when it stops

While it runs, GET /__proxy/findings answers the report. The sandbox gets the Host of each call, and all get
X-Forwarded-For and Via; a server of your own gets its own name as Host, and the caller's as X-Forwarded-Host.
${codes}`;

const mockHelp = `
Serves examples and made-up values without any state, as Prism does, without the prefix of the sandbox:
  npm run mock -- rewards && curl -H 'Authorization: any' localhost:4020/v1/partner/rewards`;

/** The commands beside the sandbox itself, their flags and their help. */
export function command(version: string, actions: Actions): Command {
  const program = new Command('rewards-sandbox').version(version).exitOverride();
  common(
    program
      .command('check')
      .argument(
        '<capture>',
        'a HAR, an export of newman, k6 or the activity log, a Pact file, an access log, or a folder of them; - reads standard input',
      ),
  )
    .description('Hold captured traffic against the contracts.')
    .addOption(
      addresses('--server <name=url>', 'where an API of the capture was, when not under its prefix', serverNames),
    )
    .option(
      '--complete',
      'the capture holds every call about its customers, by one clock: a call that is missing is a finding then, and so is a balance that does not follow',
    )
    .addHelpText('after', asTyped(checkHelp))
    .action((capture: string, flags: CheckFlags) => actions.check(capture, flags));
  common(program.command('proxy'))
    .description('Pass calls on, and hold requests and replies against the contracts.')
    .addOption(new Option('--port <number>', 'port to listen on, 0 for any free one').default(4011).argParser(port))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .option('--insecure-http', 'allow an address that is not loopback')
    .addOption(
      new Option('--sandbox <url>', 'where everything without an upstream goes')
        .default(new URL('http://127.0.0.1:4010'), 'http://127.0.0.1:4010')
        .argParser(url),
    )
    .option('--sandbox-certificate <file>', 'the certificate that the sandbox is known by, in PEM, whatever its name')
    .addOption(addresses('--upstream <name=url>', `server behind an API: ${behind.join(', ')}`, behind))
    .addOption(
      new Option('--mode <mode>', 'note what breaks a contract, or refuse it')
        .choices(['report', 'enforce'])
        .default('report'),
    )
    .addOption(new Option('--timeout <seconds>', 'longest wait for a reply').default(120).argParser(seconds))
    .addOption(
      new Option(
        '--admin-token <token>',
        'opens what the proxy answers itself; left out, only this machine may read it, and only on loopback',
      )
        .env('REWARDS_SANDBOX_ADMIN_TOKEN')
        .argParser(adminToken),
    )
    .addOption(
      new Option('--allow-host <name>', 'name that the proxy answers to, beside localhost and IP addresses')
        .env('REWARDS_SANDBOX_ALLOW_HOST')
        .argParser(separated),
    )
    .option('--quiet', 'do not print findings as they come')
    .option('--no-prism', 'leave out the second opinion: Prism, which validates every exchange too')
    .addHelpText('after', asTyped(proxyHelp))
    .action((flags: ProxyFlags) => actions.proxy(flags));
  program
    .command('mock')
    .description('Serve one contract with the Prism CLI: shapes, no state.')
    .addArgument(program.createArgument('<api>', 'the contract').choices(servedContracts))
    .addOption(new Option('--port <number>', 'port to listen on').default(4020).argParser(port))
    .addHelpText('after', asTyped(mockHelp))
    .action((api: string, flags: { port: number }) => actions.mock(api, flags));
  return program;

  function common(of: Command): Command {
    return of
      .exitOverride()
      .addOption(
        new Option('--report <format=file>', 'also write json=, junit= or sarif= (repeat it for more)').argParser(
          reports,
        ),
      )
      .addOption(
        new Option(
          '--source <operation=path>',
          'file of your repository that SARIF puts findings of an operation at, path:line too; without operation= those of all others (repeat it for more)',
        ).argParser(sources),
      )
      .addOption(
        new Option('--fail-on <weight>', 'lightest findings that end with exit code 1: errors only, or warnings too')
          .choices(['error', 'warning'])
          .default('error'),
      )
      .addOption(
        new Option('--min-coverage <percent>', 'fail below this share of documented requests and successes').argParser(
          percent,
        ),
      )
      .addOption(
        new Option(
          '--require <observed=ids>',
          'fail unless these statements of the interface were exercised: ids such as A5, or sections such as S (repeat it for more)',
        ).argParser(required),
      )
      .addOption(
        new Option(
          '--api <name>',
          'contract whose coverage counts (repeat it for more; default: all but sandbox and pages)',
        ).argParser((name: string, known: readonly string[] = []) => {
          if (!(servedContracts as readonly string[]).includes(name))
            throw new InvalidArgumentError(`Give one of ${servedContracts.join(', ')}.`);
          return [...known, name];
        }),
      )
      .option('--contracts <dir>', 'check against the contracts of another version of this project')
      .option('--json', 'print the report as JSON');
  }
}

/** What the proxy can have a server behind. */
const behind = [...serverNames, 'webhook'];

function addresses(flag: string, text: string, names: readonly string[]): Option {
  return new Option(flag, `${text} (repeat it for more)`).argParser((value: string, known: Upstreams = {}) => {
    const [, name = '', address = ''] = /^(\w+)=(.+)$/.exec(value) ?? [];
    if (!names.includes(name)) throw new InvalidArgumentError(`Give NAME=URL, with a name of ${names.join(', ')}.`);
    return { ...known, [name]: url(address) };
  });
}

function url(text: string): URL {
  const parsed = URL.parse(text);
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new InvalidArgumentError('Give an http or https URL.');
  return parsed;
}

function reports(text: string, known: readonly ReportFile[] = []): readonly ReportFile[] {
  const file = reportFile(text);
  if (file === undefined) throw new InvalidArgumentError('Give json=FILE, junit=FILE or sarif=FILE.');
  return [...known, file];
}

function sources(text: string, known: Sources = new Map()): Sources {
  const source = sourceOf(text);
  if (source === undefined)
    throw new InvalidArgumentError('Give PATH, PATH:LINE or OPERATION=PATH:LINE, from the root of your repository.');
  return new Map([...known, source]);
}

function required(text: string, known: readonly string[] = []): readonly string[] {
  const [, list = ''] = /^observed=(.+)$/.exec(text) ?? [];
  const ids = list.split(',').map((id) => id.trim());
  const unknown = ids.filter((id) => !isRequirable(id));
  if (unknown.length > 0)
    throw new InvalidArgumentError('Give observed= and statements that traffic can show, such as observed=S,R6.');
  return [...known, ...ids];
}

function port(text: string): number {
  return within(text, 65_535);
}

function percent(text: string): number {
  return within(text, 100);
}

function seconds(text: string): number {
  return within(text, 86_400);
}

function adminToken(text: string): string {
  if (!/^[!-~]{16,256}$/.test(text)) throw new InvalidArgumentError('It must have 16 to 256 visible characters.');
  return text;
}

/** An option that may be repeated, and may name several with commas in between, as one environment variable must. */
function separated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((part) => part.trim())];
}

function within(text: string, most: number): number {
  const number = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(number <= most)) throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
  return number;
}
