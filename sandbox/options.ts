import type { components } from '../generated/sandbox/types.ts';
import type { DemoData } from './client/profiles.ts';
import type { Check } from './contract/schemas.ts';
import { type OwnPlaces, selfProblem } from './http-client/connecting.ts';
import { addressProblem, isLoopback, isRange, localAddresses } from './runtime/caller.ts';
import type { ClockMode } from './runtime/clock.ts';

/** An error for an invalid start option. The message is for the operator. */
export class OptionError extends Error {}

/** A start option. */
export interface StartOption {
  /** The flag with the placeholder of its value. */
  readonly flag: string;
  /**
   * Whether an environment variable also sets it. Its name is `REWARDS_SANDBOX_` and the flag's name, as in
   * `REWARDS_SANDBOX_MAX_LOADED`.
   */
  readonly environment?: true;
  readonly default?: number | string;
  /** The default with `store`, if different. */
  readonly defaultWithStore?: number;
  readonly least?: number;
  readonly most?: number;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** The text in the help. */
  readonly text: string;
}

const mebibyte = 1024 * 1024;

/**
 * The start options by their names in `SandboxOptions`, in the order of the help. Some exist only on the command line.
 * `maxWorkspaceBytes` is in MiB here.
 */
export const startOptions = {
  port: {
    flag: '--port <number>',
    environment: true,
    default: 4010,
    least: 0,
    most: 65_535,
    text: 'port to listen on; 0 picks a free port',
  },
  host: { flag: '--host <address>', environment: true, default: '127.0.0.1', text: 'address to listen on' },
  dataDir: { flag: '--data <dir>', environment: true, default: '.sandbox-data', text: 'data folder' },
  store: {
    flag: '--store <url>',
    environment: true,
    text: 'store the data in PostgreSQL instead, e.g. postgres://user:password@host/database; requires REWARDS_SANDBOX_KEY. With memory, nothing is stored',
  },
  seed: {
    flag: '--seed <text>',
    environment: true,
    text: 'seed for the demo data, codes and secrets of a new data folder (default: demo; on a non-loopback --host, codes and secrets are random by default, and a seed needs at least 16 characters)',
  },
  demoData: {
    flag: '--demo-data <kind>',
    environment: true,
    choices: ['impossible', 'plausible'] satisfies DemoData[],
    text: 'mobile numbers and PANs of the demo customers in a new data folder: impossible, or plausible, which pass validators but may belong to real people (default: impossible)',
  },
  answers: {
    flag: '--answers <file>',
    environment: true,
    text: "YAML file with the other side's answers to open points, for the demo workspace",
  },
  clock: {
    flag: '--clock <mode>',
    environment: true,
    choices: ['running', 'frozen'] satisfies ClockMode[],
    text: 'whether sandbox time runs or is frozen',
  },
  exitWithParent: {
    flag: '--exit-with-parent',
    text: 'stop when standard input ends, as when the program that started the sandbox is killed',
  },
  json: { flag: '--json', environment: true, text: 'print one JSON line with all addresses when ready' },
  insecureHttp: { flag: '--insecure-http', text: 'allow plain http on a non-loopback address' },
  https: { flag: '--https', text: 'serve TLS 1.2 and 1.3, with a certificate for localhost created on first start' },
  tlsCert: { flag: '--tls-cert <file>', text: 'your own certificate (PEM); requires --tls-key' },
  tlsKey: { flag: '--tls-key <file>', text: 'private key of --tls-cert (PEM)' },
  clientUrl: {
    flag: '--client-url <url>',
    environment: true,
    text: 'your own client server instead of the reference client',
  },
  clientToken: {
    flag: '--client-token <token>',
    environment: true,
    text: 'service token that your client server expects',
  },
  clientBasic: {
    flag: '--client-basic <user:password>',
    environment: true,
    text: 'Basic credentials that the microsite sends to your client server',
  },
  adminToken: {
    flag: '--admin-token <token>',
    environment: true,
    text: 'token for the control API; if set, also required from localhost (default: random, required remotely only)',
  },
  proxy: {
    flag: '--no-proxy',
    text: 'do not start the validation proxy on the next port (--port 0 does not start it either)',
  },
  allowedAddresses: {
    flag: '--allow-address <cidr...>',
    environment: true,
    text: 'address range the sandbox may call, in addition to public addresses and loopback; private ranges also over plain http, e.g. http://app:8080 in a container network',
  },
  trustedProxies: {
    flag: '--trusted-proxy <cidr...>',
    environment: true,
    text: 'address range of reverse proxies whose X-Forwarded-For is trusted',
  },
  allowedHosts: {
    flag: '--allow-host <name>',
    environment: true,
    text: 'extra Host name to accept, in addition to localhost, IP addresses and the names in the certificate',
  },
  allowedOrigins: {
    flag: '--allow-origin <origin>',
    environment: true,
    text: 'origin of a published copy of the documentation, such as https://docs.example, whose console may call this sandbox with the admin token',
  },
  publicUrl: {
    flag: '--public-url <url>',
    environment: true,
    text: 'public base URL, e.g. of a load balancer; shown in workspace URLs',
  },
  workspaces: {
    flag: '--workspaces <number>',
    environment: true,
    default: 100,
    defaultWithStore: 10_000,
    least: 1,
    most: 100_000,
    text: 'maximum number of workspaces, including the demo workspace',
  },
  maxCreatedWorkspaces: {
    flag: '--max-created <number>',
    environment: true,
    default: 10,
    least: 0,
    most: 100_000,
    text: 'maximum number of workspaces that the token of a workspace other than demo can create',
  },
  maxLoaded: {
    flag: '--max-loaded <number>',
    environment: true,
    default: 1_000,
    least: 2,
    most: 10_000,
    text: 'with --share: maximum number of workspaces that an instance has in memory',
  },
  maxWorkspaceBytes: {
    flag: '--max-workspace-size <MiB>',
    environment: true,
    default: 256,
    least: 0.25,
    most: 4096,
    text: 'maximum size of a workspace',
  },
  share: {
    flag: '--share <[host:]port>',
    environment: true,
    text: 'share the workspaces of --store with other instances, which forward calls to this address',
  },
  operations: {
    flag: '--operations <[host:]port>',
    environment: true,
    text: 'address that serves /healthz, /readyz and /metrics (default host: loopback)',
  },
  logLevel: {
    flag: '--log-level <level>',
    environment: true,
    choices: ['info', 'warn', 'error'],
    text: 'write the log as JSON to stderr: error (failed calls), warn, info (all calls)',
  },
  docs: { flag: '--no-docs', text: 'do not build the documentation or serve it at /docs' },
} as const satisfies Readonly<Record<string, StartOption>>;

