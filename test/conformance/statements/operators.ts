/** Mutation operators, by the statements they violate. */
import { refusal } from './golden.ts';
import { answered, asked, call, change, fields, moved, type Operator, type Where, whole } from './mutation.ts';
import type { Call, Json } from './recording.ts';

const reply = (operation: string, most = 1, status = 200): Where => ({ operation, status, side: 'reply', most });
const body = (operation: string, most = 1): Where => ({ operation, status: 200, side: 'body', most });

const record =
  'scheme redeemPoints shippingAddress processingFee productCode productName quantity redeemStatus email mobileNo totalpoints totalPointWithProcessingFee tdsSingleItem';
const profile =
  'uid name email mobileNo dob address1 address2 city pincode state cus_type partnerType pan panVerifiedStatus mdate projectCode projectName projectId';
const voucher =
  'voucherCode redemptionCode projectCode partnerCode productCode productName denomination faceValue validityStartDate validityEndDate remark';

/** Mutations of record fields and of values that the contracts state. */
const contractOperators: readonly Operator[] = [
  ...fields('R8', reply('getProfileAndPoints'), profile, 'profile.'),
  ...fields('R10', reply('getProfileAndPoints'), 'totalEarned balance totalRedeemed', 'points.'),
  ...fields('B3 R8 R10', reply('getProfileAndPoints'), 'profile points'),
  ...fields('R11 R12 R16 S2', body('saveRedeemDetails'), record),
  ...fields('B4 R18', body('creditPoints'), 'uid eventType transactionId paymentAmount points'),
  ...fields('B10 B11 S1', body('updateRedeemStatus'), 'orderStatus remark projectCode'),
  ...refusedWithout('R11', 'saveRedeemDetails', 'uid redeemCode'),
  ...refusedWithout('B10', 'updateRedeemStatus', 'redeemCode status'),
  ...fields('B6', reply('saveRedeemDetails'), 'success status'),
  ...fields('B13', reply('updateRedeemStatus'), 'success status'),
  ...fields('A16 R22', reply('getWalletDetail'), 'success status data'),
  ...fields('R22', reply('getWalletDetail'), voucher, 'data.*.'),
  ...['data.*.pin', 'data.*.GCID'].flatMap((path) => [
    change('R22', reply('getWalletDetail'), path, 'a number', () => 5),
    change('R22', reply('getWalletDetail'), path, 'left out', () => undefined),
  ]),
  ...fields('A9 R6', reply('listRewards'), 'items next_cursor has_more'),
  ...fields('R1 R2', reply('listRewards'), 'id product_type sku_code status skus', 'items.*.'),
  ...fields('R4', reply('listRewards'), 'denomination_value qty_trigger_limit qty', 'items.*.'),
  ...fields('R5', reply('listRewards'), 'price stock_qty', 'items.*.'),
  change('R4', reply('listRewards'), 'items.*.qty', 'no number', () => 'many'),
  change('R4', reply('listRewards'), 'items.*.denomination_value', 'no number', () => 'cheap'),
  change('R5', reply('listRewards'), 'items.*.price', 'no number', () => 'dear'),
  change('R2', reply('listRewards', 3), 'items.*.product_type', 'a third type', () => 'GIFT'),
  ...fields('X5', reply('listRewards', 1, 400), 'name message code status type'),
  change('X5', reply('listRewards', 2, 400), 'name', 'another name', () => 'BadRequest'),
  change('X5', reply('listRewards', 2, 400), 'status', 'another status', () => 422),
  ...['getProfileAndPoints', 'saveRedeemDetails', 'creditPoints', 'updateRedeemStatus'].flatMap((operation) => [
    ...fields('X1', reply(operation, 1, 422), 'success status data'),
    ...fields('X1', reply(operation, 1, 422), 'name message code status type', 'data.'),
    change('X1', reply(operation, 1, 422), 'data.name', 'another name', () => 'Unprocessable Entity'),
    change('X1', reply(operation, 1, 422), 'data.code', 'another code', () => 1),
    change('X1', reply(operation, 1, 422), 'data.status', 'another status', () => 400),
    change('X1', reply(operation, 1, 422), 'success', 'true', () => true),
  ]),
  ...fields('A1', body('companyAuth'), 'secret'),
  ...fields('D2', body('generateOtp'), 'customer_id'),
  ...fields('D5', body('verifyOtp'), 'customer_id otp reference_id'),
  ...fields('A13', body('createRedemptionOrder'), 'line_items'),
  change('R16 S2', body('saveRedeemDetails', 3), 'redeemStatus', 'with a capital', () => 'Pending'),
  change('R16 S2', body('saveRedeemDetails'), 'redeemStatus', 'final', () => 'delivered'),
  change('S1 B10', body('updateRedeemStatus', 3), 'status', 'in small letters', (value) => String(value).toLowerCase()),
  change('S1 B10', body('updateRedeemStatus'), 'status', 'of its own', () => 'Shipped'),
  change('R24', reply('getWalletDetail', 2), 'data.*.validityStartDate', 'with a T', (value) =>
    String(value).replace(' ', 'T'),
  ),
  change('R24', reply('getWalletDetail', 2), 'data.*.validityEndDate', 'day first', () => '12-01-2027 10:00:02'),
  change('R24', reply('getWalletDetail'), 'data.*.validityEndDate', 'an invalid date', () => '2027-13-12 10:00:02'),
  change('B6', reply('saveRedeemDetails', 2), 'success', 'false', () => false),
  change('B13', reply('updateRedeemStatus', 2), 'status', '201', () => 201),
  change('A16', reply('getWalletDetail'), 'status', '201', () => 201),
];

