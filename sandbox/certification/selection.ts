/** Which requirements of an edition a run tests, and why it leaves the others out. */
import type { Need, Requirement } from './requirement.ts';
import type { Input } from './verdict.ts';

/** Why a requirement is left out before anything is sent; undefined if it is tested. */
export interface LeftOut {
  readonly verdict: 'not_applicable' | 'not_selected';
  readonly reason: string;
  /** What to add to `certify` so that it is tested; null where nothing is missing. */
  readonly option: string | null;
}

/**
 * Why a requirement is not tested under this input; undefined if it is.
 * @param isFound whether `api` names the detected versions, not the requested ones
 */
export function leftOut(requirement: Requirement, input: Input, isFound = false): LeftOut | undefined {
  const { unseen, needs } = requirement;
  const unnamed = notNamed(requirement, input);
  if (unnamed !== undefined) return { verdict: 'not_selected', ...unnamed };
  if (unseen !== undefined) return { verdict: 'not_applicable', reason: unseen, option: null };
  const version = otherVersion(requirement, input, isFound);
  if (version !== undefined) return { verdict: 'not_applicable', reason: version, option: null };
  for (const need of needs) {
    const [isMissing, reason = '', option = null] = inputChecks[need] ?? [];
    if (isMissing?.(input)) return { verdict: option === null ? 'not_applicable' : 'not_selected', reason, option };
  }
  return undefined;
}

/** Why a requirement is not among those selected by name; undefined if it is. */
export function notNamed(
  { id, group }: Pick<Requirement, 'id' | 'group'>,
  { only = [], skip = [] }: Names,
): Unnamed | undefined {
  const named = (names: readonly string[]) => names.includes(id) || names.includes(group);
  if (only.length > 0 && !named(only)) return { reason: 'Excluded by --only.', option: 'without --only' };
  return named(skip) ? { reason: 'Excluded by --skip.', option: 'without --skip' } : undefined;
}

/** Why a requirement is not tested though nothing is missing, and which option to leave out. */
type Unnamed = Pick<LeftOut, 'reason' | 'option'>;

/** Ids of requirements and names of groups to run or to skip. */
export type Names = { readonly [field in 'only' | 'skip']?: readonly string[] | undefined };

/** Whether a need is not met, what is said then, and what to add to `certify`; without that, nothing helps. */
type Check = readonly [isMissing: (input: Input) => boolean, reason: string, option?: string];

/** What an input needs to have, beyond a version of the API. */
const inputChecks: Readonly<Partial<Record<Need, Check>>> = {
  https: [({ client_url }) => !client_url.startsWith('https:'), 'The server uses plain http.'],
  service: [
    ({ service_token }) => service_token === undefined,
    'It requires the service token.',
    '--service-token TOKEN',
  ],
  basic: [({ basic }) => basic === undefined, 'It requires the Basic credentials.', '--basic USER:PASSWORD'],
  otp: [
    ({ otp, basic }) => !(otp && basic),
    'It requires one-time passwords and the Basic credentials.',
    '--basic USER:PASSWORD with --otp-url URL, --otp-command CMD, --otp-gateway or --otp CODE',
  ],
  two_customers: [({ customers }) => customers.length < 2, 'It requires a second customer.', '--customer UID'],
  three_customers: [
    ({ customers }) => customers.length < 3,
    'It requires a third customer, which it locks.',
    '--customer UID',
  ],
  sandbox: [({ sandbox }) => sandbox === undefined, 'It requires the sandbox that the server calls.', '--sandbox URL'],
  webhook: [
    ({ webhook, sandbox }) => webhook === undefined && sandbox === undefined,
    'It requires the sandbox where the webhook is registered, or the URL and secret of the webhook.',
    '--sandbox URL',
  ],
  slow: [({ slow }) => slow !== true, 'It takes longer than 3 s.', '--slow'],
};

/** Why a requirement is about a version that is not tested; undefined if it is tested. */
function otherVersion({ needs }: Requirement, { api = 'both' }: Input, isFound: boolean): string | undefined {
  const other = api === 'v1' ? 'v2' : 'v1';
  if (api === 'both' || !needs.includes(other)) return undefined;
  const [name, path] = versions[other];
  if (isFound) return `The server does not implement version ${name}: it treats ${path} as an unknown path.`;
  return `This run checks only the other version (--api ${api}).`;
}

const versions = {
  v1: ['1.0', '/getProfileAndPoints'],
  v2: ['2.0', '/api/v1/customer/points'],
} as const;

/** Names in `only` and `skip` that are neither a requirement nor a group. */
export function unknownNames(list: readonly Requirement[], { only = [], skip = [] }: Names): readonly string[] {
  const names = new Set(list.flatMap(({ id, group }) => [id, group]));
  return [...only, ...skip].filter((name) => !names.has(name));
}
