import type { operations } from '../../../generated/dashboard/types.ts';
import type { Handlers } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../../sites/failures.ts';
import {
  type Dashboard,
  type DashboardCall,
  type DashboardCaller,
  type DashboardReply,
  type ScreenName,
  screenNames,
  shell,
} from '../dashboard.ts';

/** The first screen (OP-68). */
export async function showOverview(dashboard: Dashboard): Promise<DashboardReply<'showOverview'>> {
  return show(dashboard, 'overview');
}

/** A screen by its name (OP-68). */
export async function showScreen(
  dashboard: Dashboard,
  call: DashboardCall<'showScreen'>,
): Promise<DashboardReply<'showScreen'>> {
  const screen = screenNames.find((name) => name === call.path.screen);
  if (screen === undefined) return { kind: 'not_found' };
  return show(dashboard, screen);
}

/** The screen of redemptions, opened at one of them (OP-68). */
export async function showRedemption(dashboard: Dashboard): Promise<DashboardReply<'showRedemption'>> {
  return show(dashboard, 'redemptions');
}

function show(dashboard: Dashboard, screen: ScreenName) {
  const text = shell(dashboard, screen);
  if (text === undefined) return { kind: 'dashboard_not_built' } as const;
  return { status: 200, type: 'text/html', text } as const;
}

/** One handler for each operation of dashboard.yaml. */
export const dashboardHandlers: Handlers<operations, Dashboard, DashboardCaller, WebFailure, typeof pageTable> = {
  showOverview,
  showScreen,
  showRedemption,
};
