import type { Work } from '../../harness/path-budget.ts';
import type { Bench, PartResult } from '../bench.ts';
import { row } from '../figures.ts';
import { pathOf } from '../processes.ts';
import { startOn } from '../sandbox.ts';

/** Measures the time from process start until the process reports that it is ready. */
export async function start(bench: Bench): Promise<PartResult> {
  const seconds = async (dir: string, signal?: NodeJS.Signals) => {
    const { process, milliseconds } = await startOn(bench.processes, dir);
    await process.stop(signal);
    return milliseconds / 1000;
  };
  // A checkout's first start compiles the code, and caches the result before the process ends.
  await seconds(bench.folder(), 'SIGINT');
  const measure = async (name: string, rounds: number, folder: () => Promise<string>) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await seconds(await folder()));
    return row(name, ...times);
  };
  const empty = await measure('empty', 5, async () => bench.folder());
  const some = await measure('20,000 orders', 3, async () => bench.filled(20_000));
  const many = await measure('100,000 orders', 3, async () => bench.filled(100_000));
  return {
    figures: { 'start/empty': empty.value, 'start/some': some.value, 'start/many': many.value },
    tables: [{ title: 'Start to ready', unit: 's', rows: [empty, some, many] }],
  };
}

/** Measures the work of one warm order and one warm listing. */
export async function path({ processes }: Bench): Promise<PartResult> {
  const script = pathOf('test/request-path/count.ts');
  const counted = await processes.node(script, '--one-line').json<Record<'order' | 'listing', Work>>();
  const figures = Object.entries(counted).flatMap(([call, work]) =>
    Object.entries(work).map(([kind, count]) => [`path/${call}-${kind}`, count]),
  );
  return { figures: Object.fromEntries(figures), tables: [] };
}