/** Mutations of the address and head of requests. */
const headOperators: readonly Operator[] = [
  ...['getProfileAndPoints', 'creditPoints', 'saveRedeemDetails', 'updateRedeemStatus'].flatMap((operation) => [
    asked('B1 T2 T3', operation, 'no token, and refused', (one) => refused(withoutToken(one), 'Token Invalid'), 1),
    asked('B1 T2 T3', operation, 'a bare token', token('abcdef'), 1),
  ]),
  asked('A1 A4', 'listRewards', 'no token', withoutToken, 2),
  asked('A14 T3', 'getWalletDetail', 'a bare token', (one) => withToken(one, bare(one))),
  asked('D1 T1', 'generateOtp', 'a bearer token', token('Bearer abc'), 1),
  asked('D1 T1', 'verifyOtp', 'no colon', token(`Basic ${Buffer.from('nobody').toString('base64')}`), 2),
  ...['saveRedeemDetails', 'updateRedeemStatus', 'creditPoints', 'companyAuth', 'createRedemptionOrder'].map(
    (operation) => asked('L4', operation, 'a form', withType('application/x-www-form-urlencoded'), 1),
  ),
  asked('B2', 'getProfileAndPoints', 'no uid', withoutQuery, 2),
  asked('A14 A15', 'getWalletDetail', 'no uid', withoutQuery, 2),
  call('C1 C2', 'caller', 'openPortal', 303, 'no token', (one) => without(one, 'token'), 1),
  call('C1 C2', 'caller', 'openPortal', 303, 'no uid', (one) => without(one, 'uid'), 1),
  asked('A7', 'listRewards', 'a limit that is no number', (one) => withQuery(one, { limit: 'many' }), 2),
  asked('L3', 'listRewards', 'a limit beyond 200', (one) => withQuery(one, { limit: '201' }), 2),
  asked('B1 B2 B4 B5 B10', 'saveRedeemDetails', 'nearly the path', (one) => ({ ...one, path: '/saveRedeemDetail' }), 1),
  asked('B1 B2 B4 B5 B10', 'updateRedeemStatus', 'another method', (one) => ({ ...one, method: 'PUT' }), 1),
  call('X1 X2', 'host', 'getProfileAndPoints', 422, '401 for a bad token', withStatus(401)),
  answered('B6', 'saveRedeemDetails', 'status 201', withStatus(201), 2),
  answered('B13', 'updateRedeemStatus', 'status 204', (one) => ({ ...one, status: 204, reply: undefined }), 2),
];

