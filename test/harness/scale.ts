/**
 * How much a test does: little in the gate, much in the nightly suite, which runs every file that imports this one a second time.
 * Numbers belong here, not rules: a rule that only the large form can see belongs in a `*.nightly.test.ts`.
 */
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    readonly suite: 'gate' | 'nightly';
    /** What random tests draw from. */
    readonly seed: number;
  }
}

/** The first value in the gate, the second in the nightly suite. */
export function scaled<T>(gate: T, nightly: T): T {
  return inject('suite') === 'nightly' ? nightly : gate;
}
