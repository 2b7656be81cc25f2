import { finish, type Work } from '../../jobs/work.ts';
import type { Client } from '../client.ts';
import { carryOut } from '../redemptions.ts';

/** Looks at a redemption that has been pending for the threshold: reverses it where the workspace says so (OP-22). */
export async function pendingTimeout(client: Client, work: Work): Promise<void> {
  await client.store.transact((tx) => {
    finish(tx, work);
    if (client.settings().on_timeout === 'wait') return;
    carryOut(client, tx, work.payload.redeemCode ?? '', { type: 'timeout' }, work.trace);
  });
}
