import type { ServerResponse } from 'node:http';

/** The place of a call among those in service. */
export interface AdmittedPlace {
  /** Gives the place back while the call only waits, and takes it again afterwards. */
  aside<T>(waiting: Promise<T>): Promise<T>;
}

const held = Symbol('place');

type Placed = ServerResponse & { [held]?: AdmittedPlace };

/** Notes the place that a call has. Whoever takes calls in does so, before anything is served. */
export function notePlace(response: Placed, place: AdmittedPlace): void {
  response[held] = place;
}

/** The place of the call that this is the reply to; undefined where nobody counts it. */
export function placeOf(response: Placed): AdmittedPlace | undefined {
  return response[held];
}
