/** The plan of a run: the order of its requirements and its maximum number of calls. */

import type { SeededRandom } from '../runtime/ids.ts';
import { callsToBegin, mostToRestore } from './preflight.ts';
import type { Requirement, Requirements } from './requirement.ts';
import type { ConnectionParts } from './run-connections.ts';
import { leftOut } from './selection.ts';
import type { Input, RequirementVerdict } from './verdict.ts';

/** The plan that a run announces when it starts. */
export interface Begun {
  /** The API versions to test. */
  readonly api: 'v1' | 'v2' | 'both';
  /** Number of requirements to test. `of` is the total number in the edition. */
  readonly judged: number;
  readonly of: number;
  /** Maximum number of calls. */
  readonly calls: number;
  /** Reasons that requested requirements are not tested. */
  readonly notes: readonly string[];
}

/** Maximum number of times that a run repeats a requirement because of a lost answer. */
export const mostRepeats = 10;

/** Returns the maximum number of calls that a run sends to the server. */
export function mostCalls(input: Input, { list }: Requirements): number {
  const judged = list.filter((requirement) => leftOut(requirement, input) === undefined);
  const restoring = (calls: number) => calls + mostToRestore * input.customers.length;
  const each = judged.map(({ calls }) => calls + restoring(calls));
  const repeats = mostRepeats * Math.max(0, ...each);
  return each.reduce((sum, calls) => sum + calls, callsToBegin(input) + restoring(0) + repeats);
}

/** Moves the requirements with the given ids to the end, in the order of the ids. Returns a new list. */
export function endingWith(last: readonly string[], list: readonly Requirement[]): Requirement[] {
  const ending = last.flatMap((id) => list.filter((requirement) => requirement.id === id));
  return [...list.filter((requirement) => !ending.includes(requirement)), ...ending];
}

/** Returns a shuffled copy of a list (Fisher-Yates). The random source determines the order. */
export function shuffle<T>(list: readonly T[], random: SeededRandom): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.integer(left.length), 1)[0] as T);
}

/** The input, dependencies and callbacks of a run. */
export interface CertifyParts extends ConnectionParts {
  /** The version of this project. */
  readonly version: string;
  /** SHA-256 of the contracts, in hex. */
  readonly contractsDigest: string;
  /** Called once with the plan, before the server's ledger changes. */
  readonly begun?: (beginning: Begun) => void;
  /** Called with each verdict and the progress of the run. */
  readonly progress?: (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;
}
