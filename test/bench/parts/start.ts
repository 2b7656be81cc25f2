import type { Bench, Measured } from '../bench.ts';
import { row } from '../figures.ts';
import { startOn } from '../sandbox.ts';

/** From the start of the process until it says that it is ready. */
export async function start(bench: Bench): Promise<Measured> {
  const seconds = async (dir: string, signal?: NodeJS.Signals) => {
    const { process, milliseconds } = await startOn(bench.processes, dir);
    await process.stop(signal);
    return milliseconds / 1000;
  };
  // The first start of a checkout compiles, and has kept what it compiled once it has ended.
  await seconds(bench.folder(), 'SIGINT');
  const [empty, stored]: number[][] = [[], []];
  for (let round = 0; round < 5; round += 1) empty?.push(await seconds(bench.folder()));
  for (let round = 0; round < 3; round += 1) stored?.push(await seconds((await bench.filled(100_000)).dir));
  const rows = [row('empty', ...(empty ?? [])), row('100,000 orders', ...(stored ?? []))];
  return {
    figures: { 'start/empty': rows[0]?.value ?? Number.NaN, 'start/stored': rows[1]?.value ?? Number.NaN },
    tables: [{ title: 'Start to ready', unit: 's', rows }],
  };
}
