/** Many partners in one sandbox, each with a workspace and a server of its own. */
import { expect } from 'vitest';
import type { Clients } from '../harness/sandbox.ts';
import { enterPortal, orderByCustomerAuth, orderByV2, type Partnership, partnership } from './own-tokens.ts';

/** The calls that a partner's server must receive, in this order. */
const expectedCalls = [
  'getProfileAndPoints',
  ...['getProfileAndPoints', 'getProfileAndPoints', 'saveRedeemDetails'],
  ...['getProfileAndPoints', 'getCustomerPoints', 'redeemPoints'],
];
/** Partners whose journeys run at the same time. */
const concurrency = 5;

/**
 * Each of `count` partners opens the portal and orders twice; half of them issue JWTs, half opaque tokens.
 *
 * @param make makes the workspace of a partner
 */
export async function sideBySide(count: number, make: (number: number) => Promise<Clients>): Promise<void> {
  const partners: Partnership[] = [];
  for (let number = 0; number < count; number += 1) {
    const kind = number % 2 === 0 ? 'JWT' : 'opaque token';
    partners.push(await partnership(await make(number), kind));
  }
  const tokens: string[][] = [];
  for (let first = 0; first < count; first += concurrency) {
    tokens.push(...(await Promise.all(partners.slice(first, first + concurrency).map(tokensUsed))));
  }
  const operations = partners.map(({ server }) => server.calls.map(({ operation }) => operation));
  expect(operations).toEqual(partners.map(() => expectedCalls));
  const credentials = partners.map(({ server }) => [
    ...new Set(server.calls.map(({ authorization }) => authorization)),
  ]);
  expect(credentials).toEqual(tokens);
}

/** The tokens that a partner's journeys use, as its server receives them. */
async function tokensUsed(partner: Partnership): Promise<string[]> {
  const portal = await enterPortal(partner);
  expect(portal.result.status).toBe(303);
  const journeys = [portal, await orderByCustomerAuth(partner), await orderByV2(partner)];
  return journeys.map(({ token }) => `Bearer ${token}`);
}
