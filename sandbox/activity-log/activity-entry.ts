import type { components } from '../../generated/sandbox/types.ts';

type Schemas = components['schemas'];
type KeptValue<V> = V extends (infer Item)[] ? readonly Item[] : V;
/** What the contract describes, as it is kept: nobody changes it. */
type Kept<T> = { readonly [Name in keyof T]: KeptValue<T[Name]> };

/** The headers of a message as the log stores them: names in lower case, values masked and cut. */
export type LoggedHeaders = Schemas['LoggedHeaders'];

/** One place where a call is not as its contract says: a finding without its call. */
export type CallFinding = Schemas['CallFinding'];

/** A call between parties, or into the sandbox. `began` is when it began, `at` when it had ended. */
export type CallEntry = Kept<Schemas['ActivityCall']> & { readonly began: string };

/** A change of state, written in the transaction that makes it. */
export type StateEntry = Kept<Schemas['ActivityState']>;

/** One entry of the activity log. */
export type ActivityEntry = CallEntry | StateEntry;

/** The party whose call or state change an entry records. */
export type Party = ActivityEntry['party'];

/** A state change to record. */
export interface StateChange {
  readonly trace: string;
  readonly party: Party;
  readonly event: string;
  readonly uid?: string;
  readonly redeem_codes?: readonly string[];
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Headers as they went over the wire, repeated ones repeated. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** What validation found in a call. `unchecked`: part of it was too large, or not read. */
export interface ValidatedCall {
  readonly findings: readonly CallFinding[];
  readonly unchecked: boolean;
}

/** The entries to show; an omitted field matches all. */
interface ActivityFilter {
  readonly trace?: string;
  readonly redeem_code?: string;
  readonly uid?: string;
}

/** The customer of a redeem code; undefined if there is none. */
export type OwnerOf = (redeemCode: string) => string | undefined;

/**
 * The test that an entry has to pass for a filter. An entry is also about a customer if it names only one of their
 * redemptions (OP-136).
 */
export function entryFilter(
  { trace, redeem_code, uid }: ActivityFilter,
  ownerOf: OwnerOf,
): (entry: ActivityEntry) => boolean {
  return (entry) =>
    (trace === undefined || entry.trace === trace) &&
    (redeem_code === undefined || entry.redeem_codes.includes(redeem_code)) &&
    (uid === undefined || entry.uid === uid || entry.redeem_codes.some((code) => ownerOf(code) === uid));
}