/** Mutations of values that relate a request to its reply. */
const exchangeOperators: readonly Operator[] = [
  change('B11', body('updateRedeemStatus', 4), 'orderStatus', 'another status', (value) =>
    value === 'Rejected' ? 'Delivered' : 'Rejected',
  ),
  onPages('A5', 'an item of the other type', ({ query }, { items }, calls) =>
    query.type === undefined
      ? {}
      : { items: [...items.slice(1), itemOf(calls, query.type === 'egv' ? 'PHYSICAL' : 'EGV')] },
  ),
  onPages('A7', 'more items than the limit', ({ query }, { items }, calls) => {
    const more = query.type === undefined ? itemOf(calls, 'EGV') : items[0];
    return query.limit === undefined ? {} : { items: Array(Number(query.limit) + 1).fill(more) };
  }),
  onPages('L2', '51 items without a limit', ({ query }, { items }) =>
    query.limit === undefined ? { items: Array(51).fill(items[0]) } : {},
  ),
  onPages('R7', 'has_more inverted', (_, page) => ({ has_more: !page.has_more }), 7),
  onPages('R7', 'a cursor on the last page', (_, page) => (page.has_more ? {} : { next_cursor: 'beyond' })),
  onPages('R6', 'the cursor of the request', ({ query }, page) =>
    query.cursor === undefined || !page.has_more ? {} : { next_cursor: query.cursor },
  ),
  change('X7', reply('listRewards', 2, 400), 'message', 'another message', () => 'Bad cursor'),
  change('X7', reply('listRewards', 1, 400), 'code', 'another code', () => 52),
  call('X7', 'host', 'listRewards', 400, 'code 51 without a cursor', withoutQuery, 1),
  ...Object.entries({
    'code 50 for a type that is valid': { code: 50, message: 'Invalid type filter value' },
    'code 50 with another message': { code: 50 },
  }).map(([how, fields]) => {
    const make = (one: Call) => ({ ...one, query: { type: 'egv' }, reply: { ...one.reply, ...fields } });
    return call('X6', 'host', 'listRewards', 400, how, make, 1);
  }),
  change('R9', reply('getProfileAndPoints', 3), 'profile.dob', 'year first', () => '1991-08-14'),
  change('R9', reply('getProfileAndPoints'), 'profile.dob', 'month first', () => '08/14/1991'),
  change('R9', reply('getProfileAndPoints'), 'profile.dob', 'with points', () => '14.08.1991'),
  change('X2', reply('getProfileAndPoints', 1, 422), 'data.message', 'in small letters', () => 'token invalid'),
  change('X2', reply('getProfileAndPoints', 1, 422), 'data.message', 'with a point', () => 'Token Invalid.'),
  ...(
    [
      ['X3', 'saveRedeemDetails', 'Please enter the mandatory details to proceed further'],
      ['X4', 'updateRedeemStatus', 'Please Enter the mandatory details to proceed further.'],
    ] as const
  ).map(([statement, operation, message]) =>
    call(statement, 'host', operation, 422, 'nearly the stated message', (one) => refused(one, message), 1),
  ),
  change('R14 R17', body('saveRedeemDetails', 3), 'totalPointWithProcessingFee', 'below the points', () => '1'),
  change('R14 R17', body('saveRedeemDetails'), 'totalPointWithProcessingFee', 'nothing', () => '0'),
  answered('R23', 'getWalletDetail', 'one voucher twice', (one) =>
    onVouchers(one, ([first, second]) =>
      second === undefined ? [first] : [first, { ...second, voucherCode: first?.voucherCode }],
    ),
  ),
  answered('R22', 'getWalletDetail', 'ends before it begins', (one) =>
    onVouchers(one, ([first, ...rest]) => [{ ...first, validityEndDate: '2020-01-01 00:00:00' }, ...rest]),
  ),
  answered('A1', 'companyAuth', 'no token', lacking('token')),
  answered('F1', 'login', 'no token', lacking('access_token')),
  answered('D6', 'verifyOtp', 'no JWT', lacking('token'), 3),
  answered('D6', 'verifyOtp', 'no points', lacking('points'), 3),
  answered('D6', 'verifyOtp', 'an opaque token', (one) => ({ ...one, reply: { ...one.reply, token: 'opaque' } }), 1),
  asked('A13', 'createRedemptionOrder', 'a line without an item', withBody({ line_items: [{ quantity: 1 }] }), 2),
];

