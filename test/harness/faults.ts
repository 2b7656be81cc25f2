/** Sets faults through the control API and reads their effects. */
import type { components } from '../../generated/sandbox/types.ts';
import { credit } from './client-requests.ts';
import { ok, type TestSandbox } from './sandbox.ts';

type FaultInput = components['schemas']['FaultInput'];

/** Sets a fault. Returns its id. */
export async function failing({ control }: TestSandbox, body: FaultInput): Promise<string> {
  return ok(await control.POST('/faults', { body })).id;
}

/** Returns a reply's status, text and fault id, or `no reply`. */
export async function readReply(call: Promise<Response>) {
  try {
    const reply = await call;
    return { status: reply.status, fault: reply.headers.get('x-fault'), text: await reply.text() };
  } catch {
    return 'no reply';
  }
}

/** Calls a GET operation: reads the first catalogue item. */
export async function listRewards(sandbox: TestSandbox): Promise<Response> {
  const headers = { Authorization: await sandbox.companyToken() };
  return fetch(`${sandbox.urls.rewards}/v1/partner/rewards?limit=1`, { headers });
}

/** Calls a POST operation with an effect: credits CUST0001 with 24 points. */
export function creditPoints(sandbox: TestSandbox, change: Partial<Record<keyof typeof credit, string>> = {}) {
  const headers = { Authorization: `Bearer ${sandbox.credentials.service_token}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ ...credit, ...change });
  return fetch(`${sandbox.urls.client}/creditPoints`, { method: 'POST', headers, body });
}

/** Returns the number of credits to CUST0001, excluding the opening entry. */
export async function credits({ control }: TestSandbox): Promise<number> {
  const { items } = ok(await control.GET('/ledger/{uid}', { params: { path: { uid: 'CUST0001' } } }));
  return items.filter(({ reference }) => reference !== 'opening').length;
}

/** Returns the status and notices of each received call of an operation in the activity log, oldest first. */
export function callsOf(sandbox: TestSandbox, operation: string) {
  return loggedCalls(sandbox, 'call_in', operation);
}

/** Returns the status and notices of each call that the sandbox sent for an operation. */
export function sentCalls(sandbox: TestSandbox, operation: string) {
  return loggedCalls(sandbox, 'call_out', operation);
}

async function loggedCalls({ control }: TestSandbox, kind: 'call_in' | 'call_out', operation: string) {
  const { items } = ok(await control.GET('/activity', { params: { query: { limit: 10_000 } } }));
  return items.flatMap((item) =>
    item.kind === kind && item.operation === operation ? [{ status: item.status, notices: item.notices }] : [],
  );
}
