/** What a run is going to do: its requirements in order, and its most calls. */

import type { SeededRandom } from '../runtime/ids.ts';
import { callsToBegin, mostToRestore } from './preflight.ts';
import type { Requirement, Requirements } from './requirement.ts';
import type { ConnectionParts } from './run-connections.ts';
import { leftOut } from './selection.ts';
import type { Input, RequirementVerdict } from './verdict.ts';

/** What a run is going to do. */
export interface Begun {
  /** The versions that are tested. */
  readonly api: 'v1' | 'v2' | 'both';
  /** Requirements that are tested, and how many there are. */
  readonly judged: number;
  readonly of: number;
  /** Most calls. */
  readonly calls: number;
  /** Why requirements are left out that the input asks for. */
  readonly notes: readonly string[];
}

/** How often a run tests a requirement again, since an answer was lost. */
export const mostRepeats = 10;

/** Most calls that a run sends to the server. */
export function mostCalls(input: Input, { list }: Requirements): number {
  const judged = list.filter((requirement) => leftOut(requirement, input) === undefined);
  const restoring = (calls: number) => calls + mostToRestore * input.customers.length;
  const each = judged.map(({ calls }) => calls + restoring(calls));
  const repeats = mostRepeats * Math.max(0, ...each);
  return each.reduce((sum, calls) => sum + calls, callsToBegin(input) + restoring(0) + repeats);
}

/** The same with some of them last, in their own order: the one about time looks at the whole run. */
export function endingWith(last: readonly string[], list: readonly Requirement[]): Requirement[] {
  const ending = last.flatMap((id) => list.filter((requirement) => requirement.id === id));
  return [...list.filter((requirement) => !ending.includes(requirement)), ...ending];
}

/** In an order that follows from the random source (Fisher and Yates). */
export function shuffle<T>(list: readonly T[], random: SeededRandom): T[] {
  const left = [...list];
  return list.map(() => left.splice(random.integer(left.length), 1)[0] as T);
}

/** What a run is made of. */
export interface CertifyParts extends ConnectionParts {
  /** The version of this project. */
  readonly version: string;
  /** SHA-256 of the contracts, in hex. */
  readonly contractsDigest: string;
  /** Called once before the server's ledger changes: what is checked, and the most calls that are sent. */
  readonly begun?: (beginning: Begun) => void;
  /** Called with each requirement that got a verdict. */
  readonly progress?: (verdict: RequirementVerdict, at: { readonly done: number; readonly of: number }) => void;
}
