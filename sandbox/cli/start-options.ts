/** The flags of `start`, and their conversion to the options of `startSandbox`. */
import { type Command, Help, InvalidArgumentError, Option } from 'commander';
import type { OperationsAddress } from '../operator/watched.ts';
import { isReachedByOthers, type LogLevel, type StartOption, startOptions } from '../options.ts';
import { localAddresses } from '../runtime/caller.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { docsFolder } from './child-processes.ts';
import { adaptHelp, adminToken, port, separated } from './command-line.ts';

/** The values of the flags, by their names in `startOptions`. */
export interface Flags extends Omit<SandboxOptions, 'answers' | 'https' | 'docs'> {
  readonly answers?: string;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  /** A PostgreSQL URL, or `memory`. */
  readonly store?: string;
  readonly exitWithParent?: boolean;
  readonly json?: boolean;
  readonly insecureHttp?: boolean;
  readonly https?: boolean;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** False for `--no-proxy`. */
  readonly proxy: boolean;
  readonly docs: boolean;
  readonly logLevel?: LogLevel;
}

/** The list of commands, shown before the flags in the help. */
const commandsHelp = `Commands (run one with --help for its options and examples):
  start        start the sandbox (default), with the options below
  workflows    run the journeys, or your own Arazzo documents
  mock         serve the examples of one contract, without state

  init         copy a client server to start from
  doctor       check whether the platform can call your server
  listen       connect a server on this machine to a shared sandbox
  certify      test your server against the requirements
  certificate  verify the certificate of a certification

  check        validate captured traffic against the contracts
  proxy        forward calls and validate them
  compare      repeat recorded calls against a sandbox and list the differences
  verdict      check the calls, messages and points of a CI job

  open-points  list the open points of the interface, and the calls that rely on them
  ready        show which items of the going-live checklist have evidence

  credentials  show the credentials of a running sandbox
  workspaces   find, rename, extend and delete workspaces
  export       back up all data to one file
  import       restore a backup into an empty folder or database
  mcp          connect an AI agent to a running sandbox
  completion   print shell completion for bash, zsh or fish`;

/** The flags by topic, in the order of the help. */
const groups: Readonly<Record<string, readonly (keyof typeof startOptions)[]>> = {
  'Your server:': ['clientUrl', 'clientToken', 'clientBasic', 'allowedAddresses'],
  'Address:': [
    'port',
    'host',
    'publicUrl',
    'allowedHosts',
    'allowedOrigins',
    'trustedProxies',
    'insecureHttp',
    'https',
    'tlsCert',
    'tlsKey',
  ],
  'Data and time:': ['dataDir', 'store', 'seed', 'demoData', 'answers', 'clock'],
  'Access and limits:': ['adminToken', 'workspaces', 'maxCreatedWorkspaces', 'maxLoaded', 'maxWorkspaceBytes'],
  'Operation:': ['json', 'logLevel', 'operations', 'share', 'proxy', 'docs', 'exitWithParent'],
};

const help = `
Examples:
  npm start                                     everything on http://127.0.0.1:4010, data in .sandbox-data
  npm start -- --port 0 --json                  any free port; one JSON line with all addresses when ready
  npm start -- --client-url http://localhost:8080 --client-token SECRET
                                                your own client server instead of the reference client
  npm start -- --clock frozen --data ./run1     clock frozen until POST /sandbox/v1/clock/advance

Environment:
  REWARDS_SANDBOX_KEY                        encryption key, 64 hex digits (default: a key file in the data folder)
  REWARDS_SANDBOX_STORE                      same as --store, but hides the password from the process list
  OTEL_EXPORTER_OTLP_ENDPOINT                send traces by OTLP over HTTP to this collector, such as http://localhost:4318

Exit codes:
  0 stopped by SIGINT or SIGTERM   1 failed   2 usage error   3 port in use   4 data folder unusable
  5 data folder in use by another process   6 data damaged, or wrong key   7 certificate or its key unusable`;