/** Mistakes that only a whole recording shows. */
const traceOperators: readonly Operator[] = [
  asked('A8', 'listRewards', 'a cursor that no page offered', (one) =>
    one.query.cursor === undefined ? one : withQuery(one, { cursor: 'invented' }),
  ),
  ...[1, 3, 5].map((index) =>
    whole('A8', 'caller', `a page before the one that offers its cursor (${index})`, (calls) => {
      const page = calls
        .filter(({ operation }) => operation === 'listRewards')
        .filter(({ query }) => query.cursor !== undefined)[(index - 1) / 2];
      return page?.status === 200 ? moved(calls, page, 'start') : undefined;
    }),
  ),
  movedToEnd('A1 A3 A4', 'everything before the sign-in of the company', 'companyAuth'),
  asked('A1 A3 A4', 'listRewards', 'an unissued token', token('forged-token'), 2),
  asked('A1 A3', 'customerAuth', 'an unissued token', token('forged-token'), 1),
  asked('F1 T3', 'getUserProfile', 'an unissued token', token('Bearer forged-token'), 1),
  movedToEnd('F1 T3', 'the general API before its login', 'login'),
  ...[7, 8, 9].map((number) =>
    movedToEnd('T4', `a code is verified before it is sent (${number})`, 'generateOtp', `CUST000${number}`),
  ),
  asked('T4', 'verifyOtp', 'an unknown reference', withBody({ reference_id: 'OTP-INVENTED' })),
  whole('G9 M4', 'host', 'the portal admits without a profile call', (calls) => withoutProfileIn(calls, 303)),
  call('G11', 'host', 'openPortal', 422, 'admits with an invalid token', (one) => ({
    ...one,
    status: 303,
    replyHeaders: { ...one.replyHeaders, location: '/portal/s/abcdefgh/rewards' },
  })),
  movedToEnd('T2', 'a JWT before it was issued', 'verifyOtp', 'CUST0007'),
  ...['RDM-000001-9K2QX4', 'RDM-000002-M7TB3D', 'RDM-000004-OTHERC', 'RDM-000005-GENERA'].flatMap((code) => [
    whole('R13', 'caller', `${code} for another product`, (calls) =>
      repeatRecord(calls, code, { productCode: 'EGV-OTHER' }),
    ),
    whole('R13', 'caller', `${code} for another customer`, (calls) => repeatRecord(calls, code, { uid: 'CUST0001' })),
    movedToEnd('G14 S4 S6', `the record of ${code} after its end`, 'saveRedeemDetails', code),
    whole('S4 S5 S6', 'caller', `${code} ends both ways`, (calls) => contradicted(calls, code)),
    whole('S4 S6', 'caller', `${code} is Pending again`, (calls) => again(calls, code, 'Pending')),
    whole('S4 S6', 'caller', `the record of ${code} was never sent`, (calls) =>
      calls.filter((one) => one.operation !== 'saveRedeemDetails' || one.body?.redeemCode !== code),
    ),
    whole('G13 M5', 'host', `${code} never went to the client`, (calls) =>
      calls.filter((one) => one.body?.redeemCode !== code),
    ),
    change('R11', body('saveRedeemDetails', 1), 'quantity', `another quantity (${code})`, () => '9'),
  ]),
  change('R11 G13', body('saveRedeemDetails', 2), 'uid', 'another customer', () => 'CUST0001'),
  ...Object.entries({
    'in small letters': (sku: unknown) => String(sku).toLowerCase(),
    'with a blank': (sku: unknown) => `${sku} `,
  }).map(([how, spoil]) =>
    asked('A13 R3', 'createRedemptionOrder', `the SKU ${how}`, (one) =>
      withBody({ line_items: linesOf(one).map((line) => ({ ...line, sku: spoil(line.sku) })) })(one),
    ),
  ),
  ...['UPI-20260112-1', 'UPI-20260112-2'].flatMap((id) => [
    whole('R20', 'caller', `${id} with other points`, (calls) => repeatCredit(calls, id, { points: '99' })),
    whole('R20', 'caller', `${id} for another customer`, (calls) => repeatCredit(calls, id, { uid: 'CUST0001' })),
    whole('R20', 'caller', `${id} of another amount`, (calls) => repeatCredit(calls, id, { paymentAmount: '1' })),
    whole('G8 M2', 'caller', `${id} without a payment`, (calls) =>
      calls.filter((one) => one.operation !== 'sendPaymentEvent' || one.body?.transactionId !== id),
    ),
    movedToEnd('G8 M2', `${id} before its payment`, 'sendPaymentEvent', id),
    whole('R21', 'host', `${id} credited twice`, (calls) => shifted(calls, credited(id), +1)),
    whole('R21', 'host', `${id} not credited`, (calls) => shifted(calls, credited(id), -1)),
  ]),
  ...['RDM-000001-9K2QX4', 'RDM-000002-M7TB3D', 'RDM-000003-LOSTRE'].flatMap((code) => [
    whole('B7 S3', 'host', `${code} deducted twice`, (calls) => shifted(calls, deducted(code), +1)),
    whole('B7 S3', 'host', `${code} not deducted`, (calls) => shifted(calls, deducted(code), -1)),
  ]),
  whole('B14 R17 S8', 'host', 'a rejection refunds nothing', (calls) =>
    shifted(calls, rejected('RDM-000002-M7TB3D'), -1),
  ),
  whole('B14 R17 S8', 'host', 'a rejection refunds twice', (calls) =>
    shifted(calls, rejected('RDM-000002-M7TB3D'), +1),
  ),
  whole('B14 R17 S8', 'host', 'a rejection refunds without the fee', (calls) =>
    shiftedBy(calls, rejected('RDM-000002-M7TB3D'), -49),
  ),
  whole('S5', 'host', 'a delivery refunds points', (calls) => shiftedBy(calls, delivered('RDM-000001-9K2QX4'), 1000)),
  whole('B9', 'host', 'a deduction beyond the balance', (calls) => acceptedBeyond(calls)),
  whole('E7', 'host', 'version 2 deducts twice', (calls) =>
    shifted(calls, redeemed('RDM-000011-V2DELI'), +1, 'getCustomerPoints'),
  ),
  whole('E8', 'host', 'version 2 refunds nothing', (calls) =>
    shifted(calls, reversed('RDM-000012-V2FAIL'), -1, 'getCustomerPoints'),
  ),
  answered('R23', 'getWalletDetail', 'a code of another redemption', (one, calls) =>
    onVouchers(one, (all) => [{ ...all[0], voucherCode: firstVoucher(calls)?.voucherCode }, ...all.slice(1)]),
  ),
  answered('A15 R22', 'getWalletDetail', "another customer's redemption", (one) =>
    onVouchers(one, (all) =>
      all.map((each) => ({
        ...each,
        redemptionCode: one.query.uid === 'CUST0008' ? 'RDM-000001-9K2QX4' : 'RDM-000003-LOSTRE',
      })),
    ),
  ),
  whole('L1', 'caller', 'more calls than any hour allows', (calls) => {
    const page = calls.find(({ operation }) => operation === 'listRewards');
    if (page === undefined) return undefined;
    const start = Math.max(...calls.map(({ end }) => end));
    return [
      ...calls,
      ...Array.from({ length: 2005 }, (_, n) => ({ ...page, start: start + n * 10, end: start + n * 10 + 1 })),
    ];
  }),
];

