import { it } from 'vitest';
import { holds } from './property.ts';

it('any history leaves balances, orders, vouchers, stock and books as the model has them', async () => {
  await holds({ runs: 250, steps: 20 });
});
