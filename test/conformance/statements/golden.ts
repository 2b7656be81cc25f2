/** Records every journey of the interface without a mistake. */
import { example } from '../../harness/exchanges.ts';
import { type Json, Recording } from './recording.ts';

const token = (kind: string, number: number) =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(`{"kind":"${kind}","n":${number}}`).toString('base64url')}.c2lnbmVk${number}`;
const basic = `Basic ${Buffer.from('microsite:s3cret').toString('base64')}`;
export const company = token('company', 1);
const service = 'svc_9f83ab22c1';
const access = token('access', 7);
const done = { success: true, status: 200 };

const { profile } = example('getProfileAndPoints', 200).reply.body as { profile: Json };
const redemption = example('saveRedeemDetails', 200).request.body as Json;
const [delivered] = (example('getWalletDetail', 200).reply.body as { data: readonly Json[] }).data;

/** Builds the client's envelope for an error. */
export const refusal = (message: string): Json => ({
  success: false,
  status: 422,
  data: { name: 'Unprocessable entity', message, code: 0, status: 422, type: 'UnprocessableEntityHttpException' },
});
const flat = (code: number, message: string): Json => {
  return { name: 'Bad Request', message, code, status: 400, type: 'BadRequestHttpException' };
};

const mandatory = 'Please enter the mandatory details to proceed further.';

const item = (id: number, type: 'EGV' | 'PHYSICAL', sku: string): Json => ({
  id,
  product_type: type,
  sku_code: sku,
  status: 1,
  skus: `Item ${id}`,
  ...(type === 'EGV'
    ? { denomination_value: '500', qty_trigger_limit: '25', qty: '480' }
    : { price: '1499', stock_qty: '32' }),
});
const cafe = item(1, 'EGV', 'EGV-SPICE-500');
const books = item(2, 'EGV', 'EGV-BOOKS-250');
const kettle = item(101, 'PHYSICAL', 'PHY-KETTLE-01');
const lamp = item(140, 'PHYSICAL', 'PHY-LAMP-07');

const page = (items: readonly Json[], next: string | null): Json => {
  return { items, next_cursor: next, has_more: next !== null };
};

/** A customer, with the balances in the client's ledger. */
export class Customer {
  readonly uid: string;
  readonly jwt: string;
  earned: number;
  balance: number;

  constructor(number: number, balance: number) {
    this.uid = `CUST${String(number).padStart(4, '0')}`;
    this.jwt = token('customer', number);
    this.earned = balance;
    this.balance = balance;
  }

  get points(): Json {
    return { totalEarned: this.earned, balance: this.balance, totalRedeemed: this.earned - this.balance };
  }

  get profile(): Json {
    return { ...profile, uid: this.uid };
  }
}

export interface Line {
  readonly code: string;
  readonly sku: string;
  readonly type: 'EGV' | 'PHYSICAL';
  readonly quantity: number;
  readonly points: number;
  readonly fee: number;
}

export const total = ({ points, fee }: Line) => points + fee;

function orderLine(line: Line, status: string): Json {
  return {
    redeemCode: line.code,
    sku_code: line.sku,
    product_type: line.type,
    product_name: `The ${line.sku}`,
    quantity: line.quantity,
    points: pointsOf([line]),
    status,
    remark: '',
  };
}

function pointsOf(lines: readonly Line[]): Json {
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0);
  return {
    redeemPoints: sum(({ points }) => points),
    tdsPoints: 0,
    processingFee: sum(({ fee }) => fee),
    totalPointWithProcessingFee: sum(total),
  };
}

/** Returns the items and the address of an order. */
export function cart(lines: readonly Line[]): Json {
  const line_items = lines.map(({ sku, quantity }) => ({ sku, quantity }));
  return { line_items, shipping_address: '12 Lake View Road, Bengaluru 560038' };
}

const placed = '2026-01-12T04:30:00.000Z';

function order(id: string, lines: readonly Line[], statuses: readonly string[]): Json {
  const all = statuses.every((status) => status === statuses[0]) ? statuses[0] : 'Delivered';
  return {
    order_id: id,
    reference_id: null,
    status: statuses.includes('Pending') ? 'Pending' : all,
    lines: lines.map((line, index) => orderLine(line, statuses[index] ?? 'Pending')),
    points: pointsOf(lines),
    created_at: placed,
    updated_at: placed,
  };
}

export function voucher(number: number, line: Line): Json {
  const time = `01-12 10:00:${String(number).padStart(2, '0')}`;
  return {
    ...delivered,
    voucherCode: `SPICE-7H2K-9Q4M-${number}`,
    redemptionCode: line.code,
    productCode: line.sku,
    productName: `The ${line.sku}`,
    validityStartDate: `2026-${time}`,
    validityEndDate: `2027-${time}`,
  };
}

/** The journeys. Each adds a few calls to the recording. */
export class Journeys {
  readonly recording = new Recording();
  readonly #payments: string;
  #transactions = 0;

  /** @param payments prefix of the transactionId of each payment */
  constructor(payments = 'UPI-20260112') {
    this.#payments = payments;
  }

  call(...[operation, request, ...rest]: Parameters<Recording['call']>): void {
    this.recording.call(operation, request, ...rest);
  }

  companySignsIn(): void {
    const reply = { success: true, status: 200, token: company, token_type: 'Bearer', expires_in: 3600 };
    this.call('companyAuth', { body: { secret: 'sk_live_something' } }, 200, reply);
  }

  readsTheCatalogue(): void {
    const list = (query: Record<string, string>, status: number, reply: Json) =>
      this.call('listRewards', { query, authorization: company }, status, reply);
    list({ limit: '2' }, 200, page([cafe, books], 'cursor-to-page-two'));
    list({ limit: '2', cursor: 'cursor-to-page-two' }, 200, page([kettle], 'cursor-to-page-three'));
    list({ limit: '2', cursor: 'cursor-to-page-three' }, 200, page([lamp], null));
    list({}, 200, page([cafe, books, kettle, lamp], null));
    list({ type: 'egv', limit: '1' }, 200, page([cafe], 'cursor-egv-two'));
    list({ type: 'egv', limit: '1', cursor: 'cursor-egv-two' }, 200, page([books], null));
    list({ type: 'physical' }, 200, page([kettle, lamp], null));
    list({ cursor: 'made-up' }, 400, flat(51, 'Invalid or expired cursor'));
  }

  asksForAnUnknownType(): void {
    const request = { query: { type: 'gift' }, authorization: company };
    this.call('listRewards', request, 400, flat(50, 'Invalid type filter value'));
  }

  signsIn(customer: Customer): void {
    const { uid, jwt, points } = customer;
    const reference = `OTP-${uid}-4B7E`;
    const otpReply = { ...done, reference_id: reference, expires_in: 300, mobile: '******0007' };
    this.call('generateOtp', { body: { customer_id: uid }, authorization: basic }, 200, otpReply);
    const body = { customer_id: uid, otp: '493027', reference_id: reference };
    const verified = { ...done, token: jwt, token_type: 'Bearer', expires_in: 1800, points };
    this.call('verifyOtp', { body, authorization: basic }, 200, verified);
  }

  readsProfile(customer: Customer, bearer = customer.jwt): void {
    const { uid, profile, points } = customer;
    this.call('getProfileAndPoints', { query: { uid }, authorization: `Bearer ${bearer}` }, 200, { profile, points });
  }

  entersThePortal(customer: Customer): void {
    const query = { token: customer.jwt, uid: customer.uid };
    this.call('openPortal', { query }, 303, undefined, () => this.readsProfile(customer));
  }

  isRefusedEntry(uid: string): void {
    const forged = token('forged', 9);
    this.call('openPortal', { query: { token: forged, uid } }, 422, undefined, () => {
      const request = { query: { uid }, authorization: `Bearer ${forged}` };
      this.call('getProfileAndPoints', request, 422, refusal('Token Invalid'));
    });
  }

  opensASession(customer: Customer): void {
    const { uid, jwt, profile, points } = customer;
    const session = { ...done, token: token('session', 3), token_type: 'Bearer', expires_in: 1800, profile, points };
    const request = { body: { uid, token: jwt }, authorization: company };
    this.call('customerAuth', request, 200, session, () => this.readsProfile(customer));
  }

  record({ uid }: Customer, line: Line): Json {
    return {
      ...redemption,
      uid,
      redeemCode: line.code,
      redeemPoints: String(line.points),
      shippingAddress: line.type === 'EGV' ? '' : '12 Lake View Road, Bengaluru 560038',
      processingFee: String(line.fee),
      productCode: line.sku,
      productName: `The ${line.sku}`,
      quantity: String(line.quantity),
      totalpoints: String(line.points),
      totalPointWithProcessingFee: String(total(line)),
    };
  }

  deducts(customer: Customer, line: Line, lost = false): void {
    const request = { body: this.record(customer, line), authorization: `Bearer ${service}` };
    if (lost) this.call('saveRedeemDetails', request, undefined);
    this.call('saveRedeemDetails', request, 200, done);
    customer.balance -= total(line);
  }

  orders(customer: Customer, id: string, lines: readonly Line[], lost = false): void {
    const body = { uid: customer.uid, ...cart(lines) };
    const request = { body, authorization: company, headers: { 'idempotency-key': `key-of-${id}` } };
    const reply = order(id, lines, Array(lines.length).fill('Pending'));
    this.call('createRedemptionOrder', request, 200, reply, () => {
      this.readsProfile(customer, service);
      for (const line of lines) this.deducts(customer, line, lost);
    });
    if (lost) this.call('createRedemptionOrder', request, 200, reply);
  }

  reports(customer: Customer, line: Line, status: string, times = 1): void {
    const remark = status === 'Rejected' ? 'Product out of stock' : '';
    const body = { redeemCode: line.code, status, orderStatus: status, remark, projectCode: 'DEMO01' };
    for (let time = 0; time < times; time += 1)
      this.call('updateRedeemStatus', { body, authorization: `Bearer ${service}` }, 200, done);
    if (status === 'Rejected') customer.balance += total(line);
  }

  looksIntoTheWallet(uid: string, vouchers: readonly Json[]): void {
    const request = { query: { uid }, authorization: `Bearer ${company}` };
    this.call('getWalletDetail', request, 200, { ...done, data: [...vouchers] });
  }

  pays(customer: Customer, amount: string, points: number, lost = false): void {
    this.#transactions += 1;
    const transactionId = `${this.#payments}-${this.#transactions}`;
    const payment = { uid: customer.uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: amount };
    const accepted = { success: true, status: 202, transactionId, points };
    this.call('sendPaymentEvent', { body: payment, authorization: company }, 202, accepted);
    const request = { body: { ...payment, points: String(points) }, authorization: `Bearer ${service}` };
    if (lost) this.call('creditPoints', request, undefined);
    this.call('creditPoints', request, 200, done);
    if (lost) this.call('creditPoints', request, 200, done);
    customer.balance += points;
    customer.earned += points;
  }

  leavesDetailsOut(customer: Customer): void {
    const bearer = { authorization: `Bearer ${service}` };
    const record = { ...this.record(customer, { ...kettleLine, code: 'RDM-000090-REFUSD' }), uid: '' };
    this.call('saveRedeemDetails', { body: record, ...bearer }, 422, refusal(mandatory));
    const body = { redeemCode: '', status: 'Delivered', orderStatus: 'Delivered', remark: '', projectCode: 'DEMO01' };
    this.call('updateRedeemStatus', { body, ...bearer }, 422, refusal(mandatory));
  }

  isRefused(customer: Customer): void {
    const bearer = { authorization: `Bearer ${service}` };
    const other = this.record(customer, { ...kettleLine, code: 'RDM-000091-TOOBIG', points: 900_000 });
    this.call('saveRedeemDetails', { body: other, ...bearer }, 422, refusal('User points have changed.'));
    const payment = { uid: 'NOBODY', eventType: 'DIGITAL_PAYMENT', transactionId: 'UPI-0', paymentAmount: '5' };
    const accepted = { success: true, status: 202, transactionId: 'UPI-0', points: 1 };
    this.call('sendPaymentEvent', { body: payment, authorization: company }, 202, accepted);
    this.call('creditPoints', { body: { ...payment, points: '1' }, ...bearer }, 422, refusal('Unknown customer.'));
  }

  usesVersionTwo(customer: Customer): void {
    const { uid, jwt } = customer;
    const authorization = `Bearer ${jwt}`;
    this.call('listCatalog', { authorization: company }, 200, page([cafe, kettle], null));
    const lines = [v2Delivered, v2Failed];
    const body = { customer_id: uid, ...cart(lines) };
    const reply = order('ORD-000010-V2', lines, ['Pending', 'Pending']);
    this.readsPoints(customer);
    this.call('createOrder', { body, authorization }, 200, reply, () => {
      for (const line of lines) {
        const deduction = { customer_id: uid, order_id: 'ORD-000010-V2', redeem_code: line.code, points: total(line) };
        customer.balance -= total(line);
        this.call('redeemPoints', { body: deduction, authorization }, 200, { ...done, balance: customer.balance });
        this.readsPoints(customer);
      }
    });
    customer.balance += total(v2Failed);
    const reversal = { redeem_code: v2Failed.code, points: total(v2Failed), reason: 'Product out of stock' };
    const reversed = { ...done, balance: customer.balance };
    this.call('reversePoints', { body: reversal, authorization: `Bearer ${service}` }, 200, reversed);
    this.readsPoints(customer);
    const status = order('ORD-000010-V2', lines, ['Delivered', 'Rejected']);
    this.call('getOrderStatus', { query: { order_id: 'ORD-000010-V2' }, authorization: company }, 200, status);
    this.call('getOrderStatus', { query: { order_id: 'ORD-000010-V2' }, authorization: company }, 200, status);
  }

  readsPoints({ uid, points }: Customer): void {
    const request = { query: { customer_id: uid }, authorization: `Bearer ${service}` };
    this.call('getCustomerPoints', request, 200, { customer_id: uid, points });
  }

  usesTheGeneralApi(customer: Customer): void {
    const authorization = `Bearer ${access}`;
    const token = { access_token: access, token_type: 'Bearer', expires_in: 3600 };
    this.call('login', { body: { username: customer.uid, password: 'pw_something' } }, 200, token);
    const { profile, points } = customer;
    this.call('getUserProfile', { authorization }, 200, { profile, points }, () =>
      this.readsProfile(customer, service),
    );
    const products = { items: [cafe], page: 1, limit: 20, total: 1, total_pages: 1 };
    this.call('listProducts', { query: { page: '1', limit: '20' }, authorization }, 200, products);
    const body = { line_items: [{ sku: generalLine.sku, quantity: generalLine.quantity }] };
    const reply = order('ORD-000020-GEN', [generalLine], ['Pending']);
    this.call('createProductOrder', { body, authorization }, 200, reply, () => this.deducts(customer, generalLine));
    this.reports(customer, generalLine, 'Pending');
    this.reports(customer, generalLine, 'Delivered');
    this.readsProfile(customer);
  }

  hearsOfTheCatalogue(): void {
    const body = { type: 'catalogue.updated', timestamp: placed, data: { items: [{ change: 'updated', item: lamp }] } };
    const headers = {
      'webhook-id': 'MSG-000001-8C1F',
      'webhook-timestamp': '1768192200',
      'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    };
    this.call('catalogueUpdated', { body, headers }, 500);
    this.call('catalogueUpdated', { body, headers }, 204);
  }
}

