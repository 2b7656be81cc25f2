import type { components } from '../generated/sandbox/types.ts';
import type { Check } from './contract/schemas.ts';
import { type OwnPlaces, selfProblem } from './http-client/self.ts';
import { addressProblem, isLoopback, isRange, localAddresses } from './runtime/address.ts';

/** Something that the sandbox was started with cannot be. The message is for the operator. */
export class OptionError extends Error {}

/** What the operator may say at the start about calls to others, and from others. */
export interface CallOptions {
  /** Where the client is; left out, what the data says, at first the reference client. */
  readonly clientUrl?: string;
  /** The service token that the platform shows the client. */
  readonly clientToken?: string;
  /**
   * Ranges (CIDR) that may be called in addition to public addresses. Default: this machine's loopback if the sandbox
   * listens there, else none (OP-60).
   */
  readonly allowedAddresses?: readonly string[];
  /** Ranges (CIDR) of proxies whose `X-Forwarded-For` counts. Left out: none, and the header is ignored (OP-87). */
  readonly trustedProxies?: readonly string[];
  /** Names that calls may be addressed to, in addition to those of this machine, IP addresses and the certificate's (OP-77). */
  readonly allowedHosts?: readonly string[];
  /** Where everybody else finds it, as `https://sandbox.example`; left out, where it listens (OP-228). */
  readonly publicUrl?: string;
}

/** The settings that were given at the start; a reset goes back to them. */
export type GivenSettings = Pick<components['schemas']['Settings'], 'client_url' | 'client_token'>;

/**
 * Whether other machines can reach a sandbox: it listens beyond loopback, or has a public address. Then only a token
 * identifies its operator, and no secret may be guessable (OP-55, OP-65).
 */
export function isReachedByOthers({ host, publicUrl }: { readonly host: string } & CallOptions): boolean {
  return !isLoopback(host) || publicUrl !== undefined;
}

/** Ranges that may be called. Throws `OptionError` when one is none. */
export function allowedOf({ allowedAddresses, ...options }: CallOptions, host: string): readonly string[] {
  return ranges(allowedAddresses ?? (isReachedByOthers({ ...options, host }) ? [] : localAddresses));
}

/** Ranges of trusted proxies. Throws `OptionError` when one is none. */
export function trustedOf({ trustedProxies = [] }: CallOptions): readonly string[] {
  return ranges(trustedProxies);
}

function ranges(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    if (!isRange(text)) throw new OptionError(`${text} is not an address range such as 10.0.0.0/8.`);
  }
  return texts;
}

/**
 * The settings among the options, under the rules of a change through the control API. Throws `OptionError` when one is
 * refused. Credentials are not repeated in the message.
 */
export function givenSettings(
  options: CallOptions,
  check: Check,
  { allowed, own }: { readonly allowed: readonly string[]; readonly own: OwnPlaces },
): Partial<GivenSettings> {
  const { clientUrl, clientToken } = options;
  if (clientUrl === undefined && clientToken === undefined) return {};
  const given = {
    ...(clientUrl !== undefined && { client_url: clientUrl }),
    ...(clientToken !== undefined && { client_token: clientToken }),
  };
  const [found] = check(given) ?? [];
  if (found?.where === '/client_token') throw new OptionError(`The client token ${found.problem}.`);
  const problem = found?.problem ?? (clientUrl && (addressProblem(clientUrl, allowed) ?? selfProblem(clientUrl, own)));
  if (problem)
    throw new OptionError(`The client address ${clientUrl?.replace(/^([^/]*\/\/).*@/s, '$1***@')} ${problem}.`);
  return given;
}

/** Most workspaces by default, and the highest limit that can be set (OP-63). */
const workspaceLimits = { usual: 100, usualInDatabase: 10_000, mostInMemory: 2_000, most: 100_000 };

/** Where the data is. */
interface DataOptions {
  readonly workspaces?: number;
  readonly dataDir?: string;
  readonly store?: string;
}

/** The most workspaces, the demo workspace included. Throws `OptionError` for an invalid number. */
export function mostWorkspacesOf({ workspaces, dataDir, store }: DataOptions): number {
  const { usual, usualInDatabase, mostInMemory } = workspaceLimits;
  const count = workspaces ?? (store === undefined ? usual : usualInDatabase);
  // Without a data folder or database, all workspaces are in memory.
  const most = store === undefined && dataDir === undefined ? mostInMemory : workspaceLimits.most;
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new OptionError(`The number of workspaces must be 1 to ${most}, not ${count}.`);
}

/** How many workspaces one can have created where nothing is said, and at the most (OP-230). */
const createdLimits = { usual: 10, most: 100_000 };

/** How many workspaces one can have created. Throws `OptionError` where it is no such number. */
export function mostCreatedOf(count = createdLimits.usual): number {
  const { most } = createdLimits;
  if (Number.isInteger(count) && count >= 0 && count <= most) return count;
  throw new OptionError(`The number of workspaces created by a workspace must be 0 to ${most}, not ${count}.`);
}

const mebibyte = 1024 * 1024;
/** The size limit of a workspace in bytes: by default, at least, and at most (OP-229). */
const workspaceBytes = { usual: 256 * mebibyte, least: mebibyte / 4, most: 4096 * mebibyte };

/** The size limit of a workspace in bytes. Throws `OptionError` for an invalid number. */
export function maxWorkspaceBytesOf(bytes = workspaceBytes.usual): number {
  const { least, most } = workspaceBytes;
  if (Number.isInteger(bytes) && bytes >= least && bytes <= most) return bytes;
  const size = `${bytes / mebibyte}`;
  throw new OptionError(`The size of a workspace must be ${least / mebibyte} to ${most / mebibyte} MiB, not ${size}.`);
}

/** The most workspaces in memory: by default, at least (the demo workspace and another one), and at most (OP-212). */
const loadedLimits = { usual: 1_000, least: 2, most: 10_000 };

/** The most workspaces in memory. Throws `OptionError` for an invalid number. */
export function mostLoadedOf(count = loadedLimits.usual): number {
  const { least, most } = loadedLimits;
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  throw new OptionError(`The number of workspaces in memory must be ${least} to ${most}, not ${count}.`);
}

/** The address behind which everybody else finds it; undefined where none was given. Throws `OptionError` when it is none. */
export function publicOriginOf({ publicUrl }: CallOptions): string | undefined {
  if (publicUrl === undefined) return undefined;
  const url = URL.parse(publicUrl);
  // What has more than protocol, host and port: user, path, query or fragment.
  const isMore = url !== null && ![url.origin, `${url.origin}/`].includes(publicUrl);
  if (url !== null && /^https?:$/.test(url.protocol) && !isMore) return url.origin;
  throw new OptionError(`The public URL must consist of protocol and host, such as https://sandbox.example.`);
}

/**
 * The names that calls may be addressed to, in lower case; that of the public address is one. Throws `OptionError` when one is
 * none.
 */
export function hostsOf({ allowedHosts = [], ...options }: CallOptions): readonly string[] {
  for (const name of allowedHosts) {
    if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(name)) {
      throw new OptionError(`${name} is not a host name such as sandbox.example.`);
    }
  }
  const origin = publicOriginOf(options);
  return [...allowedHosts, ...(origin === undefined ? [] : [new URL(origin).hostname])].map((name) =>
    name.toLowerCase(),
  );
}
