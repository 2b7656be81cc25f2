import type { SeededRandom } from '../runtime/random.ts';
import type { Tx } from '../store/store.ts';
import type { ClientBooks } from './books.ts';
import type { Directory } from './directory.ts';

/** How many demo customers there are. */
const customers = 25;
/** Balances of the first ones are fixed, so that guides can name them; the rest are drawn. */
const fixedBalances = [25_000, 0, 100, 500, 5_000];

/** The demo customers CUST0001 to CUST0025, with different balances. */
export function seedCustomers(tx: Tx<ClientBooks>, directory: Directory, random: SeededRandom): void {
  for (let number = 1; number <= customers; number += 1) {
    const balance = fixedBalances[number - 1] ?? 50 * (1 + random.integer(400));
    directory.add(tx, `CUST${String(number).padStart(4, '0')}`, { balance });
  }
}
