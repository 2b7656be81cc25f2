import type { CallSeen } from '../activity-log/activity.ts';
import type { ValidatedCall } from '../activity-log/activity-entry.ts';
import { pickFields, shapeOf } from '../contract/body.ts';
import type { Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Answer } from '../domain/failures.ts';

/** A reply to a call, and what of the call its validation needs. */
export interface CallReply {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly trace: string;
  /** The body that was sent; null if there was none. */
  readonly request: unknown;
  readonly reply: RawReply;
}

/** What the validation of a reply found: the decision about the reply and the entry of the log both rest on it. */
export interface ValidatedReply extends ValidatedCall {
  /** The body as JSON; undefined if there is none, or it is no JSON. */
  readonly json: { readonly value: unknown } | undefined;
}

/** A contract with the validator of responses (OP-62). */
export interface ValidatingContract extends LoadedContract {
  readonly validate: (call: CallReply) => ValidatedReply;
}

/**
 * How far a reply is looked into before it is believed. A failure is what its status says, whatever its
 * body is like (OP-101). A success that breaks the contract is not believed; one that nothing is `read` from only where
 * it breaks what the interface states (OP-102).
 * - `strict`: validated against the contract, and the log notes each response without a decision;
 * - `checked`: validated against the contract; a success that is not JSON counts as no reply;
 * - `trusted`: not validated; a success that is not JSON counts as no reply;
 * - `status`: only its status counts, and its body is not stored.
 */
export type Judged =
  | {
      readonly by: 'strict';
      readonly contract: ValidatingContract;
      /** Whether the caller needs the content of a success; for the others, the status is enough. */
      readonly read: boolean;
    }
  | { readonly by: 'checked'; readonly contract: ValidatingContract }
  | { readonly by: 'trusted' | 'status' };

/** What a failure says in a party's envelope, and which statuses say no: one that failed otherwise has not decided. */
export interface RefusalRules {
  readonly refuses: (status: number) => boolean;
  readonly message: (body: unknown) => string | undefined;
}

/**
 * Whether a status alone is a refusal: a 4xx, except the three that request a retry (408
 * Request Timeout, 425 Too Early, 429 Too Many Requests). A server that failed has not decided (OP-101).
 */
