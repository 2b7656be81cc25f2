import type { RefusedBody } from './body.ts';
import type { Parameter } from './document.ts';
import type { Issue, Issues } from './schemas.ts';

/** A parameter that is missing (`issues` left out) or invalid, and what was sent. */
export interface ParameterIssue {
  readonly parameter: Parameter;
  readonly sent: unknown;
  readonly issues?: Issues;
}

/** What validation found in a request. A part is left out where the call was refused before it was looked at. */
export interface RequestVerdict {
  /** Whether a credential held, or none was needed. */
  isAdmitted: boolean;
  parameters?: readonly ParameterIssue[];
  /** The issues of the body; why there are none, where it could not be read. */
  body?: readonly Issue[] | RefusedBody;
  /** The body as it was sent, parsed; left out where it has not been read, or cannot be. */
  sent?: unknown;
}

/** The verdict on a request that nothing has looked at. */
export const unseen: Readonly<RequestVerdict> = { isAdmitted: false };
