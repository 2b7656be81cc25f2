import { Command, InvalidArgumentError, Option } from 'commander';
import { type DemoData, demoDataKinds } from '../client/profiles.ts';
import { type LogLevel, logLevels } from '../operator/log-levels.ts';
import type { OperationsAddress } from '../operator/watched.ts';
import type { ClockMode } from '../runtime/clock.ts';
import type { ShareAddress } from '../server/instance-listener.ts';
import { asTyped } from './as-typed.ts';

/** What the command line asks for. */
export interface Flags {
  readonly port: number;
  readonly host: string;
  readonly data: string;
  readonly store?: string;
  readonly seed?: string;
  readonly demoData?: DemoData;
  readonly clock?: ClockMode;
  readonly json?: boolean;
  readonly insecureHttp?: boolean;
  readonly https?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientUrl?: string;
  readonly clientToken?: string;
  /** False for `--no-proxy`. */
  readonly proxy: boolean;
  readonly allowAddress?: readonly string[];
  readonly adminToken?: string;
  readonly trustedProxy?: readonly string[];
  readonly allowHost?: readonly string[];
  readonly publicUrl?: string;
  readonly docs: boolean;
  readonly workspaces?: number;
  readonly maxCreated?: number;
  readonly maxLoaded?: number;
  /** In MiB. */
  readonly maxWorkspaceSize?: number;
  readonly share?: ShareAddress;
  readonly operations?: OperationsAddress;
  readonly logLevel?: LogLevel;
}

const help = `
Examples:
  npm start                                     everything on http://127.0.0.1:4010, data in .sandbox-data
  npm start -- --port 0 --json                  any free port; one JSON line with all addresses when ready
  npm start -- --client-url http://localhost:8080 --client-token SECRET
                                                your own client server in place of the reference client
  npm start -- --clock frozen --data ./run1     time stands still until POST /sandbox/v1/clock/advance

Commands, each with a --help of its own:
  start        what is done where no command is named, with the flags above
  check        hold captured traffic against the contracts         rewards-sandbox check capture.har
  proxy        pass calls on, and hold them against the contracts  rewards-sandbox proxy --mode enforce
  mock         serve the examples of one contract                  rewards-sandbox mock rewards
  workflows    run the journeys, or Arazzo documents of your own    rewards-sandbox workflows earn wallet
  certify      try a client server, requirement by requirement     rewards-sandbox certify --config certify.yaml
  certificate  check what a certification signed                   rewards-sandbox certificate verify certificate.jws
  init         copy a client server to start from                  rewards-sandbox init --lang python
  export       write all data into one file                        rewards-sandbox export sandbox.backup
  import       fill an empty folder or database from it            rewards-sandbox import sandbox.backup --data ./restored
  completion   complete commands and flags in bash, zsh or fish    rewards-sandbox completion bash
  mcp          let an agent look into a running sandbox            rewards-sandbox mcp --write
  workspaces   find, rename, extend and delete workspaces          rewards-sandbox workspaces list --search meadow

Environment:
  REWARDS_SANDBOX_KEY                        64 hex digits that encrypt the data; left out, a key file is made beside it
  REWARDS_SANDBOX_STORE                      as --store, without the password in the list of processes

Exit codes:
  0 stopped by SIGINT or SIGTERM   1 failed   2 usage   3 port is busy   4 data folder cannot be used
  5 data folder is in use by another process   6 data is damaged, or the key does not open it
  7 certificate or its key cannot be used`;

