/** Selects the requirements that a run tests, and explains why it omits the others. */
import type { Need, Requirement } from './requirement.ts';
import type { Input } from './verdict.ts';

/** The reason that a requirement is omitted before any call is sent. */
export interface LeftOut {
  readonly verdict: 'not_applicable' | 'not_selected';
  readonly reason: string;
  /** The option of `certify` that includes the requirement, or `null` if no option does. */
  readonly option: string | null;
}

/**
 * Returns the reason that a requirement is not tested with this input, or `undefined` if it is tested.
 * @param isFound whether `api` contains the detected versions instead of the requested ones
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

/** Returns the reason that `only` or `skip` excludes a requirement, or `undefined` if it is included. */
export function notNamed(
  { id, group }: Pick<Requirement, 'id' | 'group'>,
  { only = [], skip = [] }: Names,
): Pick<LeftOut, 'reason' | 'option'> | undefined {
  const named = (names: readonly string[]) => names.includes(id) || names.includes(group);
  if (only.length > 0 && !named(only)) return { reason: 'Excluded by --only.', option: 'without --only' };
  return named(skip) ? { reason: 'Excluded by --skip.', option: 'without --skip' } : undefined;
}

/** Requirement ids and group names to run or to skip. */
export type Names = { readonly [field in 'only' | 'skip']?: readonly string[] | undefined };

/** A predicate for an unmet need, its reason, and the `certify` option that meets it. Without an option, the need cannot be met. */
type Check = readonly [isMissing: (input: Input) => boolean, reason: string, option?: string];

/** Checks for the needs of requirements, except API versions. */
export const inputChecks: Readonly<Partial<Record<Need, Check>>> = {
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

/** Returns the reason that the API version of a requirement is not tested, or `undefined` if it is. */
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

/** Returns the names in `only` and `skip` that are neither a requirement nor a group. */
export function unknownNames(list: readonly Requirement[], { only = [], skip = [] }: Names): readonly string[] {
  const names = new Set(list.flatMap(({ id, group }) => [id, group]));
  return [...only, ...skip].filter((name) => !names.has(name));
}
