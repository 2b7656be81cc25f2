/** Mistakes across whole recordings: missing calls, contradictory calls, and calls that excuse a wrong reply. */
import { conversation } from './conversations.ts';
import { refusal } from './golden.ts';
import { call, type Operator, whole } from './mutation.ts';
import type { Call, Json } from './recording.ts';

const about = (operation: string, code: string, status?: string) => (one: Call) =>
  one.operation === operation &&
  (one.body?.redeemCode ?? one.body?.redeem_code) === code &&
  (status === undefined || one.body?.status === status);
const without = (calls: readonly Call[], ...dropped: readonly ((one: Call) => boolean)[]) =>
  calls.filter((one) => !dropped.some((drops) => drops(one)));
const answered =
  (status: number, reply?: Json) =>
  (one: Call): Call => ({ ...one, status, reply });
const bare = ({ headers: { authorization: _, ...headers }, ...one }: Call): Call => ({ ...one, headers });
const withBody = (one: Call, body: Json): Call => ({ ...one, body: { ...one.body, ...body } });
const wrongMessages = [
  'Mandatory fields missing',
  'Please enter the mandatory details to proceed further',
  'Bad request',
];

/** Appends a changed copy of the first matching call. */
function added(calls: readonly Call[], of: (one: Call) => boolean, change: (one: Call) => Call) {
  const found = calls.find(of);
  if (found === undefined) return undefined;
  const start = Math.max(...calls.map(({ end }) => end)) + 1000;
  return [...calls, { ...change(structuredClone(found) as Call), start, end: start + 100 }];
}

/** Invalid requests with an invalid reply. The host is at fault for the reply. */
const answers: readonly Operator[] = [
  ...(['saveRedeemDetails', 'updateRedeemStatus'] as const).flatMap((operation) => {
    const statement = operation === 'saveRedeemDetails' ? 'X3' : 'X4';
    const wrong = [
      ...[400, 409, 404].map((status) => answered(status, { error: 'missing' })),
      answered(200, { success: true, status: 200 }),
    ];
    const make = [...wrong, ...wrongMessages.map((text) => answered(422, refusal(text)))];
    return make.map((answer, index) =>
      call(
        statement,
        'host',
        operation,
        200,
        `an empty body, answered wrongly (${index})`,
        (one) => answer({ ...one, body: {} }),
        1,
      ),
    );
  }),
  call('B1 X2', 'host', 'getProfileAndPoints', 200, 'no token, and 200', bare, 2),
  ...['creditPoints', 'saveRedeemDetails', 'updateRedeemStatus'].map((operation) =>
    call('B1 B8', 'host', operation, 200, 'no token, and 200', bare, 2),
  ),
  ...['Invalid token', 'Token is invalid', 'TOKEN INVALID', 'Invalid Token.', 'The token has expired'].map((text) =>
    call('X2', 'host', 'getProfileAndPoints', 422, `"${text}"`, answered(422, refusal(text)), 1),
  ),
  ...[404, 422, 409].map((status) =>
    call(
      'X6',
      'host',
      'listRewards',
      200,
      `${status} to an invalid type`,
      (one) => ({ ...answered(status, { error: 'type' })(one), query: { type: 'bad' } }),
      1,
    ),
  ),
  call(
    'X6',
    'host',
    'listRewards',
    400,
    'the message of code 50 under another code',
    (one) => ({
      ...one,
      query: { type: 'bad' },
      reply: { ...one.reply, code: 7, message: 'Invalid type filter value' },
    }),
    1,
  ),
];

const codes = ['RDM-000001-9K2QX4', 'RDM-000003-LOSTRE', 'RDM-000005-GENERA'];
const [firstCode = '', secondCode = '', generalCode = ''] = codes;
const refused = (calls: readonly Call[], code: string) =>
  calls.map((one) =>
    about('saveRedeemDetails', code)(one) ? answered(422, refusal('Points have changed.'))(one) : one,
  );

