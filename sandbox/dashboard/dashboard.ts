import type { operations } from '../../generated/dashboard/types.ts';
import type { Call, DocumentedFailure, Reply } from '../contract/types.ts';
import type { pageTable, WebFailure } from '../sites/failures.ts';
import type { Site } from '../sites/site.ts';

/** Everything that the pages of the dashboard work with. */
export interface Dashboard {
  readonly site: Site;
  /** Whether the documentation is served, and can be linked to. */
  readonly docs: boolean;
}

/** The screens, in the order of the navigation. */
export const screenNames = ['overview', 'traffic', 'redemptions', 'outbox', 'ledger', 'simulation', 'server'] as const;
export type ScreenName = (typeof screenNames)[number];

/** Everybody may have the empty pages; what fills them is behind the control API. */
export type DashboardCaller = { readonly kind: 'anyone' };
export type DashboardCall<Id extends keyof operations> = Call<operations[Id], DashboardCaller>;
export type DashboardReply<Id extends keyof operations> =
  | Reply<operations[Id]>
  | DocumentedFailure<operations[Id], WebFailure, typeof pageTable>;
