import type { CallSeen } from '../activity-log/activity.ts';
import type { Deviation } from '../activity-log/activity-entry.ts';
import { isDocumented, type Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import { pickFields, type Shape, shapeOf } from '../contract/shape.ts';
import type { Answer } from '../domain/failures.ts';

/** A contract with the validator of responses (OP-62). */
export interface JudgedContract extends LoadedContract {
  /** Each place where a reply to a call of this address is not as the contract says. */
  readonly deviations: (operationId: string, url: string, response: RawReply) => readonly Deviation[];
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
      readonly contract: JudgedContract;
      /** Whether the caller needs the content of a success; for the others, the status is enough. */
      readonly read: boolean;
      /** What is wrong with a success beyond the contract, such as whom it is about; undefined where nothing is. */
      readonly contradiction?: (body: unknown) => string | undefined;
    }
  | { readonly by: 'checked'; readonly contract: JudgedContract }
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

/** Judges a reply. Throws where it counts as none. */
export function judge(operationId: string, judged: Judged, refusals: RefusalRules, response: RawReply): JudgedReply {
  const { status, bytes } = response;
  switch (judged.by) {
    case 'strict': {
      const { body, text } = read(response);
      const found = breach(operationId, judged.contract, { status, body, text });
      const decided = outcomeOf(operationId, judged, refusals, { status, body }, found);
      const outcome =
        decided.kind === 'accepted' ? (contradicted(judged.contradiction, status, body) ?? decided) : decided;
      const reason = found?.reason ?? ('reason' in outcome ? outcome.reason : undefined);
      const notices = reason === undefined ? [] : [reason];
      return { outcome, logged: { reply: body, notices } };
    }
    case 'checked': {
      const body = readOrThrow(response);
      const found = breach(operationId, judged.contract, { status, body });
      const outcome = outcomeOf(operationId, { ...judged, read: true }, refusals, { status, body }, found);
      return { outcome, logged: { reply: body, notices: found === undefined ? [] : [found.reason] } };
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

/** What a reply says; the text instead, of one that is not JSON. */
function read({ text }: RawReply): { readonly body: unknown; readonly text?: string } {
  if (text === '') return { body: undefined };
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { body: undefined, text };
  }
}

/** What a reply says; of a failure that is not JSON the text. Throws for a success that is not JSON. */
function readOrThrow(response: RawReply): unknown {
  if (response.empty) return undefined;
  if (isOk(response.status)) return JSON.parse(response.text);
  const { body = response.text } = read(response);
  return body;
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
  found: Breach | undefined,
): Outcome {
  if (isOk(status)) {
    if (found !== undefined && (read || found.stated)) {
      return { kind: 'broken', status, reason: found.reason };
    }
    const schema = operationOf(contract, operationId)?.replies.get(status)?.schema;
    const documented = schema === undefined ? body : pickFields(body, knownShape(contract, schema), []);
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

/** The shapes of the replies of each contract, each derived once. */
const shapes = new WeakMap<LoadedContract, Map<string, Shape>>();

function knownShape(contract: LoadedContract, schema: string): Shape {
  const ofContract = shapes.get(contract) ?? new Map<string, Shape>();
  shapes.set(contract, ofContract);
  const shape = ofContract.get(schema) ?? shapeOf(contract.bundle, schema);
  ofContract.set(schema, shape);
  return shape;
}

/** The outcome of a trusted response. `whole`: it has what a success must have. */
function trustedOutcome({ refuses, message }: RefusalRules, status: number, body: unknown, whole: boolean): Outcome {
  if (isOk(status) && whole) return { kind: 'accepted', status, body };
  const ownMessage = message(body) ?? `status ${status}`;
  return refuses(status)
    ? { kind: 'refused', status, message: ownMessage }
    : { kind: 'no_answer', status, reason: ownMessage };
}

/** Where a reply breaks its contract, and whether by what the interface states or by what is assumed of it. */
interface Breach {
  readonly reason: string;
  readonly stated: boolean;
}

/** Undefined if a reply satisfies its contract. `text` is the body if it is not JSON. */
function breach(
  operationId: string,
  contract: LoadedContract,
  { status, body, text }: { readonly status: number; readonly body: unknown; readonly text?: string | undefined },
): Breach | undefined {
  const operation = operationOf(contract, operationId);
  const reply = operation?.replies.get(status);
  if (reply?.schema === undefined) {
    if (operation !== undefined && isDocumented(operation, status)) return undefined;
    const stated = [...(operation?.replies ?? [])].some(([documented, { stated }]) => isOk(documented) && stated);
    return { reason: `status ${status} is not in the contract`, stated };
  }
  const { schema, stated } = reply;
  if (text !== undefined) return { reason: 'the response is not JSON', stated };
  const found = contract.schemas.check(schema)(body);
  if (found === undefined) return undefined;
  return { reason: `response ${found.where} ${found.problem}`, stated };
}

function operationOf({ operations }: LoadedContract, operationId: string): Operation | undefined {
  return operations.find((operation) => operation.operationId === operationId);
}

/** A success that answers another request; undefined for every other response. */
function contradicted(
  contradiction: Extract<Judged, { by: 'strict' }>['contradiction'],
  status: number,
  body: unknown,
): Extract<Outcome, { kind: 'broken' }> | undefined {
  const found = isOk(status) ? contradiction?.(body) : undefined;
  if (found === undefined) return undefined;
  return { kind: 'broken', status, reason: found };
}
