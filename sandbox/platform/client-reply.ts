import type { Operation } from '../contract/document.ts';
import type { LoadedContract } from '../contract/schemas.ts';
import type { Answer } from '../domain/answer.ts';
import type { Deviation } from '../runtime/activity.ts';
import { maskAt } from '../runtime/masking.ts';

/** What the client sent back. `body` is undefined when there was none, or none that is JSON. */
export interface ClientReply {
  readonly status: number;
  readonly body: unknown;
  /** The text of a reply that is not JSON. */
  readonly text?: string;
}

/** An answer, and where the reply behind it broke the contract (OP-62). */
export interface Judged {
  readonly answer: Answer;
  readonly deviations: readonly Deviation[];
}

/** Most deviations of one reply that are noted, and most characters of what was there instead. */
const mostDeviations = 20;
const mostCharacters = 200;

/** Holds a reply of the client against the contract. One that breaks it is not believed. */
export function judge(contract: LoadedContract, operationId: string, { status, body, text }: ClientReply): Judged {
  const operation = contract.operations.find((known) => known.operationId === operationId);
  const schema = operation?.replies.get(status)?.schema;
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
  if (found !== undefined) return broken(`reply ${found.where} ${found.problem}`, deviations(contract, schema, body));
  if (status < 300) return { answer: { kind: 'accepted', body }, deviations: [] };
  const { message } = (body as { data: { message: string } }).data;
  // A server that failed has not decided: only a 422 says no.
  if (status === 422) return { answer: { kind: 'refused', message }, deviations: [] };
  return broken(`status ${status}: ${message}`, []);
}

function broken(reason: string, deviations: readonly Deviation[]): Judged {
  return { answer: { kind: 'no_answer', reason }, deviations };
}

function statuses(operation: Operation | undefined): string {
  return [...(operation?.replies.keys() ?? [])].join(', ');
}

function deviations(contract: LoadedContract, schema: string, body: unknown): readonly Deviation[] {
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