const missing: readonly Operator[] = [
  ...['UPI-20260112-1', 'UPI-20260112-2'].map((id) =>
    whole('G8 M2', 'host', `${id} is never credited`, (calls) =>
      without(calls, (one) => one.operation === 'creditPoints' && one.body?.transactionId === id),
    ),
  ),
  ...[firstCode, secondCode].flatMap((code) => [
    whole('G15', 'host', `a voucher of ${code}, and no Delivered`, (calls) =>
      without(calls, about('updateRedeemStatus', code)),
    ),
    whole('S4', 'caller', `Delivered for ${code}, which the client refused`, (calls) => refused(calls, code)),
  ]),
  ...(['Delivered', 'Rejected'] as const).map((status) =>
    whole(
      status === 'Delivered' ? 'G15' : 'G16',
      'host',
      `an order is shown as ${status}, which is never reported`,
      (calls) => {
        const order = calls.find(({ operation }) => operation === 'createProductOrder');
        const line = ((order?.reply?.lines ?? []) as Json[])[0];
        return added(
          without(calls, about('updateRedeemStatus', generalCode)),
          ({ operation }) => operation === 'getOrderStatus',
          (one) => ({
            ...one,
            query: { order_id: 'ORD-000020-GEN' },
            reply: { ...order?.reply, status, lines: [{ ...line, status }] },
          }),
        );
      },
    ),
  ),
  whole('E8', 'host', 'a failed order of version 2 is never reversed', (calls) =>
    without(calls, (one) => one.operation === 'reversePoints'),
  ),
  whole('E8', 'caller', 'a reversal of nothing', (calls) =>
    added(
      calls,
      ({ operation }) => operation === 'reversePoints',
      (one) => withBody(one, { redeem_code: 'RDM-NOTHING' }),
    ),
  ),
  ...codes.map((code) =>
    whole('G13 S3 B9', 'host', `an order is taken although the client refused ${code}`, (calls) =>
      without(refused(calls, code), about('updateRedeemStatus', code)),
    ),
  ),
  whole('G16', 'host', 'an order fails after its deduction, and nothing follows', (calls) =>
    without(
      calls.map((one) =>
        one.operation === 'createRedemptionOrder' && JSON.stringify(one.reply).includes(firstCode)
          ? answered(502)(one)
          : one,
      ),
      about('updateRedeemStatus', firstCode),
      ({ operation }) => operation === 'getWalletDetail',
    ),
  ),
  whole('T2', 'caller', 'a JWT at version 2 that no sign-in issued', (calls) =>
    calls.map((one) => {
      const forged = `Bearer eyJhbGciOiJIUzI1NiJ9.${Buffer.from('{"n":1}').toString('base64url')}.Zm9yZ2Vk`;
      return one.operation === 'createOrder' ? { ...one, headers: { ...one.headers, authorization: forged } } : one;
    }),
  ),
];

/** Returns a change that shows an order with another status for its first line. */
const shownAs = (status: string) => (one: Call) => {
  const [first, ...lines] = (one.reply?.lines ?? []) as Json[];
  return { ...one, reply: { ...one.reply, status: 'Pending', lines: [{ ...first, status }, ...lines] } };
};

const contradictory: readonly Operator[] = [
  whole('R13', 'host', 'an order with the code of another', (calls) => {
    const orders = calls.filter(({ operation, status }) => operation === 'createRedemptionOrder' && status === 200);
    const [line] = (orders[0]?.reply?.lines ?? []) as Json[];
    return calls.map((one) =>
      one === orders.at(-1) ? { ...one, reply: { ...one.reply, lines: [{ ...line, quantity: 1 }] } } : one,
    );
  }),
  whole('S6', 'host', 'an order is Rejected, then Delivered', (calls) =>
    added(
      calls.map((one) => (one.operation === 'getOrderStatus' ? shownAs('Rejected')(one) : one)),
      ({ operation }) => operation === 'getOrderStatus',
      shownAs('Delivered'),
    ),
  ),
  ...codes.flatMap((code) =>
    (['Rejected', 'Pending'] as const).map((status) =>
      whole('S4 S5', 'caller', `${code} is Delivered, then ${status}, which the client refuses`, (calls) =>
        added(calls, about('updateRedeemStatus', code, 'Delivered'), (one) =>
          answered(422, refusal('It is Delivered.'))(withBody(one, { status, orderStatus: status })),
        ),
      ),
    ),
  ),
  ...(['Delivered', 'Pending'] as const).map((status) =>
    whole('S6', 'caller', `Rejected, then ${status}, which the client refuses`, (calls) =>
      added(calls, about('updateRedeemStatus', 'RDM-000002-M7TB3D', 'Rejected'), (one) =>
        answered(422, refusal('It is Rejected.'))(withBody(one, { status, orderStatus: status })),
      ),
    ),
  ),
  ...(['Pending', 'Rejected'] as const).map((status) =>
    whole('S4', 'host', `an order is Delivered, then ${status}`, (calls) =>
      added(calls, ({ operation }) => operation === 'getOrderStatus', shownAs(status)),
    ),
  ),
];

