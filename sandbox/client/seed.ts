import type { MagicCustomer } from '../magic/table.ts';
import { digits } from '../runtime/numbering.ts';
import type { SeededRandom } from '../runtime/random.ts';
import type { Tx } from '../store/store.ts';
import type { ClientCollections } from './collections.ts';
import type { Directory } from './directory.ts';

/** How many demo customers there are. */
const customers = 25;
/** Balances of the first ones are fixed, so that guides can name them; the rest are drawn. */
const fixedBalances = [25_000, 0, 100, 500, 5_000];

/** The demo customers CUST0001 to CUST0025, no two with the same balance, which each has from this instant on. */
export function seedCustomers(tx: Tx<ClientCollections>, directory: Directory, random: SeededRandom, at: number): void {
  const balances = new Set(fixedBalances);
  while (balances.size < customers) balances.add(50 * (1 + random.integer(400)));
  [...balances].forEach((balance, index) => {
    directory.add(tx, `CUST${digits(index + 1, 4)}`, { balance }, { at });
  });
}

/** Customers with a past (OP-162), from CUST0026 on; those without e-mail address are as common as elsewhere (R9). */
const withPast = [{}, {}, {}, {}, { email: '' }, { email: '' }];

/** Makes the demo customers who have done something before, as they were before that: with no points. */
export function seedCustomersWithPast(tx: Tx<ClientCollections>, directory: Directory): void {
  for (const [index, profile] of withPast.entries()) {
    directory.add(tx, `CUST${digits(customers + index + 1, 4)}`, { profile });
  }
}

/** Puts the magic customers beside the demo ones; those that are there stay as they are. */
export function seedMagicCustomers(
  tx: Tx<ClientCollections>,
  directory: Directory,
  rows: readonly MagicCustomer[],
  at: number,
): void {
  for (const { value, balance } of rows) directory.add(tx, value, { balance }, { unlisted: true, at });
}
