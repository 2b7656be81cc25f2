/**
 * The only list of the APIs that a sandbox serves. To add an API, add its entry here, its contract and its handlers.
 */

/** An API: its address, its host, and the contracts that define its operations. */
export interface RegisteredApi {
  /** The prefix of its paths, at the sandbox and at the proxy (OP-01); empty for the API that serves only the root. */
  readonly prefix: `/${string}` | '';
  /** The party that hosts the operations, and that the activity log records as the callee. */
  readonly host: 'platform' | 'client' | 'sandbox';
  /** Names of the contracts, `openapi/<name>.yaml`. An operation in two of them is served from the first (OP-01). */
  readonly contracts: readonly string[];
  /**
   * Whether it is part of the interface between platform and client. If so, faults can affect it, and coverage
   * includes it (OP-70, OP-91).
   */
  readonly ofInterface: boolean;
  /** Whether its callers are programs or browsers. */
  readonly calledBy: 'programs' | 'browsers';
  /** The part of a call that identifies its workspace (OP-63): the Authorization header, or a session in the address. */
  readonly credential: 'header' | 'address';
  /** The operations with the credential in the body instead, each with the field that contains it. */
  readonly inBody?: Readonly<Record<string, string>>;
}

const programs = { calledBy: 'programs', credential: 'header' } as const;
const ofInterface = { ...programs, ofInterface: true } as const;
const forPrograms = { ...programs, ofInterface: false, host: 'sandbox' } as const;
const forBrowsers = { ...forPrograms, calledBy: 'browsers' } as const;
const pages = { ...forBrowsers, credential: 'address' } as const;

/** All APIs, by server name. */
export const registry = {
  rewards: {
    ...ofInterface,
    prefix: '/rewards',
    host: 'platform',
    contracts: ['rewards', 'v2-platform'],
    inBody: { companyAuth: 'secret' },
  },
  client: { ...ofInterface, prefix: '/client', host: 'client', contracts: ['client', 'auth', 'v2-client'] },
  general: {
    ...ofInterface,
    prefix: '/general',
    host: 'platform',
    contracts: ['general'],
    inBody: { login: 'password' },
  },
  sandbox: { ...forPrograms, prefix: '/sandbox/v1', contracts: ['sandbox'] },
  gateway: { ...forPrograms, prefix: '/gateway', contracts: ['gateway'] },
  portal: { ...pages, prefix: '/portal', host: 'platform', contracts: ['portal'] },
  microsite: { ...pages, prefix: '/microsite', host: 'client', contracts: ['microsite'] },
  dashboard: { ...forBrowsers, prefix: '/dashboard', contracts: ['dashboard'] },
  // This entry must be last, because every path starts with an empty prefix.
  start: { ...forBrowsers, prefix: '', contracts: ['start'] },
} as const satisfies Record<string, RegisteredApi>;

/** The name of an API in the registry. */
export type ServerName = keyof typeof registry;
/** The name of a contract that a registered API serves. */
type ServedContract = (typeof registry)[ServerName]['contracts'][number];

export const serverNames = Object.keys(registry) as ServerName[];

/** The contracts of all registered APIs, without duplicates. */
export const servedContracts = contractsOf(() => true);

/** Returns the contracts of the APIs that match a predicate, without duplicates. */
export function contractsOf(described: (api: RegisteredApi) => boolean): readonly ServedContract[] {
  const names = serverNames.filter((name) => described(registry[name]));
  return [...new Set(names.flatMap((name): readonly ServedContract[] => registry[name].contracts))];
}

/** The contracts of the interface. Checks against them ignore the promises that only the sandbox makes. */
export const interfaceContracts = contractsOf(({ ofInterface }) => ofInterface);

/** The contracts of the servers that have separate addresses: the validation proxy and the operator's endpoints. */
const contractsApart = ['proxy', 'operations'] as const;

/** Returns whether a contract belongs to a server that has a separate address. */
export function isApart(contract: unknown): boolean {
  return (contractsApart as readonly unknown[]).includes(contract);
}

/** The names of all contracts. */
export const contractNames = [...servedContracts, ...contractsApart] as const;

const firstSegment = /^\/[^/?]*/;

/** Returns a function that finds the API of a path by the path's first segment; `undefined` if there is none. */
export function findApi<Api extends Pick<RegisteredApi, 'prefix'>>(
  apis: readonly Api[],
): (path: string) => Api | undefined {
  const bySegment = new Map(apis.map((api) => [firstSegment.exec(api.prefix || '/')?.[0], api]));
  return (path) => bySegment.get(firstSegment.exec(path)?.[0]);
}

/** Matches an address that contains the key of a workspace, and captures the key and the rest. */
const form = /^\/w\/([^/?]+)(.*)$/s;
/** The format of workspace keys. */
const keyForm = /^[0-9a-f]{32}$/;

/** An address, split into the key of its workspace and the URL of the request to the API. */
interface SplitAddress {
  /** The key of the workspace; `undefined` if the address contains none. */
  readonly key: string | undefined;
  /** The path and query at the API. */
  readonly url: string;
}

/** Returns the path segments that identify a workspace, before the prefix of an API (OP-63). */
export function workspacePath(key: string): string {
  return `/w/${key}`;
}

/** Splits the path and query of an address at this server or of a captured call. */
export function splitAddress(url: string): SplitAddress {
  const [, key, below = ''] = form.exec(url) ?? [];
  if (key === undefined) return { key, url };
  return { key, url: below.startsWith('/') ? below : `/${below}` };
}

/** Returns whether a key has the format of a workspace key. */
export function isKey(key: string): boolean {
  return keyForm.test(key);
}

/**
 * Returns whether an API is also served at the addresses of workspaces, as are those of platform and client. The
 * credentials for the sandbox's own APIs always identify their workspace, and an address must not open the control API.
 */
export function isAddressed({ host }: Pick<RegisteredApi, 'host'>): boolean {
  return host !== 'sandbox';
}
