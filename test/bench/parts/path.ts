import type { Bench, PartResult } from '../bench.ts';
import { row } from '../figures.ts';
import { pathOf } from '../processes.ts';

interface Ran {
  readonly files: number;
  readonly calls: number;
}

/** How much of the sandbox's own code one warm order and one warm listing run. */
export async function path({ processes }: Bench): Promise<PartResult> {
  const { order, listing } = await processes
    .node(pathOf('test/request-path/count.ts'), '--one-line')
    .json<{ order: Ran; listing: Ran }>();
  return {
    figures: { 'path/files': order.files, 'path/calls': order.calls, 'path/listing': listing.files },
    tables: [
      { title: 'Files of one call', unit: '', rows: [row('order', order.files), row('listing', listing.files)] },
      {
        title: 'Function calls of one call',
        unit: '',
        rows: [row('order', order.calls), row('listing', listing.calls)],
      },
    ],
  };
}
