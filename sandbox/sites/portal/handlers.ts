import type { operations } from '../../../generated/portal/types.ts';
import type { Handlers } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import { openPortal } from './operations/portal.ts';
import {
  cancelPortalOrder,
  leavePortal,
  placePortalOrder,
  showCheckout,
  showEntrance,
  showHistory,
  showPortalEnd,
  showPortalOrder,
  showReward,
  showRewards,
} from './operations/portal-pages.ts';
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
