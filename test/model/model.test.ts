/**
 * Compares the sandbox with a model of the interface (OP-06 to OP-09, OP-21 to OP-24, OP-27, OP-29, OP-35, OP-49 to
 * OP-52, OP-64, OP-70).
 */
import { describe, expect, it } from 'vitest';
import { scaled } from '../harness/scale.ts';
import { type Line, Model } from './model.ts';
import { checkHistories, differencesIn } from './property.ts';
import type { OrderLine, Step } from './steps.ts';

it('after any history, balances, orders, vouchers, stock and reconciliation match the model', {
  timeout: 1_800_000,
}, async () => {
  await checkHistories({ runs: scaled(6, 250), steps: scaled(15, 20) });
});

const order: Step = { do: 'order', uid: 'CUST0001', version: 'v1', lines: [{ sku: 'PHY-TAWA-01', quantity: 1 }] };
const pass: Step = { do: 'pass' };

describe('control: a model with one wrong rule differs from the sandbox', () => {
  it.each([
    [
      'a shipped product costs no fee',
      [order],
      class extends Model {
        override pointsOf(line: OrderLine): number {
          return super.pointsOf(line) - (line.sku.startsWith('PHY') ? 49 : 0);
        }
      },
    ],
    [
      'a rejection refunds nothing',
      [{ do: 'decide', sku: 'PHY-TAWA-01', outcome: 'reject', times: 1 }, order, pass],
      class extends Model {
        override reverse(): void {}
      },
    ],
    [
      'a final status can be contradicted',
      [order, pass, { do: 'report', which: 0, status: 'Rejected' }],
      class extends Model {
        override applyStatus(line: Line, status: 'Pending' | 'Delivered' | 'Rejected'): 'accepted' | 'refused' {
          if (status === 'Rejected' && line.client === 'Delivered') line.client = 'Pending';
          return super.applyStatus(line, status);
        }
      },
    ],
    [
      'a voided delivery does not restore the stock',
      [order, { do: 'report', which: 0, status: 'Rejected' }, pass],
      class extends Model {
        override putBack(): void {}
      },
    ],
    [
      'a restore keeps later changes',
      [{ do: 'snapshot' }, order, { do: 'restore', which: 0 }],
      class extends Model {
        override restore(): void {}
      },
    ],
  ] satisfies [string, Step[], typeof Model][])('%s', async (_, history, Wrong) => {
    expect(await differencesIn(history)).toEqual([]);
    expect(await differencesIn(history, Wrong)).not.toEqual([]);
  });
});
