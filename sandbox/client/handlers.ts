import type { operations as AuthOperations } from '../../generated/auth/types.ts';
import type { operations as ClientOperations } from '../../generated/client/types.ts';
import type { clientTable } from '../contract/envelopes.ts';
import type { WrappedFailure } from '../contract/failures.ts';
import type { Handlers } from '../contract/types.ts';
import type { ClientCaller } from './access.ts';
import type { V2ClientOperations } from './calls.ts';
import type { Client } from './client.ts';
import { creditPoints } from './operations/creditPoints.ts';
import { generateOtp } from './operations/generateOtp.ts';
import { getCustomerPoints } from './operations/getCustomerPoints.ts';
import { getProfileAndPoints } from './operations/getProfileAndPoints.ts';
import { redeemPoints } from './operations/redeemPoints.ts';
import { reversePoints } from './operations/reversePoints.ts';
import { saveRedeemDetails } from './operations/saveRedeemDetails.ts';
import { updateRedeemStatus } from './operations/updateRedeemStatus.ts';
import { verifyOtp } from './operations/verifyOtp.ts';

/** One handler for each operation of client.yaml. */
export function clientHandlers(
  client: Client,
): Handlers<ClientOperations, ClientCaller, WrappedFailure, typeof clientTable> {
  return {
    getProfileAndPoints: (call) => getProfileAndPoints(client, call),
    creditPoints: (call) => creditPoints(client, call),
    saveRedeemDetails: (call) => saveRedeemDetails(client, call),
    updateRedeemStatus: (call) => updateRedeemStatus(client, call),
  };
}

/** One handler for each operation of auth.yaml. */
export function authHandlers(
  client: Client,
): Handlers<AuthOperations, ClientCaller, WrappedFailure, typeof clientTable> {
  return {
    generateOtp: (call) => generateOtp(client, call),
    verifyOtp: (call) => verifyOtp(client, call),
  };
}

/** One handler for each operation of v2.yaml that the client hosts, but for those of auth.yaml. */
export function v2ClientHandlers(
  client: Client,
): Handlers<V2ClientOperations, ClientCaller, WrappedFailure, typeof clientTable> {
  return {
    getCustomerPoints: (call) => getCustomerPoints(client, call),
    redeemPoints: (call) => redeemPoints(client, call),
    reversePoints: (call) => reversePoints(client, call),
  };
}
