import type { Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Answer } from '../domain/answer.ts';
import type { CallSeen } from './activity.ts';
import type { Deviation } from './activity-entry.ts';
import { maskAt } from './masking.ts';

/**
 * How far a reply is looked into before it is believed (decision 037):
 * - `strict`: held against the contract, and the log tells each place where it breaks it (OP-62), and each reply without
 *   a decision;
 * - `checked`: held against the contract, and the log tells the first place; a success that is not JSON counts as no
 *   reply;
 * - `taken`: its word is taken, whatever the contract says; a success that is not JSON counts as no reply;
 * - `status`: nothing but its status counts, and what it says is not kept.
 */
export type Judged =
  | { readonly by: 'strict' | 'checked'; readonly contract: LoadedContract }
  | { readonly by: 'taken' | 'status' };

/** What a failure says in a party's envelope, and which statuses say no: one that failed otherwise has not decided. */
export interface RefusalRules {
  readonly refuses: (status: number) => boolean;
  readonly message: (body: unknown) => string | undefined;
}

/** A reply as it came, with the length of its body; `empty` where its head says that there is none. */
export interface CameBack {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
  readonly empty: boolean;
}

/** What came of a call that was answered. A `broken` reply is not as the contract says, and not believed. */
export type Outcome<T = unknown> =
  | (Answer<T> & { readonly status: number | null })
  | {
      readonly kind: 'broken';
      readonly status: number;
      readonly reason: string;
      readonly deviations: readonly Deviation[];
    };

/** An outcome, and what the log is to tell of the reply. */
interface JudgedReply {
  readonly outcome: Outcome;
  readonly noted: Pick<CallSeen, 'reply' | 'replyBytes' | 'notices' | 'deviations'>;
}

/** The outcome as its caller's rules take it: a reply that broke the contract is no answer. */
export function answerOf<T>(outcome: Outcome<T>): Answer<T> {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', body: outcome.body };
    case 'refused':
      return { kind: 'refused', message: outcome.message };
    case 'no_answer':
    case 'broken':
      return { kind: 'no_answer', reason: outcome.reason };
  }
}

/** Most deviations of one reply that are noted, and most characters of what was there instead. */
const mostDeviations = 20;
const mostCharacters = 200;

/** Judges a reply. Throws where it counts as none. */
export function judge(operationId: string, judged: Judged, refusals: RefusalRules, came: CameBack): JudgedReply {
  const { status, bytes } = came;
  switch (judged.by) {
    case 'strict': {
      const { body, text } = read(came);
      const outcome = breach(operationId, judged.contract, { status, body, text }) ?? decided(refusals, status, body);
      const { deviations } = outcome.kind === 'broken' ? outcome : { deviations: [] };
      const notices = 'reason' in outcome ? [outcome.reason] : [];
      return { outcome, noted: { reply: body, notices, ...(deviations.length > 0 && { deviations }) } };
    }
    case 'checked': {
      const body = readOrThrow(came);
      const outcome = breach(operationId, judged.contract, { status, body }) ?? decided(refusals, status, body);
      return { outcome, noted: { reply: body, notices: outcome.kind === 'broken' ? [outcome.reason] : [] } };
    }
    case 'taken': {
      const body = readOrThrow(came);
      const outcome = taken(refusals, status, body, body !== undefined);
      // A wallet may be large: what is left out of the log anyway is not looked into.
      return { outcome, noted: { reply: body, replyBytes: bytes, notices: [] } };
    }
    case 'status':
      return { outcome: taken(refusals, status, undefined, true), noted: { reply: null, notices: [] } };
  }
}

/** What a reply says; the text instead, of one that is not JSON. */
function read({ text }: CameBack): { readonly body: unknown; readonly text?: string } {
  if (text === '') return { body: undefined };
  try {
    return { body: JSON.parse(text) };
  } catch {
    return { body: undefined, text };
  }
}

/** What a reply says; of a failure that is not JSON the text. Throws for a success that is not JSON. */
function readOrThrow(came: CameBack): unknown {
  if (came.empty) return undefined;
  if (isOk(came.status)) return JSON.parse(came.text);
  const { body = came.text } = read(came);
  return body;
}

function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What a reply that keeps its contract comes to. */
function decided({ refuses, message }: RefusalRules, status: number, body: unknown): Outcome {
  if (isOk(status)) return { kind: 'accepted', status, body };
  const told = message(body) ?? '';
  if (refuses(status)) return { kind: 'refused', status, message: told };
  return { kind: 'no_answer', status, reason: `status ${status}: ${told}` };
}

/** What a reply comes to whose word is taken. `whole`: it has what a success must have. */
function taken({ refuses, message }: RefusalRules, status: number, body: unknown, whole: boolean): Outcome {
  if (isOk(status) && whole) return { kind: 'accepted', status, body };
  const told = message(body) ?? `status ${status}`;
  return refuses(status) ? { kind: 'refused', status, message: told } : { kind: 'no_answer', status, reason: told };
}

type Broken = Extract<Outcome, { kind: 'broken' }>;

/** Where a reply breaks its contract; undefined where it does not. `text` is what came in place of JSON. */
function breach(
  operationId: string,
  contract: LoadedContract,
  { status, body, text }: { readonly status: number; readonly body: unknown; readonly text?: string | undefined },
): Broken | undefined {
  const operation = contract.operations.find((known) => known.operationId === operationId);
  const schema = operation?.replies.get(status)?.schema;
  const broken = (reason: string, deviations: readonly Deviation[]) =>
    ({ kind: 'broken', status, reason, deviations }) as const;
  if (schema === undefined) {
    const deviation = { pointer: '', expected: `status ${statuses(operation)}`, actual: `status ${status}` };
    return broken(`status ${status} is not in the contract`, [deviation]);
  }
  if (text !== undefined) {
    // What it says is not shown: without fields there is nothing to mask by.
    const deviation = { pointer: '', expected: 'JSON', actual: `${text.length} characters that are not JSON` };
    return broken('the reply is not JSON', [deviation]);
  }
  const found = contract.schemas.check(schema)(body);
  return found && broken(`reply ${found.where} ${found.problem}`, deviationsOf(contract, schema, body));
}

function statuses(operation: Operation | undefined): string {
  return [...(operation?.replies.keys() ?? [])].join(', ');
}

function deviationsOf(contract: LoadedContract, schema: string, body: unknown): readonly Deviation[] {
  const found = contract.schemas.findings(schema, body).slice(0, mostDeviations);
  return found.map(({ where, problem, value }) => ({
    pointer: cut(where),
    expected: problem,
    actual: value === undefined ? 'nothing' : cut(JSON.stringify(maskAt(where, value))),
  }));
}

function cut(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}...`;
}
