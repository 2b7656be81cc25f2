/** Both load tools place the same orders, with unique references, for each customer in turn. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { orderBody } from './load/autocannon.ts';

it('autocannon sends the same body as the script for wrk', () => {
  const script = readFileSync(new URL('load/orders.lua', import.meta.url), 'utf8');
  const [, template = '', values = ''] = /string\.format\(\n\s*'([^']+)',\n\s*([^)]+)\)/.exec(script) ?? [];
  expect(values).toBe('uid, number % customers, run, number');
  const body = template.replace('%s%02d', 'SPEED01').replace('%s-%d', 'bench-51');
  expect(orderBody({ reference: 'bench', uid: 'SPEED', customers: 50 }, 51)).toBe(body);
});

it('orders come from each customer in turn, or from a single one', () => {
  const uids = (customers: number) =>
    [1, 2, 3].map((number) => JSON.parse(orderBody({ reference: 'r', uid: 'U', customers }, number)).uid);
  expect([uids(2), uids(1)]).toEqual([
    ['U01', 'U00', 'U01'],
    ['U00', 'U00', 'U00'],
  ]);
});
