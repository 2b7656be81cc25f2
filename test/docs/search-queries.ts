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
  ['otp expired', /errors#otp|portal#otp/],
  ['idempotency', /redemptions#retries/],
  ['webhook signature', /webhooks#verify/],
  ['401', /errors#/],
  ['reverse an order', /redemptions#|operations\/(?:updateRedeemStatus|reversePoints)#/],
  ['java', /what-you-build#examples|downloads#|ci#helpers/],
  ['workspace', /ci#workspaces|command#workspaces|operate#workspaces/],
  ['points debit failed', short],
  ['timeout', /redemptions#timeout/],
  ['postgres', /operate#postgresql/],
  ['container image', /command#install|operate#compose|what-you-build#containers/],
  ['laptop', /what-you-build#addresses/],
  ['tunnel', /what-you-build#addresses/],
  ['NAT', /what-you-build#addresses/],
  ['deduct twice', /redemptions#(?:platform-retries|retries|edge-cases)|operations\/saveRedeemDetails#/],
  ['connection refused in docker container', /what-you-build#containers/],
  ['app in docker connect to server running on host', /what-you-build#containers/],
  ['host.docker.internal', /what-you-build#containers/],
  ['jenkins pipeline', /ci#job/],
  ['github actions', /ci#(?:job|action)|what-you-build#containers/],
  ['return 401', /errors#|test-data#faults/],
  ['simulate timeout', /test-data#faults|redemptions#timeout/],
  ['simulate latency', /test-data#(?:faults|own-server)/],
  ['response delay', /test-data#(?:faults|own-server|vendor-outcomes)/],
  ['connection reset', /test-data#faults|redemptions#retries/],
  ['422 response', /errors#/],
  ['validation error details', /errors#|checking-traffic#|what-you-build#connect/],
  ['webhook signature verification failed', /webhooks#verify/],
  ['duplicate webhook events', /webhooks#/],
  ['test webhook locally', /webhooks#/],
  ['refund idempotent', /redemptions#|operations\/updateRedeemStatus#/],
  ['self signed certificate', /command#https|what-you-build#addresses|operate#/],
  ['https port', /command#https/],
  ['record traffic', /checking-traffic#(?:recording|proxy)/],
  ['validate requests with proxy', /checking-traffic#proxy/],
  ['reset between tests', /ci#(?:isolate|workspaces|snapshots)|test-data#reset/],
  ['verify number of calls received', /dashboard#(?:activity|inspect)|ci#at-the-end/],
  ['generate test data', /test-data|command#seed/],
  ['test cards', /test-(?:data|plan)#(?:magic-values|items|customers|amounts)/],
  ['test plan', /test-plan#/],
  ['expected result of a magic value', /test-plan#/],
  ['test clock advance', /test-data#clock/],
  ['test mode live mode', /going-live#/],
  ['environment variables', /operate#|command#/],
  ['openapi spec download', /downloads#contracts/],
  ['insufficient funds', short],
  ['too many requests 429', /errors#rate_limited|redemptions#quota/],
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

    it('there are 60 queries, and 30 of them are from elsewhere', () => {
      expect([queries.length >= 30, foreignQueries.length >= 30]).toEqual([true, true]);
      expect(queries.length + foreignQueries.length).toBeGreaterThanOrEqual(60);
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
