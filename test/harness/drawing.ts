/** Random choices that a seed decides, for fuzz tests. */
import fc from 'fast-check';
import { SeededRandom } from '../../sandbox/runtime/random.ts';

/** All choices of a run: the same seed makes the same ones. */
export class Draw {
  readonly #random: SeededRandom;
  readonly #patterns = new Map<string, fc.Arbitrary<string>>();

  constructor(seed: string) {
    this.#random = new SeededRandom(`fuzz ${seed}`);
  }

  /** True in `percent` of a hundred cases. */
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

  /** A text that matches a pattern. */
  matching(pattern: string): string {
    const whole = new RegExp(pattern, 'u');
    const known = this.#patterns.get(pattern);
    // Texts cannot be made from a look-ahead; it is left out and then asked for.
    const made =
      known ??
      fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?=[^)]*\)/g, ''))).filter((text) => whole.test(text));
    this.#patterns.set(pattern, made);
    return this.#one(made);
  }

  /** Any text of this length, of every script, with characters that mean something elsewhere. */
  text(minLength: number, maxLength: number): string {
    const unit = this.pick(['grapheme-ascii', 'grapheme', 'binary'] as const);
    return this.#one(fc.string({ unit, minLength, maxLength }));
  }

  #one<T>(arbitrary: fc.Arbitrary<T>): T {
    return fc.sample(arbitrary, { numRuns: 1, seed: this.#random.integer(2 ** 31) })[0] as T;
  }
}
