import type { operations } from '../../../generated/portal/types.ts';
import type { Call, Handlers, ReplyOrFailure } from '../../contract/types.ts';
import { clientSaysNo } from '../../domain/order.ts';
import type { Waiting } from '../../runtime/waiting.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Site } from '../site.ts';
import type { PortalPlatform, Visitor, VisitorAccount } from './portal-orders.ts';

/** The dependencies of the portal's pages. */
export interface Portal {
  readonly site: Site;
  readonly portalOrders: PortalPlatform;
  readonly waiting: Waiting;
  /** The address of the workspace's microsite, where customers sign in. */
  readonly microsite: string;
}

/** The visitor outside any session. */
export const nobody: Visitor = { id: '', uid: '' };

/** One handler per operation of portal.yaml. */
export type PortalHandlers = Handlers<operations, Portal, Visitor, WebFailure, typeof pageTable>;

/** The input of a handler of portal.yaml. */
export type PortalCall<Id extends keyof operations> = Call<operations[Id], Visitor>;
export type PortalReply<Id extends keyof operations> = ReplyOrFailure<operations[Id], WebFailure, typeof pageTable>;

/** Returns the failure for a session whose customer the client refuses, or about whom it does not respond. */
export function lost(visitor: Exclude<VisitorAccount, { kind: 'signed_in' }>) {
  if (visitor.kind === 'refused') return { kind: 'session_ended' } as const;
  return clientSaysNo(visitor);
}
