/** What the control API shows of books that differ and of deliveries that the client has not acknowledged. */

import { ok, type TestSandbox } from '../harness/sandbox.ts';
import { ledgerOf } from '../harness/state.ts';

export const day = 86_400;

export const differences = async ({ control }: TestSandbox) => ok(await control.GET('/reconciliation')).items;
export const deliveries = async ({ control }: TestSandbox) => ok(await control.GET('/deliveries')).items;

/** How often the customer's ledger has an entry of each kind. */
export async function entriesOf(sandbox: TestSandbox) {
  const { entries, balance } = await ledgerOf(sandbox, 'CUST0001');
  return { balance, kinds: entries.map(({ kind }) => kind) };
}