/** Points that move without a reason, in generated conversations. */
const moved: readonly Operator[] = [11, 12, 13, 14, 15, 16].flatMap((seed) =>
  ([1, -1, 500] as const).map(
    (off): Operator =>
      () => {
        const calls = conversation(seed);
        const last = calls.findLastIndex(
          ({ operation, status }) => operation === 'saveRedeemDetails' && status === 200,
        );
        const changed = calls.map((one, index) => {
          if (index < last || one.operation !== 'getProfileAndPoints' || one.query.uid !== calls[last]?.body?.uid)
            return one;
          const points = one.reply?.points as Json;
          return { ...one, reply: { ...one.reply, points: { ...points, balance: Number(points.balance) + off } } };
        });
        const statements = 'B7 S3 B14 R17 S8 R21 S5'.split(' ');
        return [
          { statements, party: 'host', title: `a balance is off by ${off} (conversation ${seed})`, calls: changed },
        ];
      },
  ),
);

export const deviations: readonly Operator[] = [...answers, ...missing, ...contradictory, ...moved];

const each =
  (operation: string, change: (one: Call) => Call) =>
  (calls: readonly Call[]): readonly Call[] =>
    calls.map((one) => (one.operation === operation && (one.status ?? 500) < 300 ? change(one) : one));
/** Makes a customer's first balance after a call equal to the one before it, so that the change appears to happen later. */
const late = (operation: string, seed: number) => (): readonly Call[] => {
  const calls = conversation(seed);
  const readsOf = (uid: unknown) => (one: Call) => one.operation === 'getProfileAndPoints' && one.query.uid === uid;
  const at = calls.findIndex(
    (one, index) =>
      one.operation === operation && one.status === 200 && calls.slice(index).filter(readsOf(one.body?.uid)).length > 1,
  );
  const reads = readsOf(calls[at]?.body?.uid);
  const before = calls.slice(0, at).findLast(reads);
  const first = calls.findIndex((one, index) => index > at && reads(one));
  return calls.map((one, index) => (index === first ? { ...one, reply: before?.reply } : one));
};

/** Deviations from behaviour that the interface does not state. None of them may be an error. */
export const unstated: Readonly<Record<string, (calls: readonly Call[]) => readonly Call[]>> = {
  'another answer to a credit': each('creditPoints', answered(201, { credited: true })),
  'no answer to a credit': each('creditPoints', answered(204)),
  'a credit that is refused with 409': (calls) =>
    calls.map((one) =>
      one.operation === 'creditPoints' && one.status === 422 ? answered(409, { error: 'unknown' })(one) : one,
    ),
  'another form of an order': each('createRedemptionOrder', answered(201, { id: 'A-1', state: 'accepted' })),
  'another form of an order status': each('getOrderStatus', answered(200, { id: 'A-1', state: 'done' })),
  'another form of the catalogue of version 2': each('listCatalog', answered(200, { catalogue: [] })),
  'another form of the points of version 2': each('getCustomerPoints', answered(200, { available: 7 })),
  'another answer to an OTP': each('generateOtp', (one) => answered(202, { ref: one.reply?.reference_id })(one)),
  'no voucher after Delivered': each('getWalletDetail', (one) => ({ ...one, reply: { ...one.reply, data: [] } })),
  'a wallet that is read before Delivered': (calls) => {
    const wallet = calls.find(({ operation }) => operation === 'getWalletDetail');
    const update = calls.find(({ operation }) => operation === 'updateRedeemStatus');
    if (wallet === undefined || update === undefined) return calls;
    const early = { ...wallet, start: update.start - 20, end: update.start - 10 };
    return calls.flatMap((one) => (one === update ? [early, one] : [one]));
  },
  'a bonus of the client between two balances': () => {
    const calls = conversation(3);
    const uid = calls.findLast(({ operation }) => operation === 'getProfileAndPoints')?.query.uid;
    const last = calls.findLast((one) => one.operation === 'getProfileAndPoints' && one.query.uid === uid);
    const points = last?.reply?.points as Json;
    const richer = { ...last, start: Number(last?.end) + 10, end: Number(last?.end) + 20 } as Call;
    return [
      ...calls,
      { ...richer, reply: { ...richer.reply, points: { ...points, balance: Number(points.balance) + 77 } } },
    ];
  },
  'listings that are refused with 403 and 429': (calls) => [
    ...calls,
    ...calls
      .filter(({ operation }) => operation === 'listRewards')
      .flatMap((one) => [403, 429].map((status) => answered(status)(one))),
  ],
  'a client that fails with 503': (calls) => [
    ...calls.filter(({ server }) => server === 'client').map(answered(503)),
    ...calls,
  ],
  'an empty record with an invalid token': (calls) => [
    ...calls,
    ...calls
      .filter(about('saveRedeemDetails', 'RDM-000001-9K2QX4'))
      .map((one) => ({ ...answered(401, { error: 'token' })(one), body: {} })),
  ],
  'points that are deducted a while later': late('saveRedeemDetails', 5),
  'points that are credited a while later': late('creditPoints', 5),
};
