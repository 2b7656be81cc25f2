import type { operations } from '../../../generated/portal/types.ts';
import type { Handlers } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import { cancelPortalOrder } from './operations/cancelPortalOrder.ts';
import { leavePortal } from './operations/leavePortal.ts';
import { openPortal } from './operations/openPortal.ts';
import { placePortalOrder } from './operations/placePortalOrder.ts';
import { showCheckout } from './operations/showCheckout.ts';
import { showEntrance } from './operations/showEntrance.ts';
import { showHistory } from './operations/showHistory.ts';
import { showPortalEnd } from './operations/showPortalEnd.ts';
import { showPortalOrder } from './operations/showPortalOrder.ts';
import { showReward } from './operations/showReward.ts';
import { showRewards } from './operations/showRewards.ts';
import type { Portal } from './portal.ts';
import type { Visitor } from './portal-orders.ts';

/** One handler for each operation of portal.yaml. */
export const portalHandlers: Handlers<operations, Portal, Visitor, WebFailure, typeof pageTable> = {
  showEntrance,
  openPortal,
  showPortalEnd,
  showRewards,
  showReward,
  showCheckout,
  placePortalOrder,
  showPortalOrder,
  cancelPortalOrder,
  showHistory,
  leavePortal,
};
