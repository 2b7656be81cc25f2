/** The server's operations, by path. */
import { type Caller, type For, mayAsk } from './access.ts';
import { type Body, type Fields, fingerprint } from './fields.ts';
import type { Ledger } from './ledger.ts';
import type { Has } from './mistakes.ts';
import { done, type Reply, refuse, success } from './replies.ts';
import type { PartnerSettings } from './settings.ts';
import type { SignIn } from './sign-in.ts';

/** A validated call. Its query or body has all fields. */
export interface Call {
  readonly body: Body;
  readonly caller: Caller;
  /** Resolves to whether the caller disconnected before the reply. */
  readonly callerLeft: () => Promise<boolean>;
}

/** An operation with its method, its permitted callers and its handler. */
export interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly whom: For;
  /** The query parameter of an operation without a body. */
  readonly query?: string;
  readonly run: (call: Call) => Reply | Promise<Reply>;
}

/** The server components that operations use. */
export interface Parts {
  readonly settings: PartnerSettings;
  readonly ledger: Ledger;
  readonly signIn: SignIn;
  readonly fields: Readonly<Record<string, Fields>>;
  readonly has: Has;
}

/** Returns all operations by path. */
export function operationsOf(parts: Parts): Readonly<Record<string, Operation>> {
  const { signIn } = parts;
  const post = { method: 'POST' } as const;
  const operation = (name: string, whom: For, run: Operation['run']) => ({ ...post, name, whom, run });
  return {
    '/getProfileAndPoints': {
      ...operation('getProfileAndPoints', 'either', (call) => profile(parts, call)),
      query: 'uid',
    },
    '/creditPoints': operation('creditPoints', 'service', (call) => credit(parts, call)),
    '/saveRedeemDetails': operation('saveRedeemDetails', 'either', (call) => save(parts, call)),
    '/updateRedeemStatus': operation('updateRedeemStatus', 'service', (call) => update(parts, call)),
    '/api/v1/auth/generate-otp': operation('generateOtp', 'microsite', ({ body }) => signIn.generate(body)),
    '/api/v1/auth/verify-otp': operation('verifyOtp', 'microsite', ({ body }) => signIn.verify(body)),
    '/api/v1/customer/points': {
      ...operation('getCustomerPoints', 'either', (call) => customerPoints(parts, call)),
      method: 'GET',
      query: 'customer_id',
    },
    '/api/v1/orders/redeem': operation('redeemPoints', 'either', (call) => redeem(parts, call)),
    '/api/v1/orders/reverse': operation('reversePoints', 'service', (call) => reverse(parts, call)),
  };
}

/** Returns the refusal if the caller may not read this customer or the customer is unknown. */
function refusalFor({ ledger, has }: Parts, caller: Caller, uid: string): Reply | undefined {
  if (!mayAsk(caller, uid, has)) return refuse('token_invalid', { 'www-authenticate': 'Bearer' });
  return ledger.points(uid, 1) === undefined ? refuse('unknown_customer') : undefined;
}

function profile(parts: Parts, { body, caller }: Call): Reply {
  const uid = String(body.uid);
  return (
    refusalFor(parts, caller, uid) ??
    success({ profile: profileOf(uid, parts.settings.projectCode), points: parts.ledger.points(uid, 1) })
  );
}

function customerPoints(parts: Parts, { body, caller }: Call): Reply {
  const uid = String(body.customer_id);
  const points = parts.ledger.points(uid, 2);
  if (points === undefined && parts.has('v2-unknown-customer'))
    return success({ customer_id: uid, points: { totalEarned: 0, balance: 0, totalRedeemed: 0 } });
  return refusalFor(parts, caller, uid) ?? success({ customer_id: uid, points });
}

function credit({ ledger, fields, has }: Parts, { body, callerLeft }: Call): Promise<Reply> {
  const [uid, transactionId] = [String(body.uid), String(body.transactionId)];
  const points = has('credit-exponent') ? Number(body.points) : Number.parseInt(String(body.points), 10);
  const print = fingerprint(body, fields.creditPoints ?? {});
  return ledger.credit({ uid, transactionId, points, fingerprint: print }, callerLeft);
}

