import type { operations } from '../../../generated/portal/types.ts';
import type { Call, Handlers, ReplyOrFailure } from '../../contract/types.ts';
import { clientSaysNo } from '../../domain/order.ts';
import type { Waiting } from '../../runtime/waiting.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Site } from '../site.ts';
import type { PortalPlatform, Visitor, VisitorAccount } from './portal-orders.ts';

/** Everything that the pages of the portal work with. */
export interface Portal {
  readonly site: Site;
  readonly portalOrders: PortalPlatform;
  readonly waiting: Waiting;
  /** The microsite of the same workspace, where customers sign in. */
  readonly microsite: string;
}

/** Who looks at a page outside any session. */
export const nobody: Visitor = { id: '', uid: '' };

/** One handler for each operation of portal.yaml. */
export type PortalHandlers = Handlers<operations, Portal, Visitor, WebFailure, typeof pageTable>;

/** What a handler of portal.yaml is given, and what it may answer. */
export type PortalCall<Id extends keyof operations> = Call<operations[Id], Visitor>;
export type PortalReply<Id extends keyof operations> = ReplyOrFailure<operations[Id], WebFailure, typeof pageTable>;

/** The page of a session whose customer the client refuses, or cannot be reached about. */
export function lost(visitor: Exclude<VisitorAccount, { kind: 'signed_in' }>) {
  if (visitor.kind === 'refused') return { kind: 'session_ended' } as const;
  return clientSaysNo(visitor);
}
