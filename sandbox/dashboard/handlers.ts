import type { operations } from '../../generated/dashboard/types.ts';
import type { Handlers } from '../contract/types.ts';
import type { pageTable, WebFailure } from '../sites/failures.ts';
import type { Dashboard, DashboardCaller } from './dashboard.ts';
import { showOverview, showRedemption, showScreen } from './operations/screens.ts';

/** One handler for each operation of dashboard.yaml. */
export const dashboardHandlers: Handlers<operations, Dashboard, DashboardCaller, WebFailure, typeof pageTable> = {
  showOverview,
  showScreen,
  showRedemption,
};
