/**
 * Runs chains of kills (OP-50, OP-63, OP-64). Each round kills a sandbox during an action and restarts it on the same data folder. It then
 * compares the state with the acknowledged changes. The seed determines the actions and the moments of the kills.
 */
import { expect, it } from 'vitest';
import { SeededRandom } from '../../sandbox/runtime/ids.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { Chain, oneOf } from './kill-chain.ts';
import { deeds } from './kill-deeds.ts';

/** A small size, so that a checkpoint happens every few orders. */
const checkpointAfterBytes = 20_000;

/** Runs a chain. Returns the number of calls that its kills left without a reply. Throws after the first round with a problem. */
async function run(seed: string, rounds: number): Promise<number> {
  const random = new SeededRandom(seed);
  const chain = new Chain({ dataDir: await temporaryFolder(), checkpointAfterBytes }, random);
  let unansweredCount = 0;
  await chain.start();
  for (let round = 1; round <= rounds; round += 1) {
    await chain.spend(oneOf(random, chain.spaces), random.integer(3));
    const [name, deed] = oneOf(random, deeds);
    const problems = await deed(chain, oneOf(random, chain.spaces))
      .then((wasAnswered) => {
        if (!wasAnswered) unansweredCount += 1;
        return chain.restart();
      })
      .catch((error: Error) => [error.stack ?? error.message]);
    if (problems.length > 0) throw new Error(`seed ${seed}, round ${round}, ${name}: ${problems.join('; ')}`);
  }
  const problems = await chain.end();
  if (problems.length > 0) throw new Error(`seed ${seed}, the snapshots at the end: ${problems.join('; ')}`);
  return unansweredCount;
}

/**
 * Runs chains, two at a time. To repeat a failed chain, pass only its seed.
 *
 * @param rounds the number of kills in each chain, each on the folder that the previous one left
 */
export function killRounds(seeds: readonly string[], rounds: number): void {
  const pairs = seeds.flatMap((seed, index) => (index % 2 === 0 ? [[seed, ...seeds.slice(index + 1, index + 2)]] : []));
  it.each(pairs.map((pair) => [pair.join(' and '), pair] as const))(
    `%s: ${rounds} kills in a row lose nothing acknowledged and leave nothing half done`,
    { timeout: rounds * 30_000 },
    async (_, pair) => {
      const unansweredCounts = await Promise.all(pair.map((seed) => run(seed, rounds)));
      expect(Math.min(...unansweredCounts)).toBeGreaterThan(0);
    },
  );
}
