import type { components } from '../../generated/sandbox/types.ts';
import type { CallOrigin } from '../contract/api.ts';

interface EntryFields {
  readonly seq: number;
  readonly at: string;
  readonly trace: string;
  readonly party: 'client' | 'platform' | 'vendor' | 'sandbox';
  readonly uid: string | null;
  readonly redeem_codes: readonly string[];
  /**
   * The span that caused it: of a call that came in that of its caller, of all else that of the call or the work that it
   * happened in. Left out where there is none.
   */
  readonly parent?: string;
}

/** The headers of a message as the log stores them: names in lower case, values masked and cut. */
export type LoggedHeaders = components['schemas']['LoggedHeaders'];

/** One place where a call is not as its contract says: a finding without its call. */
export type CallFinding = components['schemas']['CallFinding'];

/** A call between parties, or into the sandbox. */
export interface CallEntry extends EntryFields {
  readonly kind: 'call_in' | 'call_out';
  /** When it began; `at` is when it had ended. */
  readonly began: string;
  /** Its span: of a call that went out the one that its `traceparent` names. */
  readonly span?: string;
  readonly method: string;
  readonly url: string;
  readonly operation: string | null;
  readonly status: number | null;
  readonly request: unknown;
  readonly reply: unknown;
  /** Left out where the call never left. */
  readonly request_headers?: LoggedHeaders;
  /** Left out where no reply came. */
  readonly reply_headers?: LoggedHeaders;
  readonly notices: readonly string[];
  /** Who a call that came in is from (OP-77). */
  readonly caller?: CallOrigin['kind'];
  /** Where the call was not as its contract says; left out when it was. */
  readonly findings?: readonly CallFinding[];
  /** Something of the call was not validated: it was too large, or not read. */
  readonly unchecked?: true;
}

/** A change of state, written in the transaction that makes it. */
export interface StateEntry extends EntryFields {
  readonly kind: 'state';
  readonly event: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

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
