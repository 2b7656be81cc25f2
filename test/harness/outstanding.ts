/** What the control API shows of books that differ and of deliveries that the client has not acknowledged. */

import { ok, type TestSandbox } from './sandbox.ts';
import { ledgerOf } from './state.ts';

export const day = 86_400;

export const deliveries = async ({ control }: TestSandbox) => ok(await control.GET('/deliveries')).items;

/**
 * Where the books of platform and reference client differ. A stub that passes on to the reference client makes way for
 * that moment: beside a partner's own server it is balances that are compared.
 */
export async function differences({ control, urls }: TestSandbox) {
  const { client_url } = ok(await control.GET('/workspace')).settings;
  const clientAt = async (url: string | null) =>
    void ok(await control.PATCH('/workspace', { body: { settings: { client_url: url } } }));
  if (client_url !== urls.client) await clientAt(null);
  const { items } = ok(await control.GET('/reconciliation'));
  if (client_url !== urls.client) await clientAt(client_url);
  return items;
}

/** How often the customer's ledger has an entry of each kind. */
export async function entriesOf(sandbox: TestSandbox) {
  const { entries, balance } = await ledgerOf(sandbox, 'CUST0001');
  return { balance, kinds: entries.map(({ kind }) => kind) };
}
