import type { Dashboard, DashboardCall, DashboardReply } from '../dashboard.ts';
import { shell } from '../shell.ts';

/** A screen by its name (OP-68). */
export async function showScreen(
  dashboard: Dashboard,
  call: DashboardCall<'showScreen'>,
): Promise<DashboardReply<'showScreen'>> {
  return { status: 200, type: 'text/html', text: shell(dashboard, call.path.screen) };
}
