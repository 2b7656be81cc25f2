import type { components } from '../../generated/sandbox/types.ts';

type Schemas = components['schemas'];
type KeptValue<V> = V extends (infer Item)[] ? readonly Item[] : V;
/** A read-only version of a contract type. */
type Kept<T> = { readonly [Name in keyof T]: KeptValue<T[Name]> };

/** The headers of a message as logged: names in lower case, values masked and truncated. */
export type LoggedHeaders = Schemas['LoggedHeaders'];

/** A contract violation at one position in a call, without the call itself. */
export type CallFinding = Schemas['CallFinding'];

/** A call between parties or into the sandbox. `began` is its start time, `at` its end time. */
export type CallEntry = Kept<Schemas['ActivityCall']> & { readonly began: string };

/** A state change, written in the transaction that makes it. */
export type StateEntry = Kept<Schemas['ActivityState']>;

/** An entry of the activity log. */
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

/** Headers as transmitted. Repeated headers occur several times. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The validation result of a call. `unchecked` means that some of the call was too large or was not read. */
export interface ValidatedCall {
  readonly findings: readonly CallFinding[];
  readonly unchecked: boolean;
}

/** A filter for log entries. An omitted field matches all entries. */
interface ActivityFilter {
  readonly trace?: string;
  readonly redeem_code?: string;
  readonly uid?: string;
}

/** Returns the customer of a redeem code; `undefined` if there is none. */
export type OwnerOf = (redeemCode: string) => string | undefined;

/**
 * Returns a predicate that tests entries against a filter. An entry also matches a customer if it contains only one of
 * their redeem codes (OP-136).
 */
export function entryFilter({ trace, redeem_code, uid }: ActivityFilter, ownerOf: OwnerOf) {
  return (entry: ActivityEntry): boolean =>
    (trace === undefined || entry.trace === trace) &&
    (redeem_code === undefined || entry.redeem_codes.includes(redeem_code)) &&
    (uid === undefined || entry.uid === uid || entry.redeem_codes.some((code) => ownerOf(code) === uid));
}
