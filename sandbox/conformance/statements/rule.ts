/** What a rule is: a pure function from traffic to a verdict on one statement of the interface, or on one open point. */
import type { Finding } from '../finding.ts';
import type { ParsedExchange } from './parsed-exchange.ts';
import type { Trace } from './trace.ts';
import type { TraceEvent } from './trace-event.ts';

export type Party = Finding['party'];

/** Where an exchange breaks a rule. */
export interface Issue {
  /** JSON pointer into the message of the party at fault, such as `/body/items/3/product_type`. */
  readonly pointer: string;
  readonly expected: string;
  /** The value that was there; `undefined` where nothing was. */
  readonly actual: unknown;
}

interface Rule {
  /** The last part of the finding's code. Stable. */
  readonly id: string;
  /** `stated` and the statements, or the open point. It decides whether a violation is an error or a warning. */
  readonly basis: string;
  /** Who breaks the rule: the caller by its request, or the host by its reply. */
  readonly party: Party;
}

/**
 * A rule over a request and its reply. It returns the issues it found, none where the exchange keeps the rule, and
 * `undefined` where the exchange does not show whether it does.
 */
export interface ExchangeRule extends Rule {
  readonly operations: readonly string[];
  judge(exchange: ParsedExchange): readonly Issue[] | undefined;
}

/** One observation of a trace rule: the exchange that satisfied the rule, or how it violated it. */
export interface Observation {
  readonly at: TraceEvent;
  /** The other exchanges it takes to see this. */
  readonly with?: readonly TraceEvent[];
  /** Undefined if the rule is satisfied. */
  readonly issue?: Issue;
  /** The operations whose calls were looked for and not found, where the issue is that there is none. */
  readonly absent?: readonly string[];
}

/** A rule over a whole recording. What the recording does not show is not among the observations. */
export interface TraceRule extends Rule {
  observe(trace: Trace): Iterable<Observation>;
}

/** The verdict of an exchange that keeps a rule. */
export const satisfied: readonly Issue[] = [];

/** The verdict of an exchange that keeps a rule if the condition holds, and breaks it in this way otherwise. */
export function unless(condition: boolean, pointer: string, expected: string, actual: unknown): readonly Issue[] {
  return condition ? satisfied : [{ pointer, expected, actual }];
}
