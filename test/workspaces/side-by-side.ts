/** Many partners in one sandbox, each with a workspace and a server of its own. */
import { expect } from 'vitest';
import type { Clients } from '../harness/sandbox.ts';
import { enterPortal, orderByCustomerAuth, orderByV2, type Partnership, partnership } from './own-tokens.ts';

/** What one partner's server has to hear, in this order. */
const own = [
  'getProfileAndPoints',
  ...['getProfileAndPoints', 'getProfileAndPoints', 'saveRedeemDetails'],
  ...['getProfileAndPoints', 'getCustomerPoints', 'redeemPoints'],
];
/** Partners whose journeys run at the same time. */
const together = 5;

/**
 * Has each of so many partners open the portal and order twice; half of them issue JWTs, half opaque tokens.
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
  for (let first = 0; first < count; first += together) {
    tokens.push(...(await Promise.all(partners.slice(first, first + together).map(tokensUsed))));
  }
  const heard = partners.map(({ server }) => server.heard.map(({ operation }) => operation));
  expect(heard).toEqual(partners.map(() => own));
  const credentials = partners.map(({ server }) => [
    ...new Set(server.heard.map(({ authorization }) => authorization)),
  ]);
  expect(credentials).toEqual(tokens);
}

/** The tokens that a partner's journeys went with, as its server hears them. */
async function tokensUsed(partner: Partnership): Promise<string[]> {
  const portal = await enterPortal(partner);
  expect(portal.got.status).toBe(303);
  const journeys = [portal, await orderByCustomerAuth(partner), await orderByV2(partner)];
  return journeys.map(({ token }) => `Bearer ${token}`);
}
