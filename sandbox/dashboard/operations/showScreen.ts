import { type Dashboard, type DashboardCall, type DashboardReply, screenNames } from '../dashboard.ts';
import { shell } from '../shell.ts';

/** A screen by its name (OP-68). */
export async function showScreen(
  dashboard: Dashboard,
  call: DashboardCall<'showScreen'>,
): Promise<DashboardReply<'showScreen'>> {
  const screen = screenNames.find((name) => name === call.path.screen);
  if (screen === undefined) return { kind: 'not_found' };
  return { status: 200, type: 'text/html', text: shell(dashboard, screen) };
}
