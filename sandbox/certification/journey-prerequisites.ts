/** The requirements that have to hold for a journey to say anything. */
import { prerequisites } from './requirement.ts';

type Version = 'v1' | 'v2';

/** What an order hangs on, by the operation that was refused. */
export const blockers: Readonly<Record<string, readonly string[]>> = {
  getProfileAndPoints: [prerequisites.profile],
  saveRedeemDetails: [prerequisites.deduction],
  getCustomerPoints: [prerequisites.v2Points],
  redeemPoints: [prerequisites.v2Deduction],
};

/** The requirement that the server answers call after call over the platform's connection. */
export const keepsConnections = 'ROB-11';

/** What can be wrong with an answer that the platform cannot read, by the operation. */
export const unreadable: Readonly<Record<string, readonly string[]>> = {
  getProfileAndPoints: [prerequisites.profile, 'SHP-03', 'SHP-02', 'SHP-04', 'SHP-16'],
  creditPoints: ['SHP-08', 'SHP-16'],
  saveRedeemDetails: ['SHP-06', 'SHP-16'],
  updateRedeemStatus: ['SHP-07', 'SHP-16'],
  getCustomerPoints: [prerequisites.v2Points, 'SHP-17'],
  redeemPoints: ['SHP-18'],
  reversePoints: ['SHP-19'],
};

/** What has to hold for the platform to read a balance. */
export function readingBalance(version: Version): readonly string[] {
  return unreadable[version === 'v1' ? 'getProfileAndPoints' : 'getCustomerPoints'] ?? [];
}

/** What has to hold for an order to stand. */
export function ordering(version: Version): readonly string[] {
  return version === 'v1' ? [prerequisites.deduction, 'SHP-03', 'SHP-02'] : [prerequisites.v2Deduction, 'SHP-17'];
}
