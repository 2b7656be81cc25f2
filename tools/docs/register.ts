import { parse } from 'yaml';
import { type RegisteredPoint, registeredPoints } from '../../sandbox/conformance/open-points.ts';
import { read } from './content.ts';

/** An entry of docs/behaviour.yaml: behaviour of the sandbox outside the scope of the interface. */
export interface Behaviour {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface BehaviourGroup {
  readonly group: string;
  readonly rows: readonly Behaviour[];
}

/** All open points, ordered by id. */
export const openPoints: readonly RegisteredPoint[] = registeredPoints();

/** Behaviour of the sandbox, in reading order. */
export const behaviourGroups: readonly BehaviourGroup[] = parse(read('docs/behaviour.yaml'));

/** The entries of all groups. */
export const behaviours: readonly Behaviour[] = behaviourGroups.flatMap(({ rows }) => rows);

/** Ids of open points and behaviours. Contracts, code and tests refer to both in the same way. */
export const registerIds: readonly string[] = [...openPoints, ...behaviours].map(({ id }) => id);
