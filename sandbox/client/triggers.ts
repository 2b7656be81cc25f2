import type { components } from '../../generated/sandbox/types.ts';
import { finish } from '../jobs/work.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Client } from './client.ts';
import { carryOut } from './redemptions.ts';

type Schemas = components['schemas'];

/** Returns the functions that trigger the client's events on request (OP-71). */
export function clientTriggers(client: Client) {
  return {
    /** Sends a payment event to the platform. */
    async payment(input: Schemas['PaymentTrigger'], trace: string): Promise<Schemas['PaymentCaused']> {
      const { uid = 'CUST0001', paymentAmount = '1000.00', occurred_at } = input;
      const drawn = () => client.store.transact((tx) => client.drawKept(tx, (random) => random.code(12)));
      const transactionId = input.transactionId ?? `TRG-${await drawn()}`;
      const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount } as const;
      const sent = { ...event, ...(occurred_at !== undefined && { occurred_at }) };
      const { points, answer } = await client.platform.sendPaymentEvent(sent, trace);
      return { transactionId, uid, points, answer };
    },

    /** Runs a redemption's timeout check now. Returns the resulting state, or `undefined` for an unknown redemption. */
    timeout(redeemCode: string, onTimeout: Settings['on_timeout'] | undefined, trace: string) {
      return client.store.transact((tx) => {
        if (tx.get('redemptions', redeemCode) === undefined) return undefined;
        for (const work of tx.find('due', 'about', `pendingTimeout ${redeemCode}`)) finish(tx, work);
        if ((onTimeout ?? client.settings().on_timeout) === 'reverse') {
          carryOut(client, tx, redeemCode, { type: 'timeout' }, trace);
        }
        return tx.get('redemptions', redeemCode)?.state;
      });
    },
  };
}
