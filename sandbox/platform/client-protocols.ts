import type { Answer } from '../domain/failures.ts';
import { readAndCompare } from './balances.ts';
import type { ApiVersion, Line } from './collections.ts';
import type { Platform } from './platform.ts';

/** The identity for calls to the client: a customer with a JWT, or the company if `jwt` is `undefined` (OP-17). */
export interface OnBehalfOf {
  readonly uid: string;
  readonly jwt: string | undefined;
  readonly trace: string;
}

/** The contact data of an order. Version 1.0 fills missing fields from the customer's profile. */
export interface Contact {
  readonly shipping_address?: string;
  readonly email?: string;
  readonly mobile_no?: string;
}

/** The platform's calls to the client about orders, in one version of the API. */
export interface ClientProtocol {
  /** Reads a customer's balance before an order, and the contact data for the redemption records. */
  readAccount(onBehalfOf: OnBehalfOf, contact: Contact): Promise<Answer<{ balance: number; contact: Contact }>>;
  deduct(onBehalfOf: OnBehalfOf, line: Line, contact: Contact): Promise<Answer>;
  /** Reports the final status of a line. */
  report(line: Line, trace: string): Promise<Answer>;
}

/** Returns the protocol of an API version. */
export function protocolOf(platform: Platform, version: ApiVersion): ClientProtocol {
  return version === 'v2' ? version2(platform) : version1(platform);
}

/** Returns the version 1.0 protocol: redemption records and status reports (B5, B10). */
function version1(platform: Platform): ClientProtocol {
  const { client, projectCode } = platform;
  return {
    async readAccount({ uid, trace, jwt }, contact) {
      const ask = () => client.getProfileAndPoints(uid, trace, jwt);
      const answer = await readAndCompare(platform, { uid, version: 'v1' }, ask);
      if (answer.kind !== 'accepted') return answer;
      const { profile, points } = answer.body;
      const filled = { email: profile.email, mobile_no: profile.mobileNo, ...contact };
      return { kind: 'accepted', body: { balance: points.balance, contact: filled } };
    },
    deduct: ({ trace, jwt }, line, contact) =>
      client.saveRedeemDetails(redemptionRecord(projectCode, line, contact), trace, jwt),
    report({ redeemCode, status, remark }, trace) {
      return client.updateRedeemStatus({ redeemCode, status, orderStatus: status, remark, projectCode }, trace);
    },
  };
}

/** Returns the version 2.0 protocol: points, redeem and reverse (E7, E8, OP-29). */
function version2(platform: Platform): ClientProtocol {
  const { client } = platform;
  return {
    async readAccount({ uid, trace, jwt }, contact) {
      const ask = () => client.getCustomerPoints(uid, trace, jwt);
      const answer = await readAndCompare(platform, { uid, version: 'v2' }, ask);
      if (answer.kind !== 'accepted') return answer;
      return { kind: 'accepted', body: { balance: answer.body.points.balance, contact } };
    },
    deduct({ trace, jwt }, { uid: customer_id, order_id, redeemCode: redeem_code, points }) {
      const deduction = { customer_id, order_id, redeem_code, points: points.totalPointWithProcessingFee };
      return client.redeemPoints(deduction, trace, jwt);
    },
    async report({ redeemCode: redeem_code, status, points, remark: reason }, trace) {
      // The version 2.0 API has no operation to report a delivery. The client reads it with getOrderStatus (OP-52).
      if (status !== 'Rejected') return { kind: 'accepted', body: undefined };
      return client.reversePoints({ redeem_code, points: points.totalPointWithProcessingFee, reason }, trace);
    },
  };
}

/** Returns the redemption record of a line, with every value as text (R11, R12; OP-08). */
function redemptionRecord(projectCode: string, line: Line, contact: Contact) {
  const { points } = line;
  return {
    uid: line.uid,
    scheme: projectCode,
    redeemCode: line.redeemCode,
    redeemPoints: String(points.redeemPoints),
    shippingAddress: line.product_type === 'PHYSICAL' ? (contact.shipping_address ?? '') : '',
    processingFee: String(points.processingFee),
    productCode: line.sku_code,
    productName: line.product_name,
    quantity: String(line.quantity),
    redeemStatus: 'pending',
    email: contact.email ?? '',
    mobileNo: contact.mobile_no ?? '',
    totalpoints: String(points.totalpoints),
    totalPointWithProcessingFee: String(points.totalPointWithProcessingFee),
    tdsSingleItem: String(points.tdsSingleItem),
  } as const;
}
