/** Faults that are set through the control API, and what their callers see. */
import type { components } from '../../generated/sandbox/types.ts';
import { credit } from './client-requests.ts';
import { ok, type TestSandbox } from './sandbox.ts';

type FaultInput = components['schemas']['FaultInput'];

/** Sets a fault. Returns its id. */
export async function failing({ control }: TestSandbox, body: FaultInput): Promise<string> {
  return ok(await control.POST('/faults', { body })).id;
}

/** What a caller saw: status and text of the reply and the fault's id, or `no reply`. */
export async function seen(call: Promise<Response>) {
  try {
    const reply = await call;
    return { status: reply.status, fault: reply.headers.get('x-fault'), text: await reply.text() };
  } catch {
    return 'no reply';
  }
}

/** A GET operation: the catalogue's first item. */
export async function listRewards(sandbox: TestSandbox): Promise<Response> {
  const headers = { Authorization: await sandbox.companyToken() };
  return fetch(`${sandbox.urls.rewards}/v1/partner/rewards?limit=1`, { headers });
}

/** A POST operation with an effect: a credit of 24 points for CUST0001. */
export function creditPoints(sandbox: TestSandbox, change: Partial<Record<keyof typeof credit, string>> = {}) {
  const headers = { Authorization: `Bearer ${sandbox.credentials.service_token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...credit, ...change });
  return fetch(`${sandbox.urls.client}/creditPoints`, { method: 'POST', headers, body });
}

/** How often CUST0001 was credited beyond the opening entry. */
export async function credits({ control }: TestSandbox): Promise<number> {
  const { items } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST0001' } } }));
  return items.filter(({ reference }) => reference !== 'opening').length;
}

/** Status and notices of each call of an operation that the activity log has as taken, oldest first. */
export function callsOf(sandbox: TestSandbox, operation: string) {
  return logged(sandbox, 'call_in', operation);
}

/** The same of each that it has as made. */
export function sentCalls(sandbox: TestSandbox, operation: string) {
  return logged(sandbox, 'call_out', operation);
}

async function logged({ control }: TestSandbox, kind: 'call_in' | 'call_out', operation: string) {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  return items.flatMap((item) =>
    item.kind === kind && item.operation === operation ? [{ status: item.status, notices: item.notices }] : [],
  );
}
