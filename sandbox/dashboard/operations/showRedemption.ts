import type { Dashboard, DashboardCall, DashboardReply } from '../dashboard.ts';
import { shell } from '../shell.ts';

/** The screen of redemptions, opened at one of them (OP-68). */
export async function showRedemption(
  dashboard: Dashboard,
  _: DashboardCall<'showRedemption'>,
): Promise<DashboardReply<'showRedemption'>> {
  return { status: 200, type: 'text/html', text: shell(dashboard, 'redemptions') };
}
