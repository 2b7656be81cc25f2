import type { operations } from '../../../generated/portal/types.ts';
import type { Handlers } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import * as entry from './operations/portal.ts';
import * as pages from './operations/portal-pages.ts';
import type { Portal } from './portal.ts';
import type { Visitor } from './portal-orders.ts';

/** One handler for each operation of portal.yaml. */
export const portalHandlers: Handlers<operations, Portal, Visitor, WebFailure, typeof pageTable> = {
  ...entry,
  ...pages,
};
