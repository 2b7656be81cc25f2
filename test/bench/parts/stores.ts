import { mkdir } from 'node:fs/promises';
import type { Bench, PartResult } from '../bench.ts';
import { row } from '../figures.ts';
import { pathOf } from '../processes.ts';

/** The bare cost of storing the records of an order. */
export async function stores({ processes, dir }: Bench): Promise<PartResult> {
  await mkdir(dir, { recursive: true });
  const run = processes.node('--no-warnings', pathOf('test/bench/servers/stores.ts'), dir);
  const rates = await run.json<Record<string, number[]>>();
  const rows = Object.entries(rates).map(([name, values]) => row(name, ...values));
  const title = 'Stores: the records of an order';
  return {
    figures: {},
    tables: [{ title, unit: '/s', against: 'SQLite, WAL and FULL', rows }],
    notes: ['lowdb writes its file without a flush, and whole each time; ours encrypts.'],
  };
}
