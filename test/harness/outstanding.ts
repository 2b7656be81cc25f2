/** Reads ledger mismatches and unacknowledged deliveries through the control API. */

import { ok, type TestSandbox } from './sandbox.ts';
import { ledgerOf } from './state.ts';

export const day = 86_400;

export const deliveries = async ({ control }: TestSandbox) => ok(await control.GET('/deliveries')).items;

/**
 * Returns mismatches between the ledgers of the platform and the reference client. The function temporarily removes a stub that forwards to
 * the reference client, because the sandbox compares only balances for a partner's own server.
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

/** Returns the balance of CUST0001 and the kinds of its ledger entries. */
export async function entriesOf(sandbox: TestSandbox) {
  const { entries, balance } = await ledgerOf(sandbox, 'CUST0001');
  return { balance, kinds: entries.map(({ kind }) => kind) };
}
