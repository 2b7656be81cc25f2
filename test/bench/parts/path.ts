import type { Work } from '../../harness/path-budget.ts';
import type { Bench, PartResult } from '../bench.ts';
import { pathOf } from '../processes.ts';

/** Measures the work of one warm order and one warm listing. */
export async function path({ processes }: Bench): Promise<PartResult> {
  const script = pathOf('test/request-path/count.ts');
  const counted = await processes.node(script, '--one-line').json<Record<'order' | 'listing', Work>>();
  const figures = Object.entries(counted).flatMap(([call, work]) =>
    Object.entries(work).map(([kind, count]) => [`path/${call}-${kind}`, count]),
  );
  return { figures: Object.fromEntries(figures), tables: [] };
}