export function saysNo(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** A reply before it is checked, with the length of its body; `empty` if its head says that there is none. */
export interface RawReply {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
  readonly empty: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The result of an answered call. A `broken` reply is a success that violates its contract, and is not trusted. */
export type Outcome<T = unknown> =
  | (Answer<T> & { readonly status: number | null })
  | {
      readonly kind: 'broken';
      readonly status: number;
      readonly reason: string;
    };

/** An outcome, and what the log is to tell of the reply. */
interface JudgedReply {
  readonly outcome: Outcome;
  readonly logged: Pick<CallSeen, 'reply' | 'replyBytes' | 'notices'>;
}

/** The outcome as its caller's rules take it: a reply that broke the contract is no answer. */
export function answerOf<T>(outcome: Outcome<T>): Answer<T> {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', body: outcome.body };
    case 'refused':
      return { kind: 'refused', message: outcome.message };
    case 'no_answer': {
      const { reason, ours } = outcome;
      return { kind: 'no_answer', reason, ...(ours !== undefined && { ours }) };
    }
    case 'broken':
      return { kind: 'no_answer', reason: outcome.reason };
  }
}

/**
 * Judges a reply. Throws where it counts as none.
 *
 * @param validated what its validation found; left out where it was validated before it was sent, or is not to be
 */
export function judge(
  operationId: string,
  judged: Judged,
  refusals: RefusalRules,
  response: RawReply,
  validated?: ValidatedReply,
): JudgedReply {
  const { status, bytes } = response;
  switch (judged.by) {
    case 'strict': {
      const body = validated === undefined ? read(response) : validated.json?.value;
      const outcome = outcomeOf(operationId, judged, refusals, { status, body }, validated);
      const reason = brokenRule(status, validated)?.reason ?? ('reason' in outcome ? outcome.reason : undefined);
      return { outcome, logged: { reply: body, notices: reason === undefined ? [] : [reason] } };
    }
    case 'checked': {
      const body = readOrThrow(response, validated);
      const outcome = outcomeOf(operationId, { ...judged, read: true }, refusals, { status, body }, validated);
      const broken = brokenRule(status, validated);
      return { outcome, logged: { reply: body, notices: broken === undefined ? [] : [broken.reason] } };
    }
    case 'trusted': {
      const body = readOrThrow(response);
      const outcome = trustedOutcome(refusals, status, body, body !== undefined);
      // A wallet may be large: what is left out of the log anyway is not looked into.
      return { outcome, logged: { reply: body, replyBytes: bytes, notices: [] } };
    }
    case 'status':
      return { outcome: trustedOutcome(refusals, status, undefined, true), logged: { reply: null, notices: [] } };
  }
}

/** The JSON of a reply; undefined if it is none. */
function read({ text }: RawReply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON of a reply; of a failure that is not JSON the text. Throws for a success that is not JSON. */
function readOrThrow(response: RawReply, validated?: ValidatedReply): unknown {
  if (response.empty) return undefined;
  if (validated?.json !== undefined) return validated.json.value;
  return isOk(response.status) ? JSON.parse(response.text) : (read(response) ?? response.text);
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * The outcome of a validated response. A success passes on only the fields of the contract (OP-102).
 */
function outcomeOf(
  operationId: string,
  { contract, read }: { readonly contract: LoadedContract; readonly read: boolean },
  { refuses, message }: RefusalRules,
  { status, body }: { readonly status: number; readonly body: unknown },
  validated: ValidatedReply | undefined,
): Outcome {
  if (isOk(status)) {
    const broken = brokenRule(status, validated, read ? undefined : 'error');
    if (broken !== undefined) return { kind: 'broken', status, reason: broken.reason };
    const schema = operationOf(contract, operationId)?.replies.get(status)?.schema;
    const documented = schema === undefined ? body : pickFields(body, shapeOf(contract.bundle, schema), []);
    return { kind: 'accepted', status, body: documented };
  }
  const ownMessage = message(body);
  if (refuses(status)) return { kind: 'refused', status, message: ownMessage ?? `status ${status}` };
  return {
    kind: 'no_answer',
    status,
    reason: ownMessage === undefined ? `status ${status}` : `status ${status}: ${ownMessage}`,
  };
}

/** The outcome of a trusted response. `whole`: it has what a success must have. */
function trustedOutcome({ refuses, message }: RefusalRules, status: number, body: unknown, whole: boolean): Outcome {
  if (isOk(status) && whole) return { kind: 'accepted', status, body };
  const ownMessage = message(body) ?? `status ${status}`;
  return refuses(status)
    ? { kind: 'refused', status, message: ownMessage }
    : { kind: 'no_answer', status, reason: ownMessage };
}

/**
 * The first rule of the contract that the status or the body of a reply breaks; undefined if it breaks none. What its headers
 * are like, and what it should be to this very request, is for the log.
 */
function brokenRule(
  status: number,
  { findings, unchecked }: ValidatedReply = valid,
  severity?: 'error',
): { readonly reason: string } | undefined {
  const found = findings.find(
    (finding) => breaking.test(finding.code) && (severity === undefined || finding.severity === severity),
  );
  if (found === undefined) {
    return unchecked && severity === undefined ? { reason: 'the response cannot be validated' } : undefined;
  }
  const { code, pointer, expected } = found;
  if (code === 'reply.status.undocumented') return { reason: `status ${status} is not in the contract` };
  if (code === 'reply.body.malformed') return { reason: 'the response is not JSON' };
  if (code === 'reply.body.missing') return { reason: 'the response has no body' };
  return { reason: `response ${pointer.replace('/body', '')} ${expected}` };
}

const valid: ValidatedReply = { findings: [], unchecked: false, json: undefined };

/** Findings in the status or in the body. */
const breaking = /^reply\.(status\.|body\.(?!undocumented$))/;

function operationOf({ operations }: LoadedContract, operationId: string): Operation | undefined {
  return operations.find((operation) => operation.operationId === operationId);
}
