import { describe, expect, test } from 'vitest';
import { draw, placeStream, type RandomCollections, randomSchema, SeededRandom } from '../../sandbox/runtime/ids.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';

/** Draws one value of every kind from a source. */
const sample = (random: SeededRandom) =>
  [random.hex(16), random.integer(1000), random.code(8), random.digits(6), random.bytes(5).toString('hex')].join();

describe('the seeded source of randomness', () => {
  test('the same seed gives the same stream', () => {
    expect(sample(new SeededRandom('demo'))).toEqual(sample(new SeededRandom('demo')));
  });

  test.each(['', 'demo ', 'Demo', 'demo#1', 'demo#2'])('the seed %j gives another stream than demo', (seed) => {
    expect(new SeededRandom(seed).hex(32)).not.toBe(new SeededRandom('demo').hex(32));
  });

  test('one long draw and many short ones give the same stream', () => {
    const [whole, pieces] = [new SeededRandom('demo'), new SeededRandom('demo')];
    expect([1, 2, 3, 5, 21].map((length) => pieces.hex(length)).join('')).toBe(whole.hex(32));
  });

  test('an integer is whole, at least 0 and below its bound', () => {
    const random = new SeededRandom('range');
    for (const below of [1, 2, 3, 7, 10, 32, 1000, 2 ** 31 + 1, 2 ** 32]) {
      const numbers = Array.from({ length: 500 }, () => random.integer(below));
      expect(numbers.filter((number) => !Number.isInteger(number) || number < 0 || number >= below)).toEqual([]);
    }
    expect(random.integer(1)).toBe(0);
  });

  test.each([3, 10, 32])('each integer below %d is as likely as any other (chi-square, 1 in 10^6)', (below) => {
    const random = new SeededRandom('fair');
    const draws = 30_000;
    const counts = Array.from({ length: below }, () => 0);
    for (let draw = 0; draw < draws; draw += 1) {
      const number = random.integer(below);
      counts[number] = (counts[number] ?? 0) + 1;
    }
    const mean = draws / below;
    const chiSquare = counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
    expect(chiSquare).toBeLessThan({ 3: 27.6, 10: 47.6, 32: 85 }[below] ?? 0);
  });

  test('there is no modulo bias: below 3 * 2^30 each third is as frequent', () => {
    const random = new SeededRandom('bias');
    const thirds = [0, 0, 0];
    for (let draw = 0; draw < 9_000; draw += 1) {
      const third = Math.floor(random.integer(3 * 2 ** 30) / 2 ** 30);
      thirds[third] = (thirds[third] ?? 0) + 1;
    }
    for (const count of thirds) expect(Math.abs(count - 3_000)).toBeLessThan(300);
  });

  test('a code has no look-alikes: no 0, 1, I or O', () => {
    const characters = new Set(new SeededRandom('codes').code(5_000));
    expect([...characters].sort().join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
  });

  test('digits are digits, leading zeros too', () => {
    const random = new SeededRandom('digits');
    const codes = Array.from({ length: 300 }, () => random.digits(6));
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
    expect(codes.some((code) => code.startsWith('0'))).toBe(true);
  });
});

test('a stream resumes at any position, as if it had been drawn up to there', () => {
  for (const drawn of [0, 1, 15, 16, 17, 1000]) {
    const random = new SeededRandom('seed');
    random.bytes(drawn);
    expect(random.place()).toEqual({ seed: 'seed', drawn });
    const again = new SeededRandom('other');
    again.resume(random.place());
    expect(again.hex(40)).toBe(random.hex(40));
  }
});

describe('OP-94: a draw in a transaction', () => {
  const start = { seed: 'records', drawn: 0 };

  /** Creates a store with a random stream at its start. */
  async function storeWithStream() {
    const store = openMemoryStore<RandomCollections>(randomSchema);
    await store.transact((tx) => placeStream(tx, start));
    const four = () => store.transact((tx) => draw(tx, (random) => random.hex(4)));
    return { store, four };
  }

  test('comes from the stream, draw by draw, and the transaction stores the new position', async () => {
    const { store, four } = await storeWithStream();
    const all = new SeededRandom(start);
    expect([await four(), await four()]).toEqual([all.hex(4), all.hex(4)]);
    expect(store.get('streams', 'records')).toEqual({ seed: 'records', drawn: 8 });
  });

  test('does not count if the transaction fails', async () => {
    const { store, four } = await storeWithStream();
    const lost = store.transact((tx) => {
      draw(tx, (random) => random.hex(4));
      throw new Error('no');
    });
    await expect(lost).rejects.toThrow('no');
    expect(await four()).toBe(new SeededRandom(start).hex(4));
  });

  test('fails without a stream', async () => {
    const store = openMemoryStore<RandomCollections>(randomSchema);
    const lost = store.transact((tx) => draw(tx, (random) => random.hex(4)));
    await expect(lost).rejects.toThrow('the store has no random stream');
  });
});
