import type { operations as AuthOperations } from '../../generated/auth/types.ts';
import type { operations as ClientOperations } from '../../generated/client/types.ts';
import type { operations as GatewayOperations } from '../../generated/gateway/types.ts';
import type { clientTable, flatTable } from '../contract/failure-tables.ts';
import type { FlatFailure, WrappedFailure } from '../contract/failures.ts';
import type { Handlers } from '../contract/types.ts';
import type { ClientCaller, GatewayCaller } from './access.ts';
import type { V2ClientOperations } from './calls.ts';
import type { Client } from './client.ts';
import { generateOtp, verifyOtp } from './operations/customer-sign-in.ts';
import { redeemPoints, reversePoints } from './operations/ledger.ts';
import { sendMessage } from './operations/messages.ts';
import { creditPoints, getCustomerPoints, getProfileAndPoints } from './operations/points.ts';
import { saveRedeemDetails, updateRedeemStatus } from './operations/redemptions.ts';

/** One handler for each operation of client.yaml. */
export const clientHandlers: Handlers<ClientOperations, Client, ClientCaller, WrappedFailure, typeof clientTable> = {
  getProfileAndPoints,
  creditPoints,
  saveRedeemDetails,
  updateRedeemStatus,
};

/** One handler for each operation of auth.yaml. */
export const authHandlers: Handlers<AuthOperations, Client, ClientCaller, WrappedFailure, typeof clientTable> = {
  generateOtp,
  verifyOtp,
};

/** One handler for each operation of v2-client.yaml, but for those of auth.yaml. */
export const v2ClientHandlers: Handlers<V2ClientOperations, Client, ClientCaller, WrappedFailure, typeof clientTable> =
  {
    getCustomerPoints,
    redeemPoints,
    reversePoints,
  };

/** One handler for each operation of gateway.yaml. */
export const gatewayHandlers: Handlers<GatewayOperations, Client, GatewayCaller, FlatFailure, typeof flatTable> = {
  sendMessage,
};