export const egvLine: Line = {
  code: 'RDM-000001-9K2QX4',
  sku: 'EGV-SPICE-500',
  type: 'EGV',
  quantity: 2,
  points: 1000,
  fee: 0,
};
export const kettleLine: Line = {
  code: 'RDM-000002-M7TB3D',
  sku: 'PHY-KETTLE-01',
  type: 'PHYSICAL',
  quantity: 1,
  points: 1499,
  fee: 49,
};
const lostLine: Line = { ...egvLine, code: 'RDM-000003-LOSTRE', quantity: 1, points: 500 };
const otherLine: Line = { ...egvLine, code: 'RDM-000004-OTHERC', sku: 'EGV-BOOKS-250', quantity: 1, points: 250 };
const generalLine: Line = { ...egvLine, code: 'RDM-000005-GENERA', quantity: 1, points: 500 };
const v2Delivered: Line = { ...egvLine, code: 'RDM-000011-V2DELI', quantity: 1, points: 500 };
const v2Failed: Line = { ...kettleLine, code: 'RDM-000012-V2FAIL' };

/**
 * Records three customers in both API versions, including faults, cancellations, lost replies and webhooks. `refusals` adds invalid
 * requests that are refused as stated.
 */
export function golden({ refusals = false } = {}): Recording['calls'] {
  const journeys = new Journeys();
  const [ananya, ravi, meera] = [new Customer(7, 9500), new Customer(8, 4000), new Customer(9, 6000)];
  journeys.companySignsIn();
  journeys.readsTheCatalogue();
  if (refusals) journeys.asksForAnUnknownType();
  journeys.signsIn(ananya);
  journeys.entersThePortal(ananya);
  journeys.isRefusedEntry(ananya.uid);
  journeys.opensASession(ananya);
  journeys.orders(ananya, 'ORD-000001-7F3A', [egvLine]);
  journeys.readsProfile(ananya);
  journeys.reports(ananya, egvLine, 'Delivered', 2);
  journeys.readsProfile(ananya);
  const vouchers = [voucher(2, egvLine), voucher(3, egvLine)];
  journeys.looksIntoTheWallet(ananya.uid, vouchers);
  journeys.orders(ananya, 'ORD-000002-1C8E', [kettleLine]);
  journeys.readsProfile(ananya);
  journeys.reports(ananya, kettleLine, 'Rejected', 2);
  journeys.readsProfile(ananya);
  journeys.pays(ananya, '2499.50', 24);
  journeys.readsProfile(ananya);
  journeys.pays(ananya, '700', 7, true);
  journeys.readsProfile(ananya);
  journeys.signsIn(ravi);
  journeys.readsProfile(ravi);
  journeys.orders(ravi, 'ORD-000003-LOST', [lostLine], true);
  journeys.readsProfile(ravi);
  journeys.orders(ananya, 'ORD-000004-OTHR', [otherLine]);
  journeys.reports(ravi, lostLine, 'Delivered');
  journeys.reports(ananya, otherLine, 'Rejected');
  journeys.readsProfile(ravi);
  journeys.looksIntoTheWallet(ravi.uid, [voucher(4, lostLine)]);
  journeys.looksIntoTheWallet(ananya.uid, vouchers);
  journeys.isRefused(ravi);
  if (refusals) journeys.leavesDetailsOut(ravi);
  journeys.signsIn(meera);
  journeys.usesVersionTwo(meera);
  journeys.usesTheGeneralApi(meera);
  journeys.hearsOfTheCatalogue();
  return journeys.recording.calls;
}
