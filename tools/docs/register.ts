import { parse } from 'yaml';
import { type RegisteredPoint, registeredPoints } from '../../sandbox/conformance/open-points.ts';
import { read } from './content.ts';

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
export const openPoints: readonly RegisteredPoint[] = registeredPoints();

/** The behaviour of the sandbox, in reading order. */
export const behaviourGroups: readonly BehaviourGroup[] = parse(read('docs/behaviour.yaml'));

/** The rows of all groups. */
export const behaviours: readonly Behaviour[] = behaviourGroups.flatMap(({ rows }) => rows);

/** The ids of both lists, which contracts, code and tests refer to alike. */
export const registerIds: readonly string[] = [...openPoints, ...behaviours].map(({ id }) => id);
