/**
 * Measures what one customer's long history costs another: orders a second of a third customer alone, next to callers that
 * wait in vain, and next to four readers of each list and page, with the longest block of each read. Prints a table; with
 * `--against` that of another checkout (with its node_modules) first. Usage: `npm run bench:readers -- [--others
 * 20000] [--own 10000] [--orders 300] [--against DIR]`.
 */
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { besideReaders, type Comparison } from './readers-load.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    others: { type: 'string', default: '20000' },
    own: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '300' },
    against: { type: 'string' },
  },
});

function table(rows: readonly Comparison[]): string {
  const head = [
    'beside',
    'orders/s',
    'of alone',
    'orders per CPU second',
    'of alone',
    'refused',
    'order p99 ms (alone)',
    '/health p99 ms',
    'longest block CPU ms',
  ];
  const cells = rows.map((row) => [
    ...[row.beside, row.rate.toFixed(0), row.share.toFixed(2), row.perCpuSecond.toFixed(0), row.cpuShare.toFixed(2)],
    `${row.refused}`,
    `${row.orderP99.toFixed(0)} (${row.aloneP99.toFixed(0)})`,
    ...[row.healthP99.toFixed(0), row.longestBlock.toFixed(0)],
  ]);
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const here = fileURLToPath(new URL('../..', import.meta.url));
for (const checkout of values.against === undefined ? [here] : [values.against, here]) {
  const counts = { others: Number(values.others), own: Number(values.own) };
  const rows = await besideReaders(checkout, { ...counts, orders: Number(values.orders) });
  console.log(`${checkout === here ? 'Now' : 'Before'}\n\n${table(rows)}\n`);
}