/** Creates operators that omit a mandatory field from a call, which the host then refuses. */
function refusedWithout(statements: string, operation: string, names: string): Operator[] {
  const reply = refusal('Please enter the mandatory details to proceed further.');
  const make = (name: string) => (one: Call) => ({ ...one, body: drop(one.body, name), status: 422, reply });
  return names.split(' ').map((name) => asked(statements, operation, `without ${name}, and refused`, make(name), 2));
}

export const operators: readonly Operator[] = [
  ...contractOperators,
  ...headOperators,
  ...exchangeOperators,
  ...traceOperators,
];

function linesOf({ body }: Call): readonly Json[] {
  return (body?.line_items ?? []) as Json[];
}

function withToken(one: Call, value: string): Call {
  return { ...one, headers: { ...one.headers, authorization: value } };
}

function withType(type: string): (one: Call) => Call {
  return (one) => ({ ...one, headers: { ...one.headers, 'content-type': type } });
}

function withBody(fields: Json): (one: Call) => Call {
  return (one) => ({ ...one, body: { ...one.body, ...fields } });
}

/** Moves the first call of an operation to the end, or the first one that contains a value. */
function movedToEnd(statements: string, title: string, operation: string, value?: string): Operator {
  return whole(statements, 'caller', title, (calls) => {
    const isMeant = (one: Call) => value === undefined || Object.values(one.body ?? {}).includes(value);
    const found = calls.find((one) => one.operation === operation && isMeant(one));
    return found && moved(calls, found, 'end');
  });
}

