/** Readers' search queries, each with the expected first result. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { ranking } from '../../docs/.vitepress/theme/search.ts';
import { operationsOf, readBundle, referenced } from '../../tools/docs/bundles.ts';

const short = /errors#(?:points_changed|insufficient_balance)|saveRedeemDetails|redemptions#edge-cases/;

type Query = readonly [words: string, page: RegExp];

/** The queries used to tune the ranking. */
export const queries: readonly Query[] = [
  ['verify webhook signature', /webhooks#verify/],
  ['insufficient points', short],
  ['sandbox vs production', /going-live#differences/],
  ['rate limit', /redemptions#quota|errors#rate_limited/],
  ['token expired', /errors#(?:token|unauthorized)|authentication#/],
  ['postman', /downloads#collection/],
  ['idempotency key', /redemptions#retries|errors#idempotency/],
  ['cancel order', /redemptions#cancel/],
  ['stated assumed', /going-live#stated|reference\/#|open-points#/],
  ['refund', /redemptions#|operations\/(?:updateRedeemStatus|reversePoints)#/],
  ['docker', /what-you-build#containers|operate#compose/],
  ['createRedemptionOrder', /reference\/#createRedemptionOrder/],
  ['saveRedeemDetails', /operations\/saveRedeemDetails#/],
  ['otp expired', /errors#otp|portal#otp/],
  ['idempotency', /redemptions#retries/],
  ['401', /errors#/],
  ['java', /what-you-build#examples|downloads#|ci#helpers/],
  ['workspace', /ci#workspaces|command#workspaces|operate#workspaces/],
  ['timeout', /redemptions#timeout/],
  ['laptop', /what-you-build#addresses/],
  ['deduct twice', /redemptions#(?:platform-retries|retries|edge-cases)|operations\/saveRedeemDetails#/],
  ['connection refused in docker container', /what-you-build#containers/],
  ['github actions', /ci#(?:job|action)|what-you-build#containers/],
  ['simulate timeout', /test-data#faults|redemptions#timeout/],
  ['validation error details', /errors#|checking-traffic#|what-you-build#connect/],
  ['webhook signature verification failed', /webhooks#verify/],
  ['self signed certificate', /command#https|what-you-build#addresses|operate#/],
  ['record traffic', /checking-traffic#(?:recording|proxy)/],
  ['validate requests with proxy', /checking-traffic#proxy/],
  ['verify number of calls received', /dashboard#(?:activity|inspect)|ci#at-the-end/],
  ['test plan', /test-plan#/],
];

/**
 * Queries from the public issue trackers of Stripe, Prism, WireMock and Mockoon, in the users' own words. They were collected before the
 * search was tested with them.
 */
export const foreignQueries: readonly Query[] = [
  ['web ui', /dashboard#/],
  ['request history', /dashboard#/],
  ['request logs', /dashboard#|operate#monitor/],
  ['start on another port', /command#|quickstart#|operate#/],
  ['first request fails second succeeds', /test-data#/],
  ['fail n times then succeed', /test-data#|quickstart#_7/],
  ['test retry', /test-data#faults|redemptions#(?:retries|platform-retries)/],
  ['reset state', /test-data#reset|ci#(?:isolate|snapshots|workspaces)/],
  ['webhook events not received', /webhooks#/],
  ['trigger webhook event', /webhooks#trigger/],
  ['webhook secret', /webhooks#/],
  ['api key expired', /errors#|authentication#/],
  ['authentication error', /errors#|authentication#/],
  ['import openapi', /downloads#contracts/],
  ['run in docker compose', /operate#compose|what-you-build#containers/],
  ['run on windows', /command#install/],
  ['proxy to real backend', /checking-traffic#proxy/],
  ['contract violations', /checking-traffic#|dashboard#/],
  ['upgrade version', /operate#upgrade/],
  ['persist data after restart', /operate#/],
  ['health check', /operate#monitor|command#/],
  ['run tests in parallel', /ci#(?:isolate|workspaces|helpers|testing)/],
  ['unit test junit', /ci#(?:helpers|testing)/],
  ['postman collection import', /downloads#collection/],
  ['replay event', /dashboard#(?:replay|reconciliation)|webhooks#/],
  ['duplicate charge', /redemptions#|errors#(?:idempotency|reference)|operations\/saveRedeemDetails#/],
  ['partial refund', /redemptions#|operations\/(?:updateRedeemStatus|reversePoints)#/],
  ['decimal amount', /what-you-build#strings|redemptions#points|operations\/creditPoints#/],
  ['pagination cursor', /redemptions#catalogue|command#pages/],
  ['cancel pending', /redemptions#cancel/],
];

/** Minimum share of queries whose first result must be the right page. */
const share = 0.85;

/** Loads a built site's search as the browser runs it. */
async function searchOf(site: string): Promise<(words: string) => readonly string[]> {
  const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: site });
  const module = (await import(pathToFileURL(join(site, file)).href)) as { default: string };
  const index = MiniSearch.loadJSON(module.default, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: ranking as object,
  });
  return (words) => index.search(words).map(({ id }) => String(id).replace('.html', ''));
}

export function testSearch(site: string): void {
  describe('search', () => {
    it.each([
      ['that the ranking was made with', queries],
      ['that others asked elsewhere', foreignQueries],
    ])('the page that a reader looks for comes first, for at least 85 %% of the queries %s', async (_, asked) => {
      const search = await searchOf(site);
      const others = asked.flatMap(([words, page]) => {
        const results = search(words);
        return page.test(results[0] ?? '') ? [] : [`${words}: ${results.slice(0, 3).join(' ')}`];
      });
      expect(others.length / asked.length, others.join('\n')).toBeLessThanOrEqual(1 - share);
    });

    it('each operation is found by its id', async () => {
      const search = await searchOf(site);
      const ids = referenced.flatMap((api) =>
        operationsOf(readBundle(api)).map(({ operation }) => operation.operationId),
      );
      const isPage = (result: string, id: string) =>
        result.includes(`/operations/${id}#`) || result.endsWith(`/reference/#${id}`);
      expect(ids.filter((id) => !isPage(search(id)[0] ?? '', id)).map((id) => [id, search(id)[0]])).toEqual([]);
    });
  });
}
