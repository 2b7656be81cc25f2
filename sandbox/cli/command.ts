import { Command, InvalidArgumentError, Option } from 'commander';
import { type DemoData, demoDataKinds } from '../client/profiles.ts';
import type { ShareAddress } from '../http/instance-listener.ts';
import { type LogLevel, logLevels } from '../operator/log-levels.ts';
import type { OperationsAddress } from '../operator/watched.ts';
import type { ClockMode } from '../runtime/clock.ts';
import { adaptHelp } from './command-line.ts';

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
                                                your own client server instead of the reference client
  npm start -- --clock frozen --data ./run1     clock frozen until POST /sandbox/v1/clock/advance

Commands (run one with --help for its options):
  start        start the sandbox (default), with the options above
  check        validate captured traffic against the contracts     rewards-sandbox check capture.har
  proxy        forward calls and validate them                     rewards-sandbox proxy --mode enforce
  mock         serve the examples of one contract                  rewards-sandbox mock rewards
  workflows    run the journeys, or your own Arazzo documents      rewards-sandbox workflows earn wallet
  certify      test a client server against the requirements       rewards-sandbox certify --config certify.yaml
  certificate  verify the certificate of a certification           rewards-sandbox certificate verify certificate.jws
  init         copy a client server to start from                  rewards-sandbox init --lang python
  export       back up all data to one file                        rewards-sandbox export sandbox.backup
  import       restore a backup into an empty folder or database   rewards-sandbox import sandbox.backup --data ./restored
  completion   print shell completion for bash, zsh or fish        rewards-sandbox completion bash
  mcp          connect an AI agent to a running sandbox            rewards-sandbox mcp --write
  workspaces   find, rename, extend and delete workspaces          rewards-sandbox workspaces list --search meadow

Environment:
  REWARDS_SANDBOX_KEY                        encryption key, 64 hex digits (default: a key file in the data folder)
  REWARDS_SANDBOX_STORE                      same as --store, but hides the password from the process list
  OTEL_EXPORTER_OTLP_ENDPOINT                send traces by OTLP over HTTP to this collector, such as http://localhost:4318

Exit codes:
  0 stopped by SIGINT or SIGTERM   1 failed   2 usage error   3 port in use   4 data folder unusable
  5 data folder in use by another process   6 data damaged, or wrong key   7 certificate or its key unusable`;

/** The command, its flags and its help. */
export function command(version: string): Command {
  return new Command('rewards-sandbox')
    .description(
      'A sandbox for the rewards redemption interface: platform, reference client and vendors in one process.',
    )
    .version(version)
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 picks a free port')
        .env('REWARDS_SANDBOX_PORT')
        .default(4010)
        .argParser(port),
    )
    .addOption(new Option('--host <address>', 'address to listen on').env('REWARDS_SANDBOX_HOST').default('127.0.0.1'))
    .addOption(new Option('--data <dir>', 'data folder').env('REWARDS_SANDBOX_DATA').default('.sandbox-data'))
    .addOption(
      new Option(
        '--store <url>',
        'store the data in PostgreSQL instead, e.g. postgres://user:password@host/database; requires REWARDS_SANDBOX_KEY',
      ).env('REWARDS_SANDBOX_STORE'),
    )
    .addOption(
      new Option(
        '--seed <text>',
        'seed for the demo data, codes and secrets of a new data folder (default: demo; on a non-loopback --host, codes and secrets are random by default, and a seed needs at least 16 characters)',
      ).env('REWARDS_SANDBOX_SEED'),
    )
    .addOption(
      new Option(
        '--demo-data <kind>',
        'mobile numbers and PANs of the demo customers in a new data folder: impossible, or plausible, which pass validators but may belong to real people (default: impossible)',
      )
        .choices([...demoDataKinds])
        .env('REWARDS_SANDBOX_DEMO_DATA'),
    )
    .addOption(
      new Option('--clock <mode>', 'whether sandbox time runs or is frozen')
        .choices(['running', 'frozen'])
        .env('REWARDS_SANDBOX_CLOCK'),
    )
    .addOption(new Option('--json', 'print one JSON line with all addresses when ready').env('REWARDS_SANDBOX_JSON'))
    .addOption(new Option('--insecure-http', 'allow plain http on a non-loopback address'))
    .addOption(new Option('--https', 'serve TLS 1.2 and 1.3, with a certificate for localhost created on first start'))
    .addOption(new Option('--tls-cert <file>', 'your own certificate (PEM); requires --tls-key'))
    .addOption(new Option('--tls-key <file>', 'private key of --tls-cert (PEM)'))
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
        'token for the control API; if set, also required from localhost (default: random, required remotely only)',
      )
        .env('REWARDS_SANDBOX_ADMIN_TOKEN')
        .argParser(adminToken),
    )
    .addOption(
      new Option(
        '--no-proxy',
        'do not start the validation proxy on the next port (--port 0 does not start it either)',
      ),
    )
    .addOption(
      new Option(
        '--allow-address <cidr...>',
        'address range the sandbox may call, in addition to public addresses and loopback; private ranges also over plain http, e.g. http://app:8080 in a container network',
      )
        .env('REWARDS_SANDBOX_ALLOW_ADDRESS')
        .argParser(separated),
    )
    .addOption(
      new Option('--trusted-proxy <cidr...>', 'address range of reverse proxies whose X-Forwarded-For is trusted')
        .env('REWARDS_SANDBOX_TRUSTED_PROXY')
        .argParser(separated),
    )
    .addOption(
      new Option(
        '--allow-host <name>',
        'extra Host name to accept, in addition to localhost, IP addresses and the names in the certificate',
      )
        .env('REWARDS_SANDBOX_ALLOW_HOST')
        .argParser(separated),
    )
    .addOption(
      new Option('--public-url <url>', 'public base URL, e.g. of a load balancer; shown in workspace URLs').env(
        'REWARDS_SANDBOX_PUBLIC_URL',
      ),
    )
    .addOption(
      new Option(
        '--workspaces <number>',
        'maximum number of workspaces, including the demo workspace (default: 100, with --store 10000)',
      )
        .env('REWARDS_SANDBOX_WORKSPACES')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--max-created <number>',
        'maximum number of workspaces that the token of a workspace other than demo can create (default: 10)',
      )
        .env('REWARDS_SANDBOX_MAX_CREATED')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--max-loaded <number>',
        'with --share: maximum number of workspaces that an instance has in memory (default: 1000)',
      )
        .env('REWARDS_SANDBOX_MAX_LOADED')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option('--max-workspace-size <MiB>', 'maximum size of a workspace (default: 256)')
        .env('REWARDS_SANDBOX_MAX_WORKSPACE_SIZE')
        .argParser(wholeNumber),
    )
    .addOption(
      new Option(
        '--share <[host:]port>',
        'share the workspaces of --store with other instances, which forward calls to this address',
      )
        .env('REWARDS_SANDBOX_SHARE')
        .argParser(operations),
    )
    .addOption(
      new Option(
        '--operations <[host:]port>',
        'address that serves /healthz, /readyz and /metrics (default host: loopback)',
      )
        .env('REWARDS_SANDBOX_OPERATIONS')
        .argParser(operations),
    )
    .addOption(
      new Option('--log-level <level>', 'write the log as JSON to stderr: error (failed calls), warn, info (all calls)')
        .choices(logLevels)
        .env('REWARDS_SANDBOX_LOG_LEVEL'),
    )
    .addOption(new Option('--no-docs', 'do not build the documentation or serve it at /docs'))
    .addHelpText('after', adaptHelp(help))
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
