/** What readers search for, and the page that they should see first. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { ranking } from '../../docs/.vitepress/theme/search.ts';
import { contractNames } from '../../sandbox/apis/registry.ts';
import { operationsOf, readBundle } from '../../tools/docs/bundles.ts';

const short = /errors#(?:points_changed|insufficient_balance)|saveRedeemDetails|redemptions#edge-cases/;

export const queries: readonly (readonly [words: string, page: RegExp])[] = [
  ['check signature', /webhooks#verify/],
  ['verify webhook', /webhooks#/],
  ['verify webhook signature', /webhooks#verify/],
  ['insufficient points', short],
  ['not enough points', short],
  ['points are short', short],
  ['sandbox vs production', /going-live#differences/],
  ['rate limit', /redemptions#quota|errors#rate_limited/],
  ['token expired', /errors#(?:token|unauthorized)|authentication#/],
  ['go live checklist', /going-live#/],
  ['postman', /downloads#collection/],
  ['idempotency key', /redemptions#retries|errors#idempotency/],
  ['cancel order', /redemptions#cancel/],
  ['fake clock', /test-data#clock/],
  ['time travel', /test-data#clock/],
  ['test clock', /test-data#clock/],
  ['stated assumed', /going-live#stated|reference\/#|open-points#/],
  ['what is assumed', /going-live#stated|reference\/#|open-points#/],
  ['refund', /redemptions#|operations\/(?:updateRedeemStatus|reversePoints)#/],
  ['docker', /what-you-build#containers|operate#compose/],
  ['createRedemptionOrder', /reference\/#createRedemptionOrder/],
  ['saveRedeemDetails', /operations\/saveRedeemDetails#/],
];

/** The search of a built site, as the browser runs it. */
async function searchOf(site: string): Promise<(words: string) => readonly string[]> {
  const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: site });
  const module = (await import(pathToFileURL(join(site, file)).href)) as { default: string };
  const index = MiniSearch.loadJSON(module.default, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.2, prefix: true, ...ranking } as object,
  });
  return (words) => index.search(words).map(({ id }) => String(id));
}

export function testSearch(site: string): void {
  describe('search', () => {
    it('the page that a reader looks for comes first', async () => {
      const search = await searchOf(site);
      const others = queries.flatMap(([words, page]) => {
        const results = search(words);
        return page.test(results[0] ?? '') ? [] : [`${words}: ${results.slice(0, 3).join(' ')}`];
      });
      expect(others).toEqual([]);
    });

    it('each operation is found by its id', async () => {
      const search = await searchOf(site);
      const ids = contractNames.flatMap((api) =>
        operationsOf(readBundle(api)).map(({ operation }) => operation.operationId),
      );
      const isPage = (result: string, id: string) =>
        result.includes(`/operations/${id}#`) || result.endsWith(`/reference/#${id}`);
      expect(ids.filter((id) => !isPage(search(id)[0] ?? '', id)).map((id) => [id, search(id)[0]])).toEqual([]);
    });
  });
}
