import type { Dashboard, DashboardCall, DashboardReply } from '../dashboard.ts';
import { shell } from '../shell.ts';

/** The first screen (OP-68). */
export async function showOverview(
  dashboard: Dashboard,
  _: DashboardCall<'showOverview'>,
): Promise<DashboardReply<'showOverview'>> {
  return { status: 200, type: 'text/html', text: shell(dashboard, 'overview') };
}
