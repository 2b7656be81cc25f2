/** Runs many partners in one sandbox, each with its own workspace and server. */
import { expect } from 'vitest';
import type { Clients } from '../harness/sandbox.ts';
import { enterPortal, orderByCustomerAuth, orderByV2, type Partnership, partnership } from './own-tokens.ts';

/** The calls that a partner's server must receive, in this order. */
const expectedCalls = [
  'getProfileAndPoints',
  ...['getProfileAndPoints', 'getProfileAndPoints', 'saveRedeemDetails'],
  ...['getProfileAndPoints', 'getCustomerPoints', 'redeemPoints'],
];
/** Number of partners whose journeys run concurrently. */
const concurrency = 5;

/**
 * Runs journeys for `count` partners. Each partner opens the portal and orders twice. Half of the partners issue JWTs, and half issue
 * opaque tokens.
 *
 * @param make creates a partner's workspace
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

/** Runs a partner's journeys. Returns their tokens as `Authorization` values. */
async function tokensUsed(partner: Partnership): Promise<string[]> {
  const portal = await enterPortal(partner);
  expect(portal.result.status).toBe(303);
  const journeys = [portal, await orderByCustomerAuth(partner), await orderByV2(partner)];
  return journeys.map(({ token }) => `Bearer ${token}`);
}
