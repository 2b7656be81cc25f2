/** What the control API shows of books that differ and of deliveries that the client has not acknowledged. */

import { standIn } from '../harness/client-stub.ts';
import { ledgerOf } from '../harness/orders.ts';
import { ok, type TestSandbox } from '../harness/sandbox.ts';

export const day = 86_400;

export const differences = async ({ control }: TestSandbox) => ok(await control.GET('/reconciliation')).items;
export const deliveries = async ({ control }: TestSandbox) => ok(await control.GET('/deliveries')).items;

/** How often the customer's ledger has an entry of each kind. */
export async function entriesOf(sandbox: TestSandbox) {
  const { entries, balance } = await ledgerOf(sandbox, 'CUST0001');
  return { balance, kinds: entries.map(({ kind }) => kind) };
}

/** A client that is down for status reports until it is said to be up. */
export async function downForReports(sandbox: TestSandbox) {
  const state = { down: true };
  const heard = await standIn(sandbox, ({ operation }) =>
    state.down && operation === 'updateRedeemStatus' ? 'drop' : 'pass',
  );
  return { state, heard };
}
