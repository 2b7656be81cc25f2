import { type HeldSegment, sizeOf } from './history.ts';
import { mostRows } from './segment-index.ts';

/** How many segments of about the same size are left side by side. */
const atOnce = 4;
/** Segments of fewer rows count as of one size. */
const small = 256;

/**
 * The segments that are to become one: those of about the same size where there are several, so that a row is written
 * anew only as often as what is stored has grown fourfold. One of which more than half no longer counts is written anew
 * too, also alone. Empty where all can stay as it is.
 */
export function toMerge(held: readonly HeldSegment[]): readonly HeldSegment[] {
  const bySize = held.map((one) => ({ one, rows: sizeOf(one) })).sort((a, b) => a.rows - b.rows);
  const tiers = Map.groupBy(bySize, ({ rows }) => Math.floor(Math.log(Math.max(rows, small)) / Math.log(atOnce)));
  for (const tier of tiers.values()) {
    if (tier.length < atOnce) continue;
    let rows = 0;
    const chosen = tier.filter((each) => {
      rows += each.rows;
      return rows <= mostRows;
    });
    if (chosen.length > 1) return chosen.map(({ one }) => one);
  }
  return held.filter((one) => sizeOf(one) < one.segment.rows / 2).slice(0, 1);
}
