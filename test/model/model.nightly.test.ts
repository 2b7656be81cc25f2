import { it } from 'vitest';
import { neverBoth } from './never-both.ts';
import { holds } from './property.ts';

it('any history leaves balances, orders, vouchers, stock and books as the model has them', async () => {
  await holds({ runs: 250, steps: 20 });
});

it('OP-121: points and voucher are never both with the customer, in any history', async () => {
  await neverBoth({ runs: 250, steps: 30 });
});