/** The minimum level of logged events: all calls, warnings and failed calls (5xx), or failed calls only. */
export type LogLevel = (typeof startOptions.logLevel.choices)[number];

/** Start options for outgoing and incoming calls. */
export interface CallOptions {
  /** The URL of the client server. Default: the stored one, initially the reference client. */
  readonly clientUrl?: string;
  /** The service token that the platform sends to the client. */
  readonly clientToken?: string;
  /** The Basic credentials that the microsite sends to the client, as `user:password`. */
  readonly clientBasic?: string;
  /**
   * Address ranges (CIDR) that may be called, in addition to public addresses. Default: the loopback ranges of this
   * machine, or none if other machines can reach the sandbox (OP-60).
   */
  readonly allowedAddresses?: readonly string[];
  /** Address ranges (CIDR) of proxies whose `X-Forwarded-For` is trusted. Default: none, and the header is ignored (OP-87). */
  readonly trustedProxies?: readonly string[];
  /** Accepted host names, in addition to those of this machine, IP addresses and the names in the certificate (OP-77). */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins of other sites whose pages may call the sandbox from a browser. They need credentials like any other
   * machine (OP-270).
   */
  readonly allowedOrigins?: readonly string[];
  /** The public URL, such as `https://sandbox.example`. Default: the listening address (OP-228). */
  readonly publicUrl?: string;
}

/** The settings that were set at the start. A reset restores them. */
export type GivenSettings = Pick<components['schemas']['Settings'], 'client_url' | 'client_token' | 'client_basic'>;

/**
 * Returns whether other machines can reach a sandbox: it listens on a non-loopback address, or has a public URL. In
 * that case only a token identifies its operator, and all secrets must be unguessable (OP-55, OP-65).
 */
export function isReachedByOthers({ host, publicUrl }: { readonly host: string } & CallOptions): boolean {
  return !isLoopback(host) || publicUrl !== undefined;
}

/** Returns the address ranges that may be called. Throws `OptionError` if one is invalid. */
export function allowedOf({ allowedAddresses, ...options }: CallOptions, host: string): readonly string[] {
  return ranges(allowedAddresses ?? (isReachedByOthers({ ...options, host }) ? [] : localAddresses));
}

/** Returns the address ranges of trusted proxies. Throws `OptionError` if one is invalid. */
export function trustedOf({ trustedProxies = [] }: CallOptions): readonly string[] {
  return ranges(trustedProxies);
}

function ranges(texts: readonly string[]): readonly string[] {
  const wrong = texts.find((text) => !isRange(text));
  if (wrong !== undefined) throw new OptionError(`${wrong} is not an address range such as 10.0.0.0/8.`);
  return texts;
}