/** Makes a call one that the client refuses with a message. */
function refused(one: Call, message: string): Call {
  return { ...one, status: 422, reply: refusal(message) };
}

function bare({ headers }: Call): string {
  return (headers.authorization ?? '').replace('Bearer ', '');
}

function withoutToken({ headers: { authorization: _, ...headers }, ...one }: Call): Call {
  return { ...one, headers };
}

function token(value: string): (one: Call) => Call {
  return (one) => withToken(one, value);
}

function withStatus(status: number): (one: Call) => Call {
  return (one) => ({ ...one, status });
}

function withoutQuery(one: Call): Call {
  return { ...one, query: {} };
}

function lacking(name: string): (one: Call) => Call {
  return (one) => ({ ...one, reply: drop(one.reply, name) });
}

function withQuery(one: Call, query: Record<string, string>): Call {
  return { ...one, query: { ...one.query, ...query } };
}

function without(one: Call, name: string): Call {
  const { [name]: _, ...query } = one.query;
  return { ...one, query };
}

function drop(reply: Json | undefined, name: string): Json {
  const { [name]: _, ...rest } = reply ?? {};
  return rest;
}

interface Page {
  readonly items: readonly Json[];
  readonly has_more: boolean;
}

/** Creates an operator that changes fields of pages. */
function onPages(
  statement: string,
  how: string,
  make: (one: Call, page: Page, calls: readonly Call[]) => Json,
  most?: number,
): Operator {
  const changed = (one: Call, calls: readonly Call[]) => {
    return { ...one, reply: { ...one.reply, ...make(one, one.reply as unknown as Page, calls) } };
  };
  return answered(statement, 'listRewards', how, changed, most);
}

function onVouchers(one: Call, make: (vouchers: readonly Json[]) => readonly (Json | undefined)[]): Call {
  const data = (one.reply?.data ?? []) as readonly Json[];
  return data.length === 0 ? one : { ...one, reply: { ...one.reply, data: [...make(data)] } };
}

function itemOf(calls: readonly Call[], type: string): Json | undefined {
  const items = calls.flatMap(({ operation, reply }) =>
    operation === 'listRewards' ? ((reply?.items ?? []) as Json[]) : [],
  );
  return items.find(({ product_type }) => product_type === type);
}

function firstVoucher(calls: readonly Call[]): Json | undefined {
  return calls.flatMap(({ operation, reply }) =>
    operation === 'getWalletDetail' ? ((reply?.data ?? []) as Json[]) : [],
  )[0];
}

function withoutProfileIn(calls: readonly Call[], status: number): readonly Call[] | undefined {
  const entry = calls.find((one) => one.operation === 'openPortal' && one.status === status);
  return (
    entry &&
    calls.filter((one) => one.operation !== 'getProfileAndPoints' || one.start < entry.start || one.end > entry.end)
  );
}

/** Repeats a call with other values at the end of the recording. */
function repeated(calls: readonly Call[], call: Call | undefined, values: Json): readonly Call[] | undefined {
  if (call === undefined) return undefined;
  const start = Math.max(...calls.map(({ end }) => end)) + 1000;
  return [...calls, { ...structuredClone(call), body: { ...call.body, ...values }, start, end: start + 100 }];
}

const repeatRecord = (calls: readonly Call[], code: string, values: Json) => {
  const record = calls.find(
    (one) => one.operation === 'saveRedeemDetails' && one.body?.redeemCode === code && one.status === 200,
  );
  // The copy directly follows the original, so that it precedes the end of the redemption.
  return (
    record &&
    calls.flatMap((one) =>
      one === record ? [one, { ...structuredClone(one), body: { ...one.body, ...values } }] : [one],
    )
  );
};

const repeatCredit = (calls: readonly Call[], id: string, values: Json) =>
  repeated(
    calls,
    calls.find((one) => one.operation === 'creditPoints' && one.body?.transactionId === id && one.status === 200),
    values,
  );

const finalUpdate = (calls: readonly Call[], code: string) =>
  calls.find(
    (one) => one.operation === 'updateRedeemStatus' && one.body?.redeemCode === code && one.body.status !== 'Pending',
  );

function again(calls: readonly Call[], code: string, status: string) {
  return repeated(calls, finalUpdate(calls, code), { status, orderStatus: status });
}

