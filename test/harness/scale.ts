/**
 * Scales tests: small in the gate, large in the nightly suite. The nightly suite reruns every file that imports this module. Scale only
 * numbers here. A rule that needs the large scale belongs in a `*.nightly.test.ts` file.
 */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly suite: 'gate' | 'nightly';
    /** The seed of random tests. */
    readonly seed: number;
  }
}

/** Returns the first value in the gate, and the second in the nightly suite. */
export function scaled<T>(gate: T, nightly: T): T {
  return inject('suite') === 'nightly' ? nightly : gate;
}
