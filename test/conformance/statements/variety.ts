/** Valid recordings: the golden one in other forms, or with other choices at the interface's open points. */
import type { Call, Json } from './recording.ts';

export interface Variety {
  readonly title: string;
  readonly make: (calls: Call[]) => readonly Call[];
  /** The open points whose assumptions the recording violates. */
  readonly warns?: readonly string[];
  /** Whether the check treats the recording as part of the traffic. */
  readonly partial?: boolean;
}

const each =
  (operation: string, change: (call: Call) => Call) =>
  (calls: Call[]): readonly Call[] =>
    calls.map((call) => (call.operation === operation ? change(call) : call));
const inReply = (operation: string, change: (reply: Json) => Json): Variety['make'] =>
  each(operation, (call) =>
    call.reply !== undefined && (call.status ?? 0) < 300 ? { ...call, reply: change(call.reply) } : call,
  );
/** Changes every call. */
const all =
  (change: (call: Call) => Call): Variety['make'] =>
  (calls) =>
    calls.map(change);
const inBody = (operation: string, change: (body: Json) => Json): Variety['make'] =>
  each(operation, (call) => (call.body === undefined ? call : { ...call, body: change(call.body) }));
const gap =
  (...operations: readonly string[]): Variety['make'] =>
  (calls) =>
    calls.filter(({ operation }) => !operations.includes(operation));

/** Adds fields to every reply of a server. */
const withMore = (server: Call['server'], fields: Json): Variety['make'] =>
  all((call) =>
    call.server === server && call.reply !== undefined ? { ...call, reply: { ...call.reply, ...fields } } : call,
  );

/** Reverses the order of a value's keys. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, reversed(one)]),
  );
}

/** Shuffles values deterministically. */
function shuffled<T>(values: readonly T[]): T[] {
  const keyed = values.map((value, index) => ({ value, key: ((index * 7919) % 104_729) % values.length }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value);
}

const skewed = (server: Call['server'], milliseconds: number): Variety['make'] =>
  all((call) =>
    call.server === server ? { ...call, start: call.start + milliseconds, end: call.end + milliseconds } : call,
  );
const byStart = (calls: readonly Call[]): readonly Call[] => calls.toSorted((one, other) => one.start - other.start);
const clientFails =
  (operation: string, status: number): Variety['make'] =>
  (calls) =>
    calls.flatMap((call) => {
      if (call.operation !== operation || call.status !== 200) return [call];
      return [{ ...structuredClone(call), status, reply: { oops: true } }, call];
    });
const isRejection = ({ operation, body }: Call) => operation === 'updateRedeemStatus' && body?.status === 'Rejected';
const masked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      /token|otp|voucherCode|pin|secret/i.test(key) && typeof one === 'string' ? '***' : masked(one),
    ]),
  );
};

/** Appends calls one after another, two hours later. */
function later(calls: readonly Call[], more: readonly Call[]): readonly Call[] {
  const start = Math.max(...calls.map(({ end }) => end)) + 7_200_000;
  return [...calls, ...more.map((call, n) => ({ ...call, start: start + n * 100, end: start + n * 100 + 50 }))];
}

/** Repeats the journeys later, for other customers. */
function anotherRun(calls: readonly Call[]): readonly Call[] {
  const text = JSON.stringify(calls).replaceAll(/RDM-|UPI-|ORD-|CUST|SPICE-|OTP-|key-of-|cursor-|MSG-/g, '$&B-');
  const later = 10_000_000;
  return (JSON.parse(text) as Call[]).map((call) => ({ ...call, start: call.start + later, end: call.end + later }));
}

