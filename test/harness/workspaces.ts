/** Workspaces beside the demo workspace, and typed clients of them. */
import { type Clients, clientsOf, ok, type TestSandbox } from './sandbox.ts';

type Shown = TestSandbox['workspace'];

/** What a workspace shall be like. */
interface Wish {
  readonly seed?: string;
  readonly demo_data?: 'impossible' | 'plausible';
  readonly clock?: 'frozen' | 'running';
  readonly settings?: { readonly rate_limit?: number };
  readonly expires_in?: number;
  readonly name?: string;
}

/** Makes a workspace. Its time stands still unless the wish says otherwise. */
export async function workspaceOf(sandbox: TestSandbox, wish: Wish = {}) {
  return opened(ok(await sandbox.control.POST('/workspaces', { body: { clock: 'frozen', ...wish } })));
}

/** Typed clients of the workspace that an answer shows. */
export function opened(shown: Shown) {
  return { ...clientsOf(shown, shown.admin_token), shown };
}

/** A company token of the workspace. */
export async function companyTokenOf({ rewards, credentials }: Clients): Promise<string> {
  const body = { secret: credentials.company_secret };
  return ok(await rewards().POST('/v1/company/auth', { body })).token;
}

/** Orders a voucher of 500 points for CUST0001. */
export async function orderIn(workspace: Clients) {
  const body = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
  const rewards = workspace.rewards(await companyTokenOf(workspace));
  return ok(await rewards.POST('/v1/partner/redeemptiononskus', { body }));
}
