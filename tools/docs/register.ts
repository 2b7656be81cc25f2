import { parse } from 'yaml';
import { read } from './content.ts';

/** A row of docs/register.yaml: something that the interface leaves open. */
export interface OpenPoint {
  readonly id: string;
  readonly title: string;
  readonly open: string;
  readonly choice: string;
  /** What to ask the other side. */
  readonly next: string;
  /** The operations it concerns; all if it is missing. */
  readonly operations?: readonly string[];
  /** Whether it must be settled before going live. */
  readonly blocks?: true;
  readonly since: string;
}

/** A row of docs/behaviour.yaml: how the sandbox behaves where the interface has nothing to say. */
export interface Behaviour {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface BehaviourGroup {
  readonly group: string;
  readonly rows: readonly Behaviour[];
}

/** All open points, by id. */
export const openPoints: readonly OpenPoint[] = parse(read('docs/register.yaml'));

/** The behaviour of the sandbox, in reading order. */
export const behaviourGroups: readonly BehaviourGroup[] = parse(read('docs/behaviour.yaml'));

/** The rows of all groups. */
export const behaviours: readonly Behaviour[] = behaviourGroups.flatMap(({ rows }) => rows);

/** The ids of both lists, which contracts, code and tests refer to alike. */
export const registerIds: readonly string[] = [...openPoints, ...behaviours].map(({ id }) => id);