/** The command, its flags and its help. */
export function command(version: string): Command {
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
      new Option(
        '--store <url>',
        'a PostgreSQL database to keep the data in instead, postgres://user:password@host/database; needs REWARDS_SANDBOX_KEY',
      ).env('REWARDS_SANDBOX_STORE'),
    )
    .addOption(
      new Option(
        '--seed <text>',
        'decides the demo data, codes and secrets of a new data folder (default: demo; with a --host that is not loopback codes and secrets are random then, and a seed needs 16 characters)',
      ).env('REWARDS_SANDBOX_SEED'),
    )
    .addOption(
      new Option(
        '--demo-data <kind>',
        "mobile numbers and PANs of the demo customers of a new data folder: impossible ones, or plausible ones that validators take and that may be somebody's (default: impossible)",
      )
        .choices([...demoDataKinds])
        .env('REWARDS_SANDBOX_DEMO_DATA'),
    )
    .addOption(
      new Option('--clock <mode>', 'sandbox time runs, or stands still')
        .choices(['running', 'frozen'])
        .env('REWARDS_SANDBOX_CLOCK'),
    )
    .addOption(new Option('--json', 'print one JSON line with all addresses when ready').env('REWARDS_SANDBOX_JSON'))
    .addOption(new Option('--insecure-http', 'allow plain http on an address that is not loopback'))
    .addOption(new Option('--https', 'serve TLS 1.2 and 1.3, with a certificate for localhost made on the first start'))
    .addOption(new Option('--tls-cert <file>', 'a certificate of your own instead, in PEM; with --tls-key'))
    .addOption(new Option('--tls-key <file>', 'its private key, in PEM'))
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
    .addOption(
      new Option(
        '--admin-token <token>',
        'opens the control API, and is then asked for on this machine too; left out, a random one for other machines',
      )
        .env('REWARDS_SANDBOX_ADMIN_TOKEN')
        .argParser(adminToken),
    )
    .addOption(new Option('--no-proxy', 'no validation proxy on the next port (with --port 0 there is none either)'))
    .addOption(
      new Option(
        '--allow-address <cidr...>',
        'range that may be called beside public addresses and loopback; a private one also over plain http, as http://app:8080 in a network of containers',
      )
        .env('REWARDS_SANDBOX_ALLOW_ADDRESS')
        .argParser(separated),
    )
    .addOption(
      new Option('--trusted-proxy <cidr...>', 'range of proxies in front whose X-Forwarded-For tells the caller')
        .env('REWARDS_SANDBOX_TRUSTED_PROXY')
        .argParser(separated),
    )
    .addOption(
      new Option(
        '--allow-host <name>',
        'name that the sandbox answers to, beside localhost, IP addresses and its certificate',
      )
        .env('REWARDS_SANDBOX_ALLOW_HOST')
        .argParser(separated),
    )
    .addOption(
      new Option(
        '--public-url <url>',
        'address that others find it under, as that of a load balancer: it is what workspaces show',
      ).env('REWARDS_SANDBOX_PUBLIC_URL'),
    )
    .addOption(
      new Option(
        '--workspaces <number>',
        'how many workspaces there can be, the demo workspace included (default: 100, with --store 10000)',
      )
        .env('REWARDS_SANDBOX_WORKSPACES')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--max-created <number>',
        'how many workspaces can be created with the token of any but the demo workspace (default: 10)',
      )
        .env('REWARDS_SANDBOX_MAX_CREATED')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--max-loaded <number>',
        'with --share: how many of them an instance has in memory at the same time (default: 1000)',
      )
        .env('REWARDS_SANDBOX_MAX_LOADED')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option('--max-workspace-size <MiB>', 'how much data a workspace can hold (default: 256)')
        .env('REWARDS_SANDBOX_MAX_WORKSPACE_SIZE')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--share <[host:]port>',
        'share the workspaces of --store with other instances, which hand calls on to this address',
      )
        .env('REWARDS_SANDBOX_SHARE')
        .argParser(operations),
    )
    .addOption(
      new Option(
        '--operations <[host:]port>',
        'where /healthz, /readyz and /metrics are answered, for whoever runs it; on loopback where no host is named',
      )
        .env('REWARDS_SANDBOX_OPERATIONS')
        .argParser(operations),
    )
    .addOption(
      new Option(
        '--log-level <level>',
        'write messages, and with info a line for each call, with error those that failed only, as JSON to stderr',
      )
        .choices(logLevels)
        .env('REWARDS_SANDBOX_LOG_LEVEL'),
    )
    .addOption(new Option('--no-docs', 'neither build nor serve the documentation at /docs'))
    .addHelpText('after', asTyped(help))
    .exitOverride();
}

function adminToken(text: string): string {
  if (!/^[!-~]{16,256}$/.test(text)) throw new InvalidArgumentError('It must have 16 to 256 visible characters.');
  return text;
}

function port(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(number <= 65_535)) throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return number;
}

function operations(text: string): OperationsAddress {
  const [, host, digits = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  const plain = host?.replace(/^\[(.+)\]$/, '$1');
  return { port: port(digits), ...(plain !== undefined && { host: plain }) };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number.parseInt(text, 10);
}

/** An option that may be repeated, and may name several with commas in between, as one environment variable must. */
function separated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((part) => part.trim())];
}
