import { type Dashboard, type DashboardCall, type DashboardReply, screenNames } from '../dashboard.ts';
import { shell } from '../shell.ts';

/** The first screen (OP-68). */
export async function showOverview(
  dashboard: Dashboard,
  _: DashboardCall<'showOverview'>,
): Promise<DashboardReply<'showOverview'>> {
  return { status: 200, type: 'text/html', text: shell(dashboard, 'overview') };
}

/** A screen by its name (OP-68). */
export async function showScreen(
  dashboard: Dashboard,
  call: DashboardCall<'showScreen'>,
): Promise<DashboardReply<'showScreen'>> {
  const screen = screenNames.find((name) => name === call.path.screen);
  if (screen === undefined) return { kind: 'not_found' };
  return { status: 200, type: 'text/html', text: shell(dashboard, screen) };
}

/** The screen of redemptions, opened at one of them (OP-68). */
export async function showRedemption(
  dashboard: Dashboard,
  _: DashboardCall<'showRedemption'>,
): Promise<DashboardReply<'showRedemption'>> {
  return { status: 200, type: 'text/html', text: shell(dashboard, 'redemptions') };
}