/** Adds the flags and the help of `start` to a command. Its action calls `start` with their values. */
export function addFlags(command: Command, start: (flags: Flags) => Promise<void>): void {
  const options = Object.entries(groups).flatMap(([heading, names]) =>
    names.map((name) => [name, optionOf(name, startOptions[name]).helpGroup(heading)] as const),
  );
  command
    .description(
      'A sandbox for the rewards redemption interface: platform, reference client and vendors in one process.',
    )
    .configureHelp({ formatHelp })
    .addHelpText('after', adaptHelp(help))
    .action((values: Readonly<Record<string, unknown>>) => {
      const given = options.map(([name, option]) => [name, values[option.attributeName()]] as const);
      return start(Object.fromEntries(given.filter(([, value]) => value !== undefined)) as unknown as Flags);
    });
  for (const [, option] of options) command.addOption(option);
}

/** Formats the help like commander, with the list of commands before the flags. */
function formatHelp(command: Command, helper: Help): string {
  const [usage = '', about = '', ...flags] = Help.prototype.formatHelp.call(helper, command, helper).split('\n\n');
  return [usage, about, commandsHelp, ...flags].join('\n\n');
}

/** Flags with a default that commander sets, because messages use their values. */
const preset = ['port', 'host', 'dataDir'];

function optionOf(name: string, { flag, environment, text, ...row }: StartOption): Option {
  const isPreset = preset.includes(name);
  const withStore = row.defaultWithStore === undefined ? '' : `, with --store ${row.defaultWithStore}`;
  const usual = isPreset || row.default === undefined ? '' : ` (default: ${row.default}${withStore})`;
  const option = new Option(flag, `${text}${usual}`);
  if (environment) option.env(`REWARDS_SANDBOX_${option.name().toUpperCase().replaceAll('-', '_')}`);
  if (isPreset) option.default(row.default);
  const { [name]: parser = row.most === undefined ? undefined : wholeNumber } = parsers;
  if (row.choices !== undefined) option.choices(row.choices);
  else if (parser !== undefined) option.argParser(parser as (text: string, previous: unknown) => unknown);
  return option;
}

const parsers: Readonly<Record<string, (text: string, previous: never) => unknown>> = {
  port,
  adminToken,
  allowedAddresses: separated,
  trustedProxies: separated,
  allowedHosts: separated,
  allowedOrigins: separated,
  maxWorkspaceBytes: (text) => wholeNumber(text) * 2 ** 20,
  share: address,
  operations: address,
};

function address(text: string): OperationsAddress {
  const [, host, digits = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  const plain = host?.replace(/^\[(.+)\]$/, '$1');
  return { port: port(digits), ...(plain !== undefined && { host: plain }) };
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number.parseInt(text, 10);
}

/** Converts flags to options of the sandbox. An empty string, for example from an unset variable in a script, counts as absent. */
export function optionsOf(flags: Flags): SandboxOptions {
  const { store: _, answers: _file, dataDir, seed, clientUrl, clientToken, clientBasic, ...rest } = flags;
  const { allowedAddresses = [], https: _isHttps, docs, ...others } = rest;
  // Only the command reads these flags.
  const { json, insecureHttp, tlsCert, tlsKey, proxy, logLevel, exitWithParent, ...given } = others;
  const https = httpsOf(flags);
  const store = databaseOf(flags);
  return {
    ...given,
    ...(!isInMemory(flags) && { dataDir }),
    ...(store && { store }),
    ...(seed && { seed }),
    ...(clientUrl && { clientUrl }),
    ...(clientToken && { clientToken }),
    ...(clientBasic && { clientBasic }),
    allowedAddresses: [...(isReachedByOthers(flags) ? [] : localAddresses), ...allowedAddresses],
    ...(https && { https }),
    ...(docs && { docs: docsFolder }),
  };
}

/** Returns whether the data is only in memory. */
export function isInMemory({ store }: Pick<Flags, 'store'>): boolean {
  return store === 'memory';
}

/** Returns the database URL; `undefined` if the data is not in a database. */
export function databaseOf(flags: Pick<Flags, 'store'>): string | undefined {
  return isInMemory(flags) ? undefined : flags.store;
}

/** Returns the TLS setting. Certificate files enable TLS even without `--https`. */
export function httpsOf({ https, tlsCert, tlsKey }: Flags) {
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  return https === true ? true : undefined;
}
