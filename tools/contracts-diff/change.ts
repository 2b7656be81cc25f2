/** How a change is rated: who keeps to the old contract fails, gains something, or notices nothing. */
export type Rating = 'breaking' | 'additive' | 'documentation';

/** One difference between two versions of a contract. */
export interface Change {
  readonly contract: string;
  readonly rating: Rating;
  /** What is different. */
  readonly sentence: string;
  /** What the partner must do about it; breaking changes have one. */
  readonly must?: string;
  /** The operations that it concerns, by operationId; none if it concerns the contract as a whole. */
  readonly operations: readonly string[];
  /** Where it is: in the new contract, or in the old one for what was removed. */
  readonly pointer: string;
  /** The closest line of the new contract as it is written. */
  readonly file: string;
  readonly line: number;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** The ratings, the gravest first. */
export const ratings: readonly Rating[] = ['breaking', 'additive', 'documentation'];

/** The gravest rating of some changes; none if there is no change. */
export function gravest(changes: readonly Pick<Change, 'rating'>[]): Rating | undefined {
  return ratings.find((rating) => changes.some((change) => change.rating === rating));
}
