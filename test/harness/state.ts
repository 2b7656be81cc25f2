/** Reads a workspace through the control API: state changes, ledgers, and all state that a call can change. */
import { expect } from 'vitest';
import { ok, type TestSandbox } from './sandbox.ts';

/** Returns all state that a call can change, as shown by the control API. `changes` contains every state change so far. */
export async function stateOf({ control }: TestSandbox) {
  const [customers, catalogue, messages, workspace, activity] = await Promise.all([
    control.GET('/customers').then(ok),
    control.GET('/catalogue').then(ok),
    control.GET('/messages').then(ok),
    control.GET('/workspace').then(ok),
    control.GET('/activity', { params: { query: { limit: 10_000 } } }).then(ok),
  ]);
  const ledgers = await Promise.all(
    customers.items.slice(0, 5).map(({ uid }) => control.GET('/ledger/{uid}', { params: { path: { uid } } }).then(ok)),
  );
  const changes = activity.items.filter(({ kind }) => kind === 'state');
  return { customers, catalogue, messages, workspace, ledgers, changes };
}

/**
 * Returns a function that runs calls the sandbox must refuse. The test fails if any state changes. State changes are append-only, so two of
 * them cannot cancel out.
 */
export async function refusing(sandbox: TestSandbox) {
  const before = await stateOf(sandbox);
  return async <T>(call: Promise<T>): Promise<T> => {
    const answer = await call;
    expect(await stateOf(sandbox)).toEqual(before);
    return answer;
  };
}

/** Returns the customer's balance at the client. */
export async function balanceOf({ control }: TestSandbox, uid: string): Promise<number> {
  return ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } })).balance;
}

/** The first ledger entry of CUST0001. */
export const opening = { kind: 'credit', points: 25_000, reference: 'opening', label: 'Earned' };

/** Returns the customer's vouchers, as listed in the wallet. */
export async function walletOf({ rewards, companyToken }: TestSandbox, uid = 'CUST0001') {
  return ok(await rewards(await companyToken()).GET('/getwalletdetail', { params: { query: { uid } } })).data;
}

/** Returns a catalogue item, as shown by the control API. */
export async function itemOf({ control }: TestSandbox, sku_code = 'EGV-SPICE-500') {
  return ok(await control.GET('/catalogue')).items.find((item) => item.sku_code === sku_code);
}

/** Returns the number of state changes so far, by event. */
export async function eventsOf({ control }: TestSandbox): Promise<Record<string, number>> {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  const events: Record<string, number> = {};
  for (const item of items) if (item.kind === 'state') events[item.event] = (events[item.event] ?? 0) + 1;
  return events;
}

/** Returns a customer's ledger without times. */
export async function ledgerOf({ control }: TestSandbox, uid: string) {
  const { items, balance } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid } } }));
  return { balance, entries: items.map(({ kind, points, reference, label }) => ({ kind, points, reference, label })) };
}
