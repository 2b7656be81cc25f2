import type { ValidatedCall } from '../activity-log/activity-entry.ts';
import { pickFields, shapeOf } from '../contract/body.ts';
import type { Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Answer } from '../domain/failures.ts';
import { attempt } from '../store/attempt.ts';
import type { HttpReply } from './read-response.ts';

/** A reply, and the properties of its call that validation needs. */
export interface CallReply {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly trace: string;
  /** The request body; null if there was none. */
  readonly request: unknown;
  readonly reply: HttpReply;
}

/** The result of validating a reply. Both the outcome of the call and the log entry use it. */
export interface ValidatedReply extends ValidatedCall {
  /** The parsed body; `undefined` if there is none, or if it is not JSON. */
  readonly json: { readonly value: unknown } | undefined;
}

/** A contract with a validator of its responses (OP-62). */
export interface ValidatingContract extends LoadedContract {
  readonly validate: (call: CallReply) => ValidatedReply;
}

/**
 * The validation that a reply must pass. For a failure, only the status matters, regardless of its body (OP-101). A
 * success that violates the contract is rejected. If its content is not `read`, only violations of the interface's own
 * statements count (OP-102).
 * - `strict`: validated against the contract; the log also notes each response without a decision
 * - `checked`: validated against the contract; a success that is not JSON counts as no reply
 * - `trusted`: not validated; a success that is not JSON counts as no reply
 * - `status`: only the status counts, and the body is not stored
 */
export type ReplyValidation =
  | {
      readonly by: 'strict';
      readonly contract: ValidatingContract;
      /** Whether the caller needs the content of a success. If not, the status is sufficient. */
      readonly read: boolean;
    }
  | { readonly by: 'checked'; readonly contract: ValidatingContract }
  | { readonly by: 'trusted' | 'status' };

/**
 * A party's rules for failures: its error messages, and the statuses that are refusals. A failure with any other status
 * is not a decision.
 */
export interface RefusalRules {
  readonly refuses: (status: number) => boolean;
  readonly message: (body: unknown) => string | undefined;
}

/**
 * Returns whether a status is a refusal. A refusal is any 4xx except 408 Request Timeout, 425 Too Early and 429 Too
 * Many Requests, which request a retry. A server error is not a decision (OP-101).
 */
export function saysNo(status: number): boolean {
  return status >= 400 && status < 500 && ![408, 425, 429].includes(status);
}

/** The result of a call. A `broken` reply is a success that violates its contract, and is not trusted. */
export type Outcome<T = unknown> =
  | (Answer<T> & { readonly status: number | null })
  | {
      readonly kind: 'broken';
      readonly status: number;
      readonly reason: string;
    };

/** Converts an outcome to an answer for the caller's rules. A reply that violates the contract counts as no answer. */
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
 * Checks a reply. Returns the outcome, and the log data about the reply. Throws if it counts as no reply.
 *
 * @param validated the validation result; omitted if the reply was validated before it was sent, or needs no
 *   validation
 */
export function judge(
  operationId: string,
  judged: ReplyValidation,
  refusals: RefusalRules,
  response: HttpReply,
  validated?: ValidatedReply,
) {
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
      // A wallet can be large, so content that the log omits anyway is not processed.
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

/** A decoder that removes a byte order mark, as JSON readers do. */
const utf8 = new TextDecoder();

/** Returns the body of a reply as text. */
export function textOf({ body }: HttpReply): string {
  return utf8.decode(body);
}

function readJson(text: string): unknown {
  return attempt(() => JSON.parse(text));
}

/** Parses the JSON of a reply. Returns the text of a failure that is not JSON. Throws for a success that is not JSON. */
function readOrThrow(response: HttpReply, validated?: ValidatedReply): unknown {
  const { status, headers, body } = response;
  const isChunked = headers.some(([name, value]) => name === 'transfer-encoding' && value.includes('chunked'));
  // The status or the headers declare an empty body.
  if (status === 204 || (body.length === 0 && !isChunked)) return undefined;
  if (validated?.json !== undefined) return validated.json.value;
  const text = textOf(response);
  return isOk(status) ? JSON.parse(text) : (readJson(text) ?? text);
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Returns the outcome of a validated response. A success contains only the fields of the contract (OP-102). */
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

/** Returns the outcome of a failure. `before` precedes the message if the response is not a decision. */
function failureOf({ refuses, message }: RefusalRules, status: number, body: unknown, before = ''): Outcome {
  const own = message(body);
  if (refuses(status)) return { kind: 'refused', status, message: own ?? `status ${status}` };
  return { kind: 'no_answer', status, reason: own === undefined ? `status ${status}` : `${before}${own}` };
}

/**
 * Returns the first contract violation in the status or the body of a reply; `undefined` if there is none. Findings
 * about its headers, or about its relation to the request, only concern the log.
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

/** Matches the codes of findings in the status or the body. */
const breaking = /^reply\.(status\.|body\.(?!undocumented$))/;

/** Returns an operation of a contract; `undefined` if the contract does not define it. */
export function operationOf({ operations }: LoadedContract, operationId: string): Operation | undefined {
  return operations.find((operation) => operation.operationId === operationId);
}
