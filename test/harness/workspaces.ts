/** Creates workspaces next to the demo workspace, with typed clients. */
import { type Clients, clientsOf, ok, type TestSandbox } from './sandbox.ts';

type Details = TestSandbox['workspace'];

/** The options of a new workspace. */
interface Wish {
  readonly seed?: string;
  readonly demo_data?: 'impossible' | 'plausible';
  readonly clock?: 'frozen' | 'running';
  readonly settings?: { readonly rate_limit?: number };
  readonly expires_in?: number;
  readonly name?: string;
}

/** Creates a workspace. Its clock is frozen unless `wish` sets another mode. */
export async function workspaceOf(sandbox: TestSandbox, wish: Wish = {}) {
  return opened(ok(await sandbox.control.POST('/workspaces', { body: { clock: 'frozen', ...wish } })));
}

/** Creates typed clients for a workspace from its details in a reply. */
export function opened(details: Details) {
  return { ...clientsOf(details, details.admin_token), details };
}

/** Returns a company token for the workspace. */
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
