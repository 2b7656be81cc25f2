import type { Bench, PartResult } from '../bench.ts';
import { row } from '../figures.ts';
import { pathOf } from '../processes.ts';
import { startSubject } from '../sandbox.ts';

/** How many workspaces can be created in ten seconds. */
export async function workspaces(bench: Bench): Promise<PartResult> {
  const { urls } = await startSubject(bench, bench.folder(), '--workspaces', '2000');
  const script = pathOf('test/bench/servers/make-workspaces.ts');
  const { made, refused, seconds } = await bench.processes
    .node(script, `${urls.sandbox}/workspaces`)
    .json<{ made: number; refused: number; seconds: number }>();
  const rows = [row('made', made / seconds)];
  const note = `After ${made} workspaces, in ${seconds.toFixed(1)} s, the next one was refused with ${refused}.`;
  return {
    figures: { 'workspaces/made': made },
    tables: [{ title: 'Workspaces, 10 at a time', unit: '/s', rows }],
    ...(refused > 0 && { notes: [note] }),
  };
}
