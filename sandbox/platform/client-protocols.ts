import type { Answer } from '../domain/failures.ts';
import { readAndCompare } from './balances.ts';
import type { ApiVersion, Line } from './collections.ts';
import type { Platform } from './platform.ts';

/** In whose name to call the client: the customer's, with the JWT, or the company's (OP-17). */
export interface OnBehalfOf {
  readonly uid: string;
  readonly jwt: string | undefined;
  readonly trace: string;
}

/** The data of an order other than its lines. Version 1.0 fills missing fields from the customer's profile. */
export interface Contact {
  readonly shipping_address?: string;
  readonly email?: string;
  readonly mobile_no?: string;
}

/** The client's data on a customer before an order, and the contact for the redemption records. */
export interface CustomerAccount {
  readonly balance: number;
  readonly contact: Contact;
}

/** What the platform has to say to the client about orders, in one version of the API. */
export interface ClientProtocol {
  readAccount(onBehalfOf: OnBehalfOf, contact: Contact): Promise<Answer<CustomerAccount>>;
  deduct(onBehalfOf: OnBehalfOf, line: Line, contact: Contact): Promise<Answer>;
  /** Reports the final status of a line. */
  report(line: Line, trace: string): Promise<Answer>;
}

/** The protocol of an API version. */
export function protocolOf(platform: Platform, version: ApiVersion): ClientProtocol {
  return version === 'v2' ? version2(platform) : version1(platform);
}

/** The redemption record and its status reports (B5, B10). */
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

/** Points, redeem and reverse (E7, E8, OP-29). */
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
      // The list has no operation for a delivery: the client reads it from getOrderStatus (OP-52).
      if (status !== 'Rejected') return { kind: 'accepted', body: undefined };
      return client.reversePoints({ redeem_code, points: points.totalPointWithProcessingFee, reason }, trace);
    },
  };
}

/** The redemption record of a line, every value as text (R11, R12; OP-08). */
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