function contradicted(calls: readonly Call[], code: string) {
  return again(calls, code, finalUpdate(calls, code)?.body?.status === 'Delivered' ? 'Rejected' : 'Delivered');
}

/** Returns the points that a call adds to the balance, or `undefined` if it adds none. */
type Booking = (one: Call) => number | undefined;

/** Matches successful calls of an operation that contain a code or id. */
function bookingOf(operation: string, code: string, points: (body: Json) => number): Booking {
  return ({ operation: called, status, body }) =>
    called === operation && status === 200 && body !== undefined && Object.values(body).includes(code)
      ? points(body)
      : undefined;
}

const deducted = (code: string) =>
  bookingOf('saveRedeemDetails', code, (body) => -Number(body.totalPointWithProcessingFee));
const credited = (id: string) => bookingOf('creditPoints', id, ({ points }) => Number(points));
const redeemed = (code: string) => bookingOf('redeemPoints', code, ({ points }) => -Number(points));
const reversed = (code: string) => bookingOf('reversePoints', code, ({ points }) => Number(points));
const rejected = (code: string): Booking => reported(code, 'Rejected', 1548);
const delivered = (code: string): Booking => reported(code, 'Delivered', 0);

function reported(code: string, status: string, points: number): Booking {
  return ({ operation, body }) =>
    operation === 'updateRedeemStatus' && body?.redeemCode === code && body.status === status ? points : undefined;
}

/** Shifts all balances after a booking, as if the booking had happened once more or once less. */
function shifted(calls: Call[], booking: Booking, times: number, operation?: string): readonly Call[] | undefined {
  const bookingCall = calls.find((one) => booking(one) !== undefined);
  return bookingCall && shiftedBy(calls, booking, (booking(bookingCall) ?? 0) * times, operation);
}

function shiftedBy(
  calls: Call[],
  booking: Booking,
  difference: number,
  operation?: string,
): readonly Call[] | undefined {
  const index = calls.findIndex((one) => booking(one) !== undefined);
  const bookingCall = calls[index];
  if (bookingCall === undefined) return undefined;
  const uid = uidOf(bookingCall, calls);
  return calls.map((one, at) => {
    const reads =
      operation === undefined ? ['getProfileAndPoints', 'getCustomerPoints'] : [operation, 'getProfileAndPoints'];
    if (at < index || one.start < bookingCall.end || !reads.includes(one.operation) || uidOf(one, calls) !== uid)
      return one;
    const points = one.reply?.points as Json | undefined;
    if (points === undefined) return one;
    return { ...one, reply: { ...one.reply, points: { ...points, balance: Number(points.balance) + difference } } };
  });
}

function uidOf({ query, body }: Call, calls: readonly Call[]): unknown {
  const code = body?.redeemCode ?? body?.redeem_code;
  const named = query.uid ?? query.customer_id ?? body?.uid ?? body?.customer_id;
  if (named !== undefined || code === undefined) return named;
  const record = calls.find(
    (one) =>
      (one.body?.redeemCode ?? one.body?.redeem_code) === code &&
      (one.body?.uid ?? one.body?.customer_id) !== undefined,
  );
  return record?.body?.uid ?? record?.body?.customer_id;
}

/** Accepts the refused deduction of 900,000 points. */
function acceptedBeyond(calls: Call[]): readonly Call[] | undefined {
  const deduction = calls.find(
    (one) => one.operation === 'saveRedeemDetails' && Number(one.body?.totalPointWithProcessingFee) > 100_000,
  );
  if (deduction === undefined) return undefined;
  const profiles = calls.filter(
    (one) => one.operation === 'getProfileAndPoints' && one.query.uid === deduction.body?.uid && one.status === 200,
  );
  const last = profiles.at(-1);
  const start = Math.max(...calls.map(({ end }) => end)) + 1000;
  const balance =
    Number((last?.reply?.points as Json | undefined)?.balance) - Number(deduction.body?.totalPointWithProcessingFee);
  return [
    ...calls.map((one) => (one === deduction ? { ...one, status: 200, reply: { success: true, status: 200 } } : one)),
    ...(last === undefined
      ? []
      : [
          {
            ...last,
            start,
            end: start + 100,
            reply: { ...last.reply, points: { ...(last.reply?.points as Json), balance } },
          },
        ]),
  ];
}
