import { Command, InvalidArgumentError, Option } from 'commander';
import { servedContracts, serverNames } from '../apis/registry.ts';
import type { ServerAddresses } from '../conformance/har.ts';
import type { ReportFile } from '../conformance/reports.ts';
import type { Sources } from '../conformance/sources.ts';
import type { Weight } from '../contract/basis.ts';
import type { Upstreams } from '../proxy/proxy-options.ts';
import { adaptHelp } from './command-line.ts';
import {
  addresses,
  adminToken,
  percent,
  port,
  reports,
  required,
  seconds,
  separated,
  sources,
  url,
} from './option-values.ts';

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
  /** Whether Prism gives a second opinion. */
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
  0 clean: no findings at or above the --fail-on level, and enough coverage
  1 findings at that level, or too little coverage
  2 usage error
  3 nothing was checked, or environment: unreadable file, port in use, invalid contract
An error is a contract violation of the interface as specified, a warning one of this sandbox's assumptions. Each finding
names its source (basis).`;

const checkHelp = `
Examples:
  npm run check -- capture.har                            a HAR from a browser, mitmproxy or \`redocly respect -H\`
  npm run check -- run.json                               an export of newman or k6
  npm run check -- access.ndjson --server client=http://127.0.0.1:8080    an access log with bodies, one JSON object per line
  npm run check -- pacts/app-client.json --server client=http://127.0.0.1:8080    the interactions of a Pact file
  npm run check -- captures/                              every capture in a folder, in one report
  curl -s localhost:4010/sandbox/v1/activity | npm run check -- -    the activity log of a sandbox
  npm run check -- capture.har --report junit=check.xml --report sarif=check.sarif
  npm run check -- capture.har --report sarif=check.sarif --source src/server.js --source creditPoints=src/points.js:40
  npm run check -- capture.har --fail-on warning          also fail on the sandbox's assumptions
  npm run check -- capture.har --server client=http://127.0.0.1:8080    calls to your own server, without the /client prefix
  npm run check -- capture.har --complete --require observed=S,R6    a complete test run, and what it must exercise
  npm run check -- capture.har --server client=https://client.example/api --api client --min-coverage 80
${codes}`;

const proxyHelp = `
Examples:
  npm run proxy                                           in front of the sandbox on port 4010; send calls to port 4011
  npm run proxy -- --upstream client=https://client.example/api      your own client server under /client
  npm run proxy -- --mode enforce --fail-on warning       reject contract violations, including assumptions
  npm run proxy -- --no-prism                             no second opinion: faster, a third of the memory
  npm run proxy -- --report junit=proxy.xml --min-coverage 80        write the reports when it stops

While it runs, GET /__proxy/findings returns the report. The proxy adds X-Forwarded-For and Via to every call. The sandbox
receives the original Host; your own server receives its own name as Host and the original one as X-Forwarded-Host.
${codes}`;

const mockHelp = `
Serves stateless examples and generated values with Prism, without the sandbox's path prefix:
  npm run mock -- rewards && curl -H 'Authorization: any' localhost:4020/v1/partner/rewards`;

/** The commands other than the sandbox itself, their flags and their help. */
export function command(version: string, actions: Actions): Command {
  const program = new Command('rewards-sandbox').version(version).exitOverride();
  common(
    program
      .command('check')
      .argument(
        '<capture>',
        'HAR file, export of newman, k6 or the activity log, Pact file, access log, or a folder of them; - reads stdin',
      ),
  )
    .description('Validate captured traffic against the contracts.')
    .addOption(
      addresses('--server <name=url>', 'base URL of an API in the capture, if not under its usual prefix', serverNames),
    )
    .option(
      '--complete',
      'the capture contains every call for its customers, timed by one clock; missing calls and inconsistent balances are findings',
    )
    .addHelpText('after', adaptHelp(checkHelp))
    .action((capture: string, flags: CheckFlags) => actions.check(capture, flags));
  common(program.command('proxy'))
    .description('Forward calls, and validate requests and responses against the contracts.')
    .addOption(new Option('--port <number>', 'port to listen on; 0 picks a free port').default(4011).argParser(port))
    .addOption(new Option('--host <address>', 'address to listen on').default('127.0.0.1'))
    .option('--insecure-http', 'allow a non-loopback address')
    .addOption(
      new Option('--sandbox <url>', 'sandbox that receives all calls without an upstream')
        .default(new URL('http://127.0.0.1:4010'), 'http://127.0.0.1:4010')
        .argParser(url),
    )
    .option('--sandbox-certificate <file>', 'certificate of the sandbox (PEM) to trust, for any host name')
    .addOption(addresses('--upstream <name=url>', `server of an API: ${behind.join(', ')}`, behind))
    .addOption(
      new Option('--mode <mode>', 'report contract violations, or also reject them')
        .choices(['report', 'enforce'])
        .default('report'),
    )
    .addOption(new Option('--timeout <seconds>', 'response timeout').default(120).argParser(seconds))
    .addOption(
      new Option(
        '--admin-token <token>',
        "token for the proxy's own endpoints (default: none, readable from this machine over loopback only)",
      )
        .env('REWARDS_SANDBOX_ADMIN_TOKEN')
        .argParser(adminToken),
    )
    .addOption(
      new Option('--allow-host <name>', 'extra Host name to accept, in addition to localhost and IP addresses')
        .env('REWARDS_SANDBOX_ALLOW_HOST')
        .argParser(separated),
    )
    .option('--quiet', 'do not print findings as they occur')
    .option('--no-prism', 'do not validate every call with Prism as well')
    .addHelpText('after', adaptHelp(proxyHelp))
    .action((flags: ProxyFlags) => actions.proxy(flags));
  program
    .command('mock')
    .description('Serve one contract with the Prism CLI, without state.')
    .addArgument(program.createArgument('<api>', 'the contract').choices(servedContracts))
    .addOption(new Option('--port <number>', 'port to listen on').default(4020).argParser(port))
    .addHelpText('after', adaptHelp(mockHelp))
    .action((api: string, flags: { port: number }) => actions.mock(api, flags));
  return program;

  function common(of: Command): Command {
    return of
      .exitOverride()
      .addOption(
        new Option('--report <format=file>', 'also write json=, junit= or sarif= (repeatable)').argParser(reports),
      )
      .addOption(
        new Option(
          '--source <operation=path>',
          'source file (or path:line) that SARIF links findings of an operation to; without operation=, all other findings (repeatable)',
        ).argParser(sources),
      )
      .addOption(
        new Option('--fail-on <weight>', 'exit with 1 on errors only, or also on warnings')
          .choices(['error', 'warning'])
          .default('error'),
      )
      .addOption(
        new Option(
          '--min-coverage <percent>',
          'fail if fewer of the documented requests and successful responses occur',
        ).argParser(percent),
      )
      .addOption(
        new Option(
          '--require <observed=ids>',
          'fail unless these interface statements were exercised: ids such as A5, or sections such as S (repeatable)',
        ).argParser(required),
      )
      .addOption(
        new Option(
          '--api <name>',
          'contract to measure coverage of (repeatable; default: all except sandbox and pages)',
        ).argParser((name: string, previous: readonly string[] = []) => {
          if (!(servedContracts as readonly string[]).includes(name))
            throw new InvalidArgumentError(`It must be one of ${servedContracts.join(', ')}.`);
          return [...previous, name];
        }),
      )
      .option('--contracts <dir>', 'use the contracts from another version of this project')
      .option('--json', 'print the report as JSON');
  }
}

/** What the proxy can have a server behind. */
const behind = [...serverNames, 'webhook'];
