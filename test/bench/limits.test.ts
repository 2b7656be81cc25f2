/** A part's time limit follows from its own constants, and a whole run's limit follows from its parts. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limits, longest } from './limits.ts';
import { help } from './options.ts';
import { loadSeconds as beside } from './parts/beside.ts';
import { loadSeconds as listing } from './parts/listing.ts';
import { loadSeconds as orders } from './parts/orders.ts';
import { loadSeconds as proxy } from './parts/proxy.ts';
import { partNames } from './targets.ts';

const loads = { listing, orders, beside, proxy };

it('the limit of a part with load is at least one and a half times its longest load, plus half a minute to start the servers', () => {
  expect(loads).toEqual({ listing: 200, orders: 216, beside: 280, proxy: 144 });
  const short = Object.entries(loads).filter(([part, load]) => limits[part as keyof typeof loads] < load * 1.5 + 30);
  expect(short).toEqual([]);
});

it('the limit of a whole run is the sum of its parts without another checkout, and the help and CONTRIBUTING.md state it', () => {
  const always = partNames.filter((part) => part !== 'beside');
  expect(longest).toBe(always.reduce((sum, part) => sum + limits[part], 0));
  const minutes = Math.ceil(longest / 60);
  expect(help).toContain(`${minutes} minutes at most`);
  const contributing = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  expect(contributing).toMatch(new RegExp(`npm run bench\`.*${minutes} minutes at most`));
});
