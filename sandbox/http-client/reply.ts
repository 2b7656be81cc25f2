import type { CallSeen } from '../activity-log/activity.ts';
import type { ValidatedCall } from '../activity-log/activity-entry.ts';
import { pickFields, shapeOf } from '../contract/body.ts';
import type { Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Answer } from '../domain/failures.ts';
import type { HttpReply } from './read-response.ts';

/** A reply to a call, and what of the call its validation needs. */
export interface CallReply {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly trace: string;
  /** The body that was sent; null if there was none. */
  readonly request: unknown;
  readonly reply: HttpReply;
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
export type ReplyValidation =
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
 * Checks a reply. Throws if it counts as none.
 *
 * @param validated what its validation found; left out where it was validated before it was sent, or is not to be
 */
export function judge(
  operationId: string,
  judged: ReplyValidation,
  refusals: RefusalRules,
  response: HttpReply,
  validated?: ValidatedReply,
): JudgedReply {
  const { status } = response;
  switch (judged.by) {
    case 'status': {
      const outcome: Outcome = isOk(status)
        ? { kind: 'accepted', status, body: undefined }
        : failureOf(refusals, status, undefined);
      return { outcome, logged: { reply: null, notices: [] } };
    }
    case 'trusted': {
      const body = readOrThrow(response);
      const isWhole = isOk(status) && body !== undefined;
      const outcome: Outcome = isWhole ? { kind: 'accepted', status, body } : failureOf(refusals, status, body);
      // A wallet may be large: what is left out of the log anyway is not looked into.
      return { outcome, logged: { reply: body, replyBytes: response.body.length, notices: [] } };
    }
    case 'strict':
    case 'checked': {
      const isStrict = judged.by === 'strict';
      const read = validated === undefined ? readJson : () => validated.json?.value;
      const body = isStrict ? read(textOf(response)) : readOrThrow(response, validated);
      const outcome = validatedOutcome(operationId, judged, refusals, { status, body }, validated);
      const undecided = isStrict && 'reason' in outcome ? outcome.reason : undefined;
      const notice = brokenRule(status, validated) ?? undecided;
      return { outcome, logged: { reply: body, notices: notice === undefined ? [] : [notice] } };
    }
  }
}

/** Leaves a byte order mark out, as readers of JSON do. */
const utf8 = new TextDecoder();

/** The body of a reply as text. */
export function textOf({ body }: HttpReply): string {
  return utf8.decode(body);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The JSON of a reply; of a failure that is not JSON the text. Throws for a success that is not JSON. */
function readOrThrow(response: HttpReply, validated?: ValidatedReply): unknown {
  const { status, headers, body } = response;
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value.includes('chunked'));
  // Its head says that there is none.
  if (status === 204 || (body.length === 0 && !isChunked)) return undefined;
  if (validated?.json !== undefined) return validated.json.value;
  const text = textOf(response);
  return isOk(status) ? JSON.parse(text) : (readJson(text) ?? text);
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * The outcome of a validated response. A success passes on only the fields of the contract (OP-102).
 */
function validatedOutcome(
  operationId: string,
  judged: Extract<ReplyValidation, { contract: unknown }>,
  refusals: RefusalRules,
  { status, body }: { readonly status: number; readonly body: unknown },
  validated: ValidatedReply | undefined,
): Outcome {
  if (!isOk(status)) return failureOf(refusals, status, body, `status ${status}: `);
  const { contract } = judged;
  const isRead = judged.by === 'checked' || judged.read;
  const reason = brokenRule(status, validated, isRead ? undefined : 'error');
  if (reason !== undefined) return { kind: 'broken', status, reason };
  const schema = operationOf(contract, operationId)?.replies.get(status)?.schema;
  const documented = schema === undefined ? body : pickFields(body, shapeOf(contract.bundle, schema), []);
  return { kind: 'accepted', status, body: documented };
}

/** The outcome of any other response. `before` comes before the message of one that has not decided. */
function failureOf({ refuses, message }: RefusalRules, status: number, body: unknown, before = ''): Outcome {
  const own = message(body);
  if (refuses(status)) return { kind: 'refused', status, message: own ?? `status ${status}` };
  return { kind: 'no_answer', status, reason: own === undefined ? `status ${status}` : `${before}${own}` };
}

/**
 * The first rule of the contract that the status or the body of a reply breaks; undefined if it breaks none. What its headers
 * are like, and what it should be to this very request, is for the log.
 */
function brokenRule(
  status: number,
  { findings, unchecked }: Pick<ValidatedReply, 'findings' | 'unchecked'> = { findings: [], unchecked: false },
  severity?: 'error',
): string | undefined {
  const found = findings.find(
    (finding) => breaking.test(finding.code) && (severity === undefined || finding.severity === severity),
  );
  if (found === undefined) return unchecked && severity === undefined ? 'the response cannot be validated' : undefined;
  const { code, pointer, expected } = found;
  if (code === 'reply.status.undocumented') return `status ${status} is not in the contract`;
  if (code === 'reply.body.malformed') return 'the response is not JSON';
  if (code === 'reply.body.missing') return 'the response has no body';
  return `response ${pointer.replace('/body', '')} ${expected}`;
}

/** Findings in the status or in the body. */
const breaking = /^reply\.(status\.|body\.(?!undocumented$))/;

/** The operation of a contract. */
export function operationOf({ operations }: LoadedContract, operationId: string): Operation | undefined {
  return operations.find((operation) => operation.operationId === operationId);
}
