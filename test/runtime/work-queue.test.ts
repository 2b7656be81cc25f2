/** The queue of due work, against a plain look through everything that waits. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorkQueue } from '../../sandbox/runtime/work-queue.ts';
import { scaled } from '../harness/scale.ts';

interface Piece {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
}

const ids = Array.from({ length: 40 }, (_, n) => `W${n}`);
const kinds = ['report', 'vendor', 'timeout'];

/** What is asked of both. Few kinds and instants, so that pieces meet often. */
type Step =
  | { readonly name: 'set'; readonly piece: Piece }
  | { readonly name: 'delete' | 'hold' | 'release'; readonly id: string }
  | { readonly name: 'first'; readonly until: number; readonly wanted: readonly string[] };

const anyId = fc.constantFrom(...ids);
const instant = fc.integer({ min: -20, max: 20 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('set' as const),
      piece: fc.record({ id: anyId, at: instant, kind: fc.constantFrom(...kinds) }),
    }),
  },
  fc.record({ name: fc.constantFrom('delete' as const, 'hold' as const, 'release' as const), id: anyId }),
  fc.record({
    name: fc.constant('first' as const),
    until: fc.oneof(instant, fc.constant(Number.POSITIVE_INFINITY)),
    wanted: fc.subarray(kinds),
  }),
);

/** The same without any order of its own: everything is looked through. */
class Plain {
  readonly pieces = new Map<string, Piece>();
  readonly held = new Set<string>();

  first(until: number, wanted: readonly string[]): Piece | undefined {
    const found = [...this.pieces.values()].filter(
      ({ id, at, kind }) => at <= until && wanted.includes(kind) && !this.held.has(id),
    );
    return found.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))[0];
  }
}

function play(steps: readonly Step[]): void {
  const plain = new Plain();
  const queue = new WorkQueue<Piece>((id) => !plain.held.has(id));
  for (const step of steps) {
    if (step.name === 'set') {
      plain.pieces.set(step.piece.id, step.piece);
      queue.set(step.piece);
    } else if (step.name === 'delete') {
      plain.pieces.delete(step.id);
      queue.delete(step.id);
    } else if (step.name === 'first') {
      const { until, wanted } = step;
      expect(queue.first(until, (kind) => wanted.includes(kind))).toBe(plain.first(until, wanted));
    } else {
      if (step.name === 'hold') plain.held.add(step.id);
      else plain.held.delete(step.id);
      queue.look(step.id);
    }
  }
  // What is left comes in time order.
  for (;;) {
    const left = plain.first(Number.POSITIVE_INFINITY, kinds);
    expect(queue.first(Number.POSITIVE_INFINITY, () => true)).toBe(left);
    if (left === undefined) return;
    plain.pieces.delete(left.id);
    queue.delete(left.id);
  }
}

test('the first piece is that of a plain look through everything, whatever came, went or was held before', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200, size: 'max' }), (steps) => play(steps)),
    { numRuns: scaled(60, 300) },
  );
});

describe('OP-147: what a change costs does not grow with what waits', () => {
  const many = 100_000;

  /** How many instants are read, at the most, by one of these changes to a queue in which so many pieces wait. */
  function most(waiting: number, held: boolean): number {
    let reads = 0;
    const piece = (id: string, at: number): Piece => ({
      id,
      kind: 'timeout',
      get at() {
        reads += 1;
        return at;
      },
    });
    const blocked = new Set<string>();
    const queue = new WorkQueue<Piece>((id) => !blocked.has(id));
    const instantOf = (n: number) => (n * 7919) % many;
    for (let n = 0; n < waiting; n += 1) {
      queue.set(piece(`W${n}`, instantOf(n)));
      if (!held) continue;
      blocked.add(`W${n}`);
      queue.look(`W${n}`);
    }
    const costs: number[] = [];
    const cost = (run: () => void) => {
      const before = reads;
      run();
      costs.push(reads - before);
    };
    for (let n = 0; n < 200; n += 1) {
      const [id, gone] = [`X${n}`, `W${(n * 97) % many}`];
      cost(() => queue.set(piece(id, instantOf(n * 13))));
      cost(() => queue.first(Number.POSITIVE_INFINITY, () => true));
      cost(() => queue.set(piece(id, instantOf(n * 17))));
      cost(() => queue.delete(gone));
      cost(() => queue.delete(id));
    }
    return Math.max(...costs);
  }

  test('with a hundred thousand pieces, a change looks at some dozens of them', () => {
    const doublings = Math.ceil(Math.log2(many));
    expect(most(many, false)).toBeLessThanOrEqual(8 * doublings);
    expect(most(many, false)).toBeGreaterThan(0);
  });

  test('with as many that may not be taken yet, it looks at none of them', () => {
    expect(most(many, true)).toBeLessThanOrEqual(most(1000, false));
  });
});
