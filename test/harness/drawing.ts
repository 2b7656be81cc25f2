/** Seeded random choices for fuzz tests. */
import fc from 'fast-check';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';

/** The random choices of a run. The same seed produces the same choices. */
export class Draw {
  readonly #random: SeededRandom;
  readonly #patterns = new Map<string, fc.Arbitrary<string>>();

  constructor(seed: string) {
    this.#random = new SeededRandom(`fuzz ${seed}`);
  }

  /** Returns true in `percent` % of cases. */
  chance(percent: number): boolean {
    return this.#random.integer(100) < percent;
  }

  integer(low: number, high: number): number {
    return low + this.#random.integer(Math.min(high - low + 1, 2 ** 31));
  }

  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to choose from');
    return choices[this.#random.integer(choices.length)] as T;
  }

  /** Returns a string that matches a pattern. */
  matching(pattern: string): string {
    const whole = new RegExp(pattern, 'u');
    // fast-check cannot generate text from a lookahead. Generate without it, then filter with the full pattern.
    const texts =
      this.#patterns.get(pattern) ??
      fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?=[^)]*\)/g, ''))).filter((text) => whole.test(text));
    this.#patterns.set(pattern, texts);
    return this.#one(texts);
  }

  /** Returns a string in this length range, from any script, including characters with special meaning in other formats. */
  text(minLength: number, maxLength: number): string {
    const unit = this.pick(['grapheme-ascii', 'grapheme', 'binary'] as const);
    return this.#one(fc.string({ unit, minLength, maxLength }));
  }

  #one<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { numRuns: 1, seed: this.#random.integer(2 ** 31) })[0] as T;
  }
}
