/** A pair of operations that differ in one aspect, with the ratings of that change and of its reverse. */
import type { Rating } from '../../../tools/contracts-diff/change.ts';
import { type Operation, object } from './contracts.ts';

export interface Case {
  readonly name: string;
  readonly before: Operation;
  readonly after: Operation;
  readonly rating: Rating;
  /** The rating of the reverse change. */
  readonly reverse: Rating;
}

export const [breaking, additive, documentation] = ['breaking', 'additive', 'documentation'] as const;

/** Creates a case. */
export function pair(name: string, before: Operation, after: Operation, rating: Rating, reverse: Rating): Case {
  return { name, before, after, rating, reverse };
}

/** The schema of a list of strings. */
export const list = { type: 'array', items: { type: 'string' } };

/** Returns a schema that accepts one of several shapes. */
export function choice(...kinds: readonly string[]): object {
  return { oneOf: kinds.map((kind) => object({ kind: { const: kind } })) };
}
