/**
 * Chains of kills: a sandbox on one data folder is killed in the middle of something, started again and held against
 * what was acknowledged, round after round (OP-50, OP-63, OP-64). What is done, and where the kill falls, follows from
 * the seed.
 */
import { expect, it } from 'vitest';
import { SeededRandom } from '../../sandbox/runtime/random.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { Chain, oneOf } from './kill-chain.ts';
import { deeds } from './kill-deeds.ts';

/** Small, so that the journal is folded every few orders. */
const checkpointAfterBytes = 20_000;

/**
 * Runs a chain. Returns how many calls its kills left without an answer; throws after the first round that went wrong.
 */
async function run(seed: string, rounds: number): Promise<number> {
  const random = new SeededRandom(seed);
  const chain = new Chain({ dataDir: await temporaryFolder(), checkpointAfterBytes }, random);
  let unanswered = 0;
  await chain.start();
  for (let round = 1; round <= rounds; round += 1) {
    await chain.spend(oneOf(random, chain.spaces), random.integer(3));
    const [name, deed] = oneOf(random, deeds);
    const wrong = await deed(chain, oneOf(random, chain.spaces))
      .then((wasAnswered) => {
        if (!wasAnswered) unanswered += 1;
        return chain.restart();
      })
      .catch((error: Error) => [error.stack ?? error.message]);
    if (wrong.length > 0) throw new Error(`seed ${seed}, round ${round}, ${name}: ${wrong.join('; ')}`);
  }
  const wrong = await chain.end();
  if (wrong.length > 0) throw new Error(`seed ${seed}, the snapshots at the end: ${wrong.join('; ')}`);
  return unanswered;
}

/**
 * Runs chains, two at a time. To repeat one that went wrong, name its seed here alone.
 *
 * @param rounds of each chain: kills, each on the folder that the one before left
 */
export function killRounds(seeds: readonly string[], rounds: number): void {
  const pairs = seeds.flatMap((seed, index) => (index % 2 === 0 ? [[seed, ...seeds.slice(index + 1, index + 2)]] : []));
  it.each(pairs.map((pair) => [pair.join(' and '), pair] as const))(
    `%s: ${rounds} kills one after the other, and nothing acknowledged is lost, nothing is half done`,
    { timeout: rounds * 30_000 },
    async (_, pair) => {
      const unanswered = await Promise.all(pair.map((seed) => run(seed, rounds)));
      expect(Math.min(...unanswered)).toBeGreaterThan(0);
    },
  );
}