/**
 * Returns the workspace settings among the options. Applies the same rules as a change through the control API, and
 * throws `OptionError` if a setting is invalid. The message contains no credentials.
 */
export function givenSettings(
  options: CallOptions,
  check: Check,
  { allowed, own }: { readonly allowed: readonly string[]; readonly own: OwnPlaces },
): Partial<GivenSettings> {
  const { clientUrl, clientToken, clientBasic } = options;
  const given = {
    ...(clientUrl !== undefined && { client_url: clientUrl }),
    ...(clientToken !== undefined && { client_token: clientToken }),
    ...(clientBasic !== undefined && { client_basic: clientBasic }),
  };
  if (Object.keys(given).length === 0) return {};
  const [found] = check(given) ?? [];
  if (found?.where === '/client_token') throw new OptionError(`The client token ${found.problem}.`);
  if (found?.where === '/client_basic')
    throw new OptionError('--client-basic must be user:password, in visible characters.');
  const problem = found?.problem ?? (clientUrl && (addressProblem(clientUrl, allowed) ?? selfProblem(clientUrl, own)));
  if (problem)
    throw new OptionError(`The client address ${clientUrl?.replace(/^([^/]*\/\/).*@/s, '$1***@')} ${problem}.`);
  return given;
}

/** The start options that set limits or the storage location. */
interface LimitOptions {
  readonly workspaces?: number;
  readonly maxCreatedWorkspaces?: number;
  readonly maxLoaded?: number;
  readonly maxWorkspaceBytes?: number;
  readonly dataDir?: string;
  readonly store?: string;
}

/** Maximum number of workspaces without a data folder or database, because all are in memory. */
const mostInMemory = 2_000;

/** Returns the limits of a sandbox (OP-63, OP-212, OP-229, OP-230). Throws `OptionError` for an invalid number. */
export function limitsOf(options: LimitOptions) {
  const { store, dataDir, maxWorkspaceBytes: bytes } = options;
  const { workspaces, maxWorkspaceBytes: size } = startOptions;
  const usual = store === undefined ? workspaces.default : workspaces.defaultWithStore;
  const most = store === undefined && dataDir === undefined ? mostInMemory : workspaces.most;
  const created = options.maxCreatedWorkspaces ?? startOptions.maxCreatedWorkspaces.default;
  const loaded = options.maxLoaded ?? startOptions.maxLoaded.default;
  return {
    most: limited('number of workspaces', options.workspaces ?? usual, { ...workspaces, most }),
    mostCreated: limited('number of workspaces created by a workspace', created, startOptions.maxCreatedWorkspaces),
    mostLoaded: limited('number of workspaces in memory', loaded, startOptions.maxLoaded),
    maxBytes: limited('size of a workspace', bytes ?? size.default * mebibyte, size, mebibyte, ' MiB'),
  };
}

function limited(
  what: string,
  value: number,
  { least, most }: { readonly least: number; readonly most: number },
  unit = 1,
  unitName = '',
): number {
  if (Number.isInteger(value) && value >= least * unit && value <= most * unit) return value;
  throw new OptionError(`The ${what} must be ${least} to ${most}${unitName}, not ${value / unit}.`);
}

/** Returns the origin of the public URL; `undefined` if none is set. Throws `OptionError` if it is invalid. */
export function publicOriginOf({ publicUrl }: CallOptions): string | undefined {
  if (publicUrl === undefined) return undefined;
  const problem = 'The public URL must consist of protocol and host, such as https://sandbox.example.';
  return originIn(publicUrl, problem);
}

/** Returns the origins whose pages may call the sandbox. Throws `OptionError` if one is invalid. */
export function originsOf({ allowedOrigins = [] }: CallOptions): readonly string[] {
  return allowedOrigins.map((text) =>
    originIn(text.toLowerCase(), `${text} is not an origin such as https://docs.example.`),
  );
}

/** Returns the origin of a URL. Throws if it has more than protocol, host and port: a user, path, query or fragment. */
function originIn(text: string, problem: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && [url.origin, `${url.origin}/`].includes(text))
    return url.origin;
  throw new OptionError(problem);
}

/**
 * Returns the additional host names that are accepted, in lower case, including that of the public URL. Throws
 * `OptionError` if one is invalid.
 */
export function hostsOf({ allowedHosts = [], ...options }: CallOptions): readonly string[] {
  const wrong = allowedHosts.find((name) => !/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name));
  if (wrong !== undefined) throw new OptionError(`${wrong} is not a host name such as sandbox.example.`);
  const origin = publicOriginOf(options);
  return [...allowedHosts, ...(origin === undefined ? [] : [new URL(origin).hostname])].map((name) =>
    name.toLowerCase(),
  );
}
