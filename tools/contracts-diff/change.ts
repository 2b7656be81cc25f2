/** The effect of a change on clients of the old contract: they break, gain a feature, or notice nothing. */
export type Rating = 'breaking' | 'additive' | 'documentation';

/** One difference between two versions of a contract. */
export interface Change {
  readonly contract: string;
  readonly rating: Rating;
  /** A sentence that describes the difference. */
  readonly sentence: string;
  /** Required action for the partner. Present on every breaking change. */
  readonly must?: string;
  /** The affected operations, by `operationId`. Empty if the change concerns the contract as a whole. */
  readonly operations: readonly string[];
  /** JSON pointer into the new contract. For a removed element, a pointer into the old one. */
  readonly pointer: string;
  /** The closest source line in the new contract. */
  readonly file: string;
  readonly line: number;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The ratings, most severe first. */
export const ratings: readonly Rating[] = ['breaking', 'additive', 'documentation'];

/** Returns the most severe rating of the changes, or `undefined` if there are none. */
export function gravest(changes: readonly Pick<Change, 'rating'>[]): Rating | undefined {
  return ratings.find((rating) => changes.some((change) => change.rating === rating));
}
