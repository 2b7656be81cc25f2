/**
 * The one list of the APIs that a sandbox serves. To add an API, add it here, with its contract and its handlers.
 */

/** An API as it is reached: an address, who hosts it, and the contracts that say what is there. */
export interface RegisteredApi {
  /** What its paths start with, at the sandbox and at the proxy (OP-01); empty for the API that has the root and nothing else. */
  readonly prefix: `/${string}` | '';
  /** Who hosts the operations of these contracts; the activity log names it as the party that was called. */
  readonly host: 'platform' | 'client' | 'sandbox';
  /** Contracts by name, `openapi/<name>.yaml`. What two of them have is served from the first (OP-01). */
  readonly contracts: readonly string[];
  /**
   * Whether it is part of the interface between platform and client: faults reach it, coverage counts it (OP-70,
   * OP-91).
   */
  readonly ofInterface: boolean;
  /** Whether programs call it, or browsers are sent to it. */
  readonly calledBy: 'programs' | 'browsers';
  /** The part of a call that identifies its workspace (OP-63): the Authorization header, or a session in the address. */
  readonly credential: 'header' | 'address';
  /** Operations that carry it in their body instead, and the field that it is in. */
  readonly inBody?: Readonly<Record<string, string>>;
}

/** Every API, by the name of its address. */
export const registry = {
  rewards: {
    prefix: '/rewards',
    host: 'platform',
    contracts: ['rewards', 'v2-platform'],
    ofInterface: true,
    calledBy: 'programs',
    credential: 'header',
    inBody: { companyAuth: 'secret' },
  },
  client: {
    prefix: '/client',
    host: 'client',
    contracts: ['client', 'auth', 'v2-client'],
    ofInterface: true,
    calledBy: 'programs',
    credential: 'header',
  },
  general: {
    prefix: '/general',
    host: 'platform',
    contracts: ['general'],
    ofInterface: true,
    calledBy: 'programs',
    credential: 'header',
    inBody: { login: 'password' },
  },
  sandbox: {
    prefix: '/sandbox/v1',
    host: 'sandbox',
    contracts: ['sandbox'],
    ofInterface: false,
    calledBy: 'programs',
    credential: 'header',
  },
  gateway: {
    prefix: '/gateway',
    host: 'sandbox',
    contracts: ['gateway'],
    ofInterface: false,
    calledBy: 'programs',
    credential: 'header',
  },
  portal: {
    prefix: '/portal',
    host: 'platform',
    contracts: ['portal'],
    ofInterface: false,
    calledBy: 'browsers',
    credential: 'address',
  },
  microsite: {
    prefix: '/microsite',
    host: 'client',
    contracts: ['microsite'],
    ofInterface: false,
    calledBy: 'browsers',
    credential: 'address',
  },
  dashboard: {
    prefix: '/dashboard',
    host: 'sandbox',
    contracts: ['dashboard'],
    ofInterface: false,
    calledBy: 'browsers',
    credential: 'header',
  },
  // Last: every path starts with an empty prefix.
  start: {
    prefix: '',
    host: 'sandbox',
    contracts: ['start'],
    ofInterface: false,
    calledBy: 'browsers',
    credential: 'header',
  },
} as const satisfies Record<string, RegisteredApi>;

/** The name of an address of the sandbox. */
export type ServerName = keyof typeof registry;
/** The name of a contract that is served at one of them. */
type ServedContract = (typeof registry)[ServerName]['contracts'][number];

export const serverNames = Object.keys(registry) as ServerName[];

/** The contracts that are served at these addresses, each once. */
export const servedContracts = contractsOf(() => true);

/** The contracts of APIs that are as described, such as those that programs call; each once. */
export function contractsOf(described: (api: RegisteredApi) => boolean): readonly ServedContract[] {
  const names = serverNames.filter((name) => described(registry[name]));
  return [...new Set(names.flatMap((name): readonly ServedContract[] => registry[name].contracts))];
}

/** The contracts of the interface: what they state and assume is checked without what only the sandbox promises. */
export const interfaceContracts = contractsOf(({ ofInterface }) => ofInterface);

/** The contracts of the servers with an address of their own: the validation proxy, and the operator's endpoints. */
const contractsApart = ['proxy', 'operations'] as const;

/** Whether a contract is of something that has an address of its own. */
export function isApart(contract: unknown): boolean {
  return (contractsApart as readonly unknown[]).includes(contract);
}

/** Every contract that there is. */
export const contractNames = [...servedContracts, ...contractsApart] as const;

const firstSegment = /^\/[^/?]*/;

/** Finds the API that a path belongs to, by the path's first segment; undefined for a path that belongs to none. */
export function findApi<Api extends Pick<RegisteredApi, 'prefix'>>(
  apis: readonly Api[],
): (path: string) => Api | undefined {
  const bySegment = new Map(apis.map((api) => [firstSegment.exec(api.prefix || '/')?.[0], api]));
  return (path) => bySegment.get(firstSegment.exec(path)?.[0]);
}

/** A first segment that says that the next one is the key of a workspace. */
const form = /^\/w\/([^/?]+)(.*)$/s;
/** A key as workspaces have it. */
const keyForm = /^[0-9a-f]{32}$/;

/** An address, split into the part that leads to a workspace and the request to its API. */
interface SplitAddress {
  /** The key of the workspace; undefined if the address names none. */
  readonly key: string | undefined;
  /** Path and query of the API. */
  readonly url: string;
}

/** The segments that lead to a workspace, before the prefix of an API (OP-63). */
export function workspacePath(key: string): string {
  return `/w/${key}`;
}

/** Splits path and query of an address, of this server or of a captured call. */
export function splitAddress(url: string): SplitAddress {
  const [, key, below = ''] = form.exec(url) ?? [];
  if (key === undefined) return { key, url };
  return { key, url: below.startsWith('/') ? below : `/${below}` };
}

/** Whether a key can be that of a workspace. */
export function isKey(key: string): boolean {
  return keyForm.test(key);
}

/**
 * Whether an API is also served at the addresses of workspaces: what platform and client host. The credentials of the
 * sandbox's own APIs always name their workspace, and an address must not open the control API.
 */
export function isAddressed({ host }: Pick<RegisteredApi, 'host'>): boolean {
  return host !== 'sandbox';
}
