/** Tests the dashboard build: the files in its manifest, and the page without a manifest. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { screenNames, showOverview } from '../../sandbox/dashboard/operations/screens.ts';
import { type Manifest, pageAssets } from '../../sandbox/sites/assets.ts';
import { pageEnvelope } from '../../sandbox/sites/failures.ts';
import { buildDashboard, isUpToDate } from '../../tools/dashboard/bundle.ts';
import { root } from '../harness/sources.ts';
import { words } from '../harness/visitor.ts';

const folder = join(root, 'generated/dashboard/browser');
const read = () => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;

it('each screen has its scripts, the entry first, and the folder has no other file', () => {
  expect(isUpToDate()).toBe(true);
  const { style, scripts } = read();
  const lists = Object.values(scripts);
  expect(lists.length).toBe(screenNames.length);
  expect(new Set(lists.map(([first]) => first?.replace(/-[0-9a-f]{12}\.js$/, '')))).toEqual(new Set(['main']));
  expect(readdirSync(folder).sort()).toEqual([...new Set(['manifest.json', style, ...lists.flat()])].sort());
});

it('the same sources give the same names', async () => {
  const before = read();
  await buildDashboard();
  expect(read()).toEqual(before);
});

it('a page of a dashboard that is not built is 503 and says how to build it', async () => {
  const site = {
    name: 'Sandbox dashboard',
    assets: { shared: pageAssets.shared, dashboard: undefined },
    frameAncestors: () => [],
  };
  const reply = await showOverview({ site, docs: false });
  expect(reply).toEqual({ kind: 'dashboard_not_built' });
  const { status, headers, body } = pageEnvelope(site, { kind: 'not_found' }).render({ kind: 'dashboard_not_built' });
  expect([status, headers?.['Retry-After']]).toEqual([503, '1']);
  expect(words({ text: String(body) } as never)).toBe(
    'The dashboard is not built yet In a checkout, the sandbox builds it in the background when it starts. Reload this page in a few seconds. ' +
      'If it does not open, run npm run dashboard to see the reason.',
  );
});
