import { mkdir } from 'node:fs/promises';
import type { Bench, PartResult } from '../bench.ts';
import { row } from '../figures.ts';
import { pathOf } from '../processes.ts';
import { startSubject } from '../sandbox.ts';

const items = 1_000_000;

/** Pages near the beginning of a large catalogue and deep in it, in one walk that requests no page twice. */
export async function catalogue(bench: Bench): Promise<PartResult> {
  const dir = bench.folder();
  await mkdir(dir);
  await bench.processes.node(pathOf('test/bench/servers/fill-catalogue.ts'), dir, String(items)).json();
  const { urls, token } = await startSubject(bench, dir);
  const walk = bench.processes.node(pathOf('test/bench/servers/walk.ts'), `${urls.rewards}/v1/partner/rewards`, token);
  const { items: walked, times } = await walk.json<{ items: number; times: number[] }>();
  if (walked !== items) throw new Error(`a walk met ${walked} items of ${items}`);
  const half = Math.floor(times.length / 2);
  const rows = [
    // The first few hundred calls warm up the compilers.
    row('first tenth', ...times.slice(times.length / 20, times.length / 10)),
    row('middle', ...times.slice(half, half + times.length / 20)),
    row('deep', ...times.slice(-times.length / 20)),
  ];
  const few = rows.map(({ name, value }) => ({ name, value, rounds: [] }));
  const title = 'A page of 200 items of a catalogue of 1,000,000';
  return { figures: {}, tables: [{ title, unit: 'ms', against: 'first tenth', rows: few }] };
}