async function save(parts: Parts, { body, caller, callerLeft }: Call): Promise<Reply> {
  const { ledger, fields, has } = parts;
  const uid = String(body.uid);
  const isUnknown = ledger.points(uid, 1) === undefined && has('deduct-unknown-customer');
  const refusal = refusalFor(parts, caller, uid);
  if (isUnknown) return done;
  if (refusal !== undefined) return refusal;
  if (body.scheme !== parts.settings.projectCode && !has('deduct-unknown-scheme')) return refuse('unknown_project');
  const [points, redeemPoints] = [whole(body.totalPointWithProcessingFee), whole(body.redeemPoints)];
  if (!addsUp(body) && !has('deduct-unlike-sum')) return refuse('points_mismatch');
  const print = fingerprint(body, fields.saveRedeemDetails ?? {});
  return ledger.deduct(String(body.redeemCode), { uid, points, redeemPoints, fingerprint: print }, 1, callerLeft);
}

function whole(value: unknown): number {
  return Number.parseInt(String(value), 10);
}

function addsUp(body: Body): boolean {
  const number = (name: string) => Number(body[name]);
  const total = number('redeemPoints') + number('tdsSingleItem') * number('quantity');
  const withFee = number('totalpoints') + number('processingFee');
  return number('totalpoints') === total && number('totalPointWithProcessingFee') === withFee;
}

function update({ ledger, settings, has }: Parts, { body, callerLeft }: Call): Reply | Promise<Reply> {
  if (body.status !== body.orderStatus && !has('status-mismatch')) return refuse('status_mismatch');
  if (body.projectCode !== settings.projectCode && !has('foreign-project')) return refuse('unknown_project');
  const status = String(body.status).toLowerCase();
  const states = { pending: 'Pending', delivered: 'Delivered', rejected: 'Rejected' } as const;
  return ledger.report(String(body.redeemCode), states[status as keyof typeof states], 1, callerLeft);
}

async function redeem(parts: Parts, { body, caller, callerLeft }: Call): Promise<Reply> {
  const { ledger, fields } = parts;
  const uid = String(body.customer_id);
  const refusal = refusalFor(parts, caller, uid);
  if (refusal !== undefined) return refusal;
  const points = Number(body.points);
  const print = fingerprint(body, fields.redeemPoints ?? {});
  const deduction = { uid, points, redeemPoints: points, fingerprint: print };
  return withBalance(
    parts,
    () => uid,
    () => ledger.deduct(String(body.redeem_code), deduction, 2, callerLeft),
  );
}

function reverse(parts: Parts, { body }: Call): Promise<Reply> {
  const { ledger } = parts;
  const code = String(body.redeem_code);
  return withBalance(
    parts,
    () => ledger.holder(code),
    () => ledger.reverse(code, Number(body.points)),
  );
}

/** Returns the reply with the balance after the work. */
async function withBalance(
  { ledger, has }: Parts,
  holder: () => string | undefined,
  work: () => Promise<Reply>,
): Promise<Reply> {
  const read = () => ledger.points(holder() ?? '', 2)?.balance ?? 0;
  const before = read();
  const reply = await work();
  if (reply.status !== 200) return reply;
  return success({ success: true, status: 200, balance: has('v2-balance-before') ? before : read() });
}

function profileOf(uid: string, projectCode: string) {
  const person = { uid, name: 'Asha Rao', email: 'asha.rao@example.com', mobileNo: '9000000001', dob: '14/08/1991' };
  const address = { address1: '4 Mill Road', address2: '', city: 'Pune', pincode: 411_001, state: 27 };
  const kind = { cus_type: 'INDIVIDUAL', partnerType: 'RETAIL', pan: 'ABCXE1234F', panVerifiedStatus: 'VERIFIED' };
  return {
    ...person,
    ...address,
    ...kind,
    mdate: '',
    projectCode,
    projectName: 'Demo Rewards',
    projectId: 101,
  };
}