export const varieties: readonly Variety[] = [
  {
    title: 'fields in another order',
    make: all((call) => ({ ...call, body: reversed(call.body) as Json, reply: reversed(call.reply) as Json })),
  },
  {
    title: 'more fields in every reply of the client',
    make: withMore('client', { more: { of: ['the', 'client'] } }),
  },
  {
    title: 'more fields in every reply of the platform',
    make: withMore('rewards', { request_id: 'r-1' }),
  },
  {
    title: 'the company token under another name',
    make: inReply('companyAuth', ({ token, ...rest }) => ({ ...rest, accessToken: token })),
    warns: ['OP-02'],
  },
  {
    title: 'the company token in an envelope',
    make: inReply('companyAuth', ({ token }) => ({ data: { token } })),
    warns: ['OP-02'],
  },
  {
    title: 'JWT and points of verify-otp under other names',
    make: inReply('verifyOtp', ({ token, points }) => ({ jwt: token, pointsInfo: points })),
    warns: ['OP-18'],
  },
  {
    title: 'the access token under another name',
    make: inReply('login', ({ access_token: token }) => ({ token })),
    warns: ['OP-28'],
  },
  {
    title: 'orders without uid in their body',
    make: inBody('createRedemptionOrder', ({ uid: _, ...rest }) => rest),
    warns: ['OP-05'],
  },
  {
    title: 'SKU in place of sku',
    make: inBody('createRedemptionOrder', (body) => ({
      ...body,
      line_items: (body.line_items as Json[]).map(({ sku, ...line }) => ({ SKU: sku, ...line })),
    })),
    warns: ['OP-05'],
  },
  {
    title: 'an order whose reply has its id only',
    make: inReply('createRedemptionOrder', ({ order_id }) => ({ id: order_id })),
    warns: ['OP-05', 'OP-06', 'OP-08'],
  },
  {
    title: 'references under another name',
    make: inReply('generateOtp', ({ reference_id, ...rest }) => ({ ...rest, ref: reference_id })),
    warns: ['OP-18'],
  },
  {
    title: 'the recording begins after the sign-ins',
    make: gap('companyAuth', 'login', 'generateOtp', 'verifyOtp'),
    partial: true,
  },
  {
    title: 'the recording begins in the middle',
    make: (calls) => calls.slice(Math.floor(calls.length / 2)),
    partial: true,
  },
  {
    title: 'the recording ends in the middle',
    make: (calls) => calls.slice(0, Math.floor(calls.length / 2)),
    partial: true,
  },
  {
    title: 'every second call is missing',
    make: (calls) => calls.filter((_, index) => index % 2 === 0),
    partial: true,
  },
  { title: 'every third call is missing', make: (calls) => calls.filter((_, index) => index % 3 !== 0), partial: true },
  { title: 'records are missing', make: gap('saveRedeemDetails', 'redeemPoints'), partial: true },
  { title: 'status updates are missing', make: gap('updateRedeemStatus', 'reversePoints'), partial: true },
  { title: 'payments are missing', make: gap('sendPaymentEvent'), partial: true },
  { title: 'credits are missing', make: gap('creditPoints'), partial: true },
  { title: 'profiles are missing', make: gap('getProfileAndPoints'), partial: true },
  {
    title: 'only what the client hosts',
    make: (calls) => calls.filter(({ server }) => server === 'client'),
    partial: true,
  },
  {
    title: 'only what the platform hosts',
    make: (calls) => calls.filter(({ server }) => server !== 'client'),
    partial: true,
  },
  { title: 'calls in a shuffled order', make: shuffled, partial: true },
  { title: 'calls in reverse order', make: (calls) => calls.toReversed(), partial: true },
  { title: 'calls by start time, as browsers write them', make: byStart },
  {
    title: 'calls without a time',
    make: all((call) => ({ ...call, start: Number.NaN, end: Number.NaN })),
    partial: true,
  },
  {
    title: 'calls that all start at the same time',
    make: all((call) => ({ ...call, start: 1e12, end: 1e12 + 50 })),
    partial: true,
  },
  { title: 'the clock of the client is an hour behind', make: skewed('client', -3_600_000), partial: true },
  { title: 'the clock of the client is an hour ahead', make: skewed('client', 3_600_000), partial: true },
  {
    title: 'the clock of the client is half a second behind, and the calls are sorted by it',
    make: (calls) => byStart(skewed('client', -500)(calls)),
    partial: true,
  },
  { title: 'credits whose first reply was lost', make: clientFails('creditPoints', 503) },
  { title: 'records whose first reply was lost', make: clientFails('saveRedeemDetails', 503) },
  { title: 'updates whose first reply was lost', make: clientFails('updateRedeemStatus', 500) },
  {
    title: 'updates that are sent three times',
    make: (calls) =>
      calls.flatMap((call) =>
        call.operation === 'updateRedeemStatus' && call.status === 200
          ? [call, structuredClone(call), structuredClone(call)]
          : [call],
      ),
  },
  {
    title: 'secrets masked',
    make: all((call) => ({
      ...call,
      body: masked(call.body) as Json,
      reply: masked(call.reply) as Json,
      headers: { ...call.headers, ...(call.headers.authorization !== undefined && { authorization: '***' }) },
    })),
    partial: true,
  },
  {
    title: 'two complete runs in one recording, each with its own ids',
    make: (calls) => [...calls, ...anotherRun(calls)],
  },
  {
    title: 'a client that refuses an update because it rejects the order itself, and then gets Rejected',
    make: (calls) =>
      calls.flatMap((call, index) => {
        const isSame = (one: typeof call) => isRejection(one) && one.body?.redeemCode === call.body?.redeemCode;
        if (!isRejection(call) || calls.findIndex(isSame) !== index) return [call];
        const body = { ...call.body, status: 'Delivered', orderStatus: 'Delivered' };
        const data = {
          name: 'Unprocessable entity',
          message: 'Rejected at our end.',
          code: 0,
          status: 422,
          type: 'Refused',
        };
        return [{ ...structuredClone(call), body, status: 422, reply: { success: false, status: 422, data } }, call];
      }),
  },
  {
    title: 'a client that credits points for reasons of its own',
    make: (calls) =>
      calls.map((call, index) => {
        if (call.operation !== 'getProfileAndPoints' || call.status !== 200 || index <= 40) return call;
        const points = call.reply?.points as Json;
        return { ...call, reply: { ...call.reply, points: { ...points, balance: Number(points.balance) + 13 } } };
      }),
    partial: true,
  },
  {
    title: 'refusals by statuses of the client’s own',
    make: each('saveRedeemDetails', (call) => (call.status === 422 ? { ...call, status: 409 } : call)),
  },
  {
    title: 'refusals with 402 when the balance is too small',
    make: each('saveRedeemDetails', (call) => (call.status === 422 ? { ...call, status: 402 } : call)),
    warns: ['OP-101'],
  },
  {
    title: 'wallets without a PIN',
    make: inReply('getWalletDetail', (reply) => ({
      ...reply,
      data: (reply.data as Json[]).map((voucher) => ({ ...voucher, pin: null })),
    })),
  },
  {
    title: 'wallets in another order',
    make: inReply('getWalletDetail', (reply) => ({ ...reply, data: (reply.data as Json[]).toReversed() })),
    warns: ['OP-27'],
  },
  {
    title: 'a date of birth without zeros in front',
    make: inReply('getProfileAndPoints', (reply) => ({
      ...reply,
      profile: { ...(reply.profile as Json), dob: '4/8/1991' },
    })),
  },
  {
    title: 'an empty e-mail address, and a filled mdate',
    make: inReply('getProfileAndPoints', (reply) => ({
      ...reply,
      profile: { ...(reply.profile as Json), email: '', mdate: '03/05/2015' },
    })),
  },
  {
    title: 'a customer_id that is not the uid',
    make: all((call) =>
      ['generateOtp', 'verifyOtp'].includes(call.operation)
        ? { ...call, body: { ...call.body, customer_id: `CARD-${call.body?.customer_id}` } }
        : call,
    ),
    warns: ['OP-19'],
  },
  {
    title: 'a voucher of 1,000 delivered as two of 500',
    make: inReply('getWalletDetail', (reply) => ({
      ...reply,
      data: (reply.data as Json[]).flatMap((voucher) => [
        voucher,
        { ...voucher, voucherCode: `${voucher.voucherCode}-SECOND` },
        { ...voucher, voucherCode: `${voucher.voucherCode}-THIRD` },
      ]),
    })),
    warns: ['OP-27'],
  },
  {
    title: 'points that are back a while after the client took the rejection',
    make: (calls) => {
      const index = calls.findIndex(isRejection);
      const code = calls[index]?.body?.redeemCode;
      const record = calls.find((call) => call.operation === 'saveRedeemDetails' && call.body?.redeemCode === code);
      const first = calls.findIndex(
        (call, at) =>
          at > index &&
          call.operation === 'getProfileAndPoints' &&
          call.status === 200 &&
          call.query.uid === record?.body?.uid,
      );
      const points = calls[first]?.reply?.points as Json;
      const missing = Number(record?.body?.totalPointWithProcessingFee);
      const late = { ...points, balance: Number(points.balance) - missing };
      return calls.map((call, at) => (at === first ? { ...call, reply: { ...call.reply, points: late } } : call));
    },
    warns: ['OP-21'],
  },
  {
    title: 'the scheme of the credential in small letters (RFC 9110, 11.1)',
    make: all((call) => {
      const { authorization } = call.headers;
      if (authorization === undefined) return call;
      return { ...call, headers: { ...call.headers, authorization: authorization.replace('Bearer', 'bearer') } };
    }),
  },
  {
    title: 'a company token of one character',
    make: (calls) => {
      const token = String(calls.find(({ operation }) => operation === 'companyAuth')?.reply?.token);
      return JSON.parse(JSON.stringify(calls).replaceAll(token, '7')) as Call[];
    },
  },
  {
    title: '401 to invalid tokens at every operation where the interface leaves the status open',
    make: (calls) =>
      calls.map((call) =>
        ['creditPoints', 'saveRedeemDetails', 'updateRedeemStatus'].includes(call.operation) && call.status === 422
          ? { ...call, status: 401, reply: { error: 'invalid_token' } }
          : call,
      ),
    warns: ['OP-15', 'OP-101'],
  },
  {
    title: 'order statuses that show a delivery and a failure as reported',
    make: (calls) => {
      const asked = calls.find(({ operation }) => operation === 'getOrderStatus');
      const placed = calls.filter(({ operation, status }) => operation === 'createRedemptionOrder' && status === 200);
      const shown = ['Delivered', 'Rejected'].map((status, index) => {
        const reply = placed[index]?.reply;
        const lines = ((reply?.lines ?? []) as Json[]).map((line) => ({ ...line, status }));
        const query = { order_id: String(reply?.order_id) };
        return { query, reply: { ...reply, status, lines } };
      });
      return later(
        calls,
        shown.map((one) => ({ ...asked, ...one }) as Call),
      );
    },
  },
  {
    title: 'fifty items on a page without a limit',
    make: (calls) =>
      calls.map((call) => {
        const { items } = (call.reply ?? {}) as { items?: readonly Json[] };
        if (call.operation !== 'listRewards' || call.query.limit !== undefined || items === undefined) return call;
        const more = Array.from({ length: 50 - items.length }, (_, n) => ({ ...items[0], id: 1000 + n }));
        return { ...call, reply: { ...call.reply, items: [...items, ...more] } };
      }),
  },
  {
    title: 'a thousand calls within an hour',
    make: (calls) => {
      const [page] = calls.filter(({ operation, status }) => operation === 'listRewards' && status === 200);
      return later(
        calls,
        Array.from({ length: 1000 }, () => page as Call),
      );
    },
  },
];
