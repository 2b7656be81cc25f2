/** The rules for every example's server: the same table for every language. */
import { expect } from 'vitest';
import { mandatory, tokenInvalid, wrapped } from '../harness/envelopes.ts';
import { raw } from '../harness/sandbox.ts';
import {
  balance,
  basic,
  code,
  credit,
  done,
  fresh,
  jwt,
  post,
  profile,
  record,
  save,
  service,
  tell,
  verify,
} from './calls.ts';
import { edges } from './edges.ts';
import type { ExampleServer } from './servers.ts';

export interface Rule {
  readonly title: string;
  readonly holds: (server: ExampleServer) => Promise<void>;
}

const rejected = wrapped(422, 'Order already Rejected.');
const delivered = wrapped(422, 'Order already Delivered.');
const unknownCode = wrapped(422, 'Unknown redeemCode.');
const unknownReference = wrapped(422, 'Unknown reference_id.');
const conflict = wrapped(422, 'redeemCode was used with other values.');
const pointsChanged = wrapped(422, 'User points have changed.');

/** Expects that an action changes no balance. */
async function keepsBalance(server: ExampleServer, act: () => Promise<unknown>): Promise<void> {
  const before = await balance(server);
  await act();
  expect(await balance(server)).toBe(before);
}

const ten = Array.from({ length: 10 });

const points: readonly Rule[] = [
  {
    title: "B2, B3: profile and points have all fields, with the service token and with the customer's",
    async holds(server) {
      const { status, body } = await profile(server);
      expect(status).toBe(200);
      const [text, number] = [expect.any(String), expect.any(Number)];
      const address = { address1: text, address2: text, city: text, pincode: number, state: number };
      const kinds = { cus_type: text, partnerType: text, pan: text, panVerifiedStatus: text };
      const project = { projectCode: 'DEMO01', projectName: text, projectId: number };
      const person = { uid: 'CUST0001', name: text, email: text, mobileNo: '5000000001', dob: text, mdate: text };
      expect(body).toEqual({
        profile: { ...person, ...address, ...kinds, ...project },
        points: { totalEarned: number, balance: number, totalRedeemed: number },
      });
      expect(body.points.balance).toBe(body.points.totalEarned - body.points.totalRedeemed);
      expect(await profile(server, 'CUST0001', `Bearer ${await jwt(server)}`)).toEqual({ status, body });
    },
  },
  {
    title: 'OP-16: a transactionId credits once; a repeat is 200, or 422 with other values',
    async holds(server) {
      const [before, id] = [await balance(server), fresh('TXN')];
      expect(await credit(server, id)).toEqual(done);
      expect(await credit(server, id)).toEqual(done);
      const usedId = wrapped(422, 'transactionId was used with other values.');
      for (const other of [{ points: '25' }, { uid: 'CUST0002' }, { paymentAmount: '1' }, { eventType: 'OTHER' }]) {
        expect(await credit(server, id, other)).toEqual(usedId);
      }
      expect(await balance(server)).toBe(before + 24);
    },
  },
  {
    title: 'OP-16: ten concurrent credits of one transactionId have one effect',
    async holds(server) {
      const [before, id] = [await balance(server), fresh('TXN')];
      const answers = await Promise.all(ten.map(() => credit(server, id)));
      expect(answers).toEqual(ten.map(() => done));
      expect(await balance(server)).toBe(before + 24);
    },
  },
  {
    title:
      'OP-09: a credit that is malformed, for an unknown customer, or beyond the limit of an account credits nothing',
    async holds(server) {
      await keepsBalance(server, async () => {
        for (const points of ['', '01', '-1', '1.0', '1e3', ' 1', '1\n', '1000000000000000', 24, null]) {
          expect(await credit(server, fresh('TXN'), { points })).toEqual(mandatory);
        }
        for (const field of ['uid', 'eventType', 'transactionId', 'paymentAmount']) {
          for (const value of ['', undefined, 5]) {
            expect(await credit(server, fresh('TXN'), { [field]: value })).toEqual(mandatory);
          }
        }
        for (const paymentAmount of ['1.234', '1,5', '-1', 'x']) {
          expect(await credit(server, fresh('TXN'), { paymentAmount })).toEqual(mandatory);
        }
        expect(await credit(server, fresh('TXN'), { uid: 'NOBODY' })).toEqual(wrapped(422, 'Unknown customer.'));
        const most = await credit(server, fresh('TXN'), { points: '999999999999999' });
        expect(most.status).toBe(422);
      });
    },
  },
];

const deductions: readonly Rule[] = [
  {
    title:
      'B7, OP-08: totalPointWithProcessingFee is deducted, once per redeemCode; a repeat is 200, or 422 with other values',
    async holds(server) {
      const [before, id] = [await balance(server), fresh('RDM')];
      const fee = { processingFee: '49', tdsSingleItem: '2', quantity: '3', totalpoints: '506' };
      const total = { ...fee, totalPointWithProcessingFee: '555', shippingAddress: '12 Lake View Road' };
      expect(await save(server, id, 500, total)).toEqual(done);
      expect(await save(server, id, 500, total)).toEqual(done);
      expect(await save(server, id, 500, { ...total, productCode: 'OTHER' })).toEqual(conflict);
      expect(await save(server, id, 501)).toEqual(conflict);
      expect(await save(server, id, 500, { ...total, uid: 'CUST0002' })).toEqual(conflict);
      expect(await balance(server)).toBe(before - 555);
    },
  },
  {
    title: 'B7: ten concurrent deductions of one redeemCode have one effect',
    async holds(server) {
      const [before, id] = [await balance(server), fresh('RDM')];
      expect(await Promise.all(ten.map(() => save(server, id)))).toEqual(ten.map(() => done));
      expect(await balance(server)).toBe(before - 500);
    },
  },
  {
    title: 'B9, OP-15: fifty concurrent deductions never make the balance negative, and each is accepted or refused',
    async holds(server) {
      const before = await balance(server, 'CUST0003');
      const each = Math.floor(before / 20);
      const ids = Array.from({ length: 50 }, () => fresh('RDM'));
      const answers = await Promise.all(ids.map((id) => save(server, id, each, { uid: 'CUST0003' })));
      const accepted = ids.filter((_, index) => answers[index]?.status === 200);
      expect(accepted).toHaveLength(20);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(Array.from({ length: 30 }, () => pointsChanged));
      expect(await balance(server, 'CUST0003')).toBe(before - 20 * each);
      for (const id of accepted) expect(await tell(server, id, 'Rejected')).toEqual(done);
      expect(await balance(server, 'CUST0003')).toBe(before);
    },
  },
  {
    title:
      'B9: a deduction beyond the balance is refused and deducts nothing, and one of the whole balance is accepted',
    async holds(server) {
      const [before, id] = [await balance(server), fresh('RDM')];
      expect(await save(server, fresh('RDM'), before + 1)).toEqual(pointsChanged);
      expect(await balance(server)).toBe(before);
      expect(await save(server, id, before)).toEqual(done);
      expect(await balance(server)).toBe(0);
      expect(await tell(server, id, 'Rejected')).toEqual(done);
      expect(await balance(server)).toBe(before);
    },
  },
  {
    title:
      'X3: each field of a record is a mandatory detail if it is missing or not text, or if it is empty and may not be',
    async holds(server) {
      await keepsBalance(server, async () => {
        const mayBeEmpty = ['shippingAddress', 'email', 'mobileNo'];
        for (const field of Object.keys(record('x'))) {
          const spoilt = mayBeEmpty.includes(field) ? [undefined, 5, null] : [undefined, 5, null, ''];
          for (const value of spoilt) {
            expect([field, await save(server, fresh('RDM'), 500, { [field]: value })]).toEqual([field, mandatory]);
          }
        }
        for (const wrong of [{ redeemStatus: 'Pending' }, { quantity: '0' }, { processingFee: '-1' }]) {
          expect(await save(server, fresh('RDM'), 500, wrong)).toEqual(mandatory);
        }
      });
    },
  },
  {
    title: 'OP-122: inconsistent totals, and an unknown scheme or customer, deduct nothing',
    async holds(server) {
      await keepsBalance(server, async () => {
        const uneven = [
          { processingFee: '1' },
          { totalpoints: '499' },
          { tdsSingleItem: '1' },
          { redeemPoints: '501' },
          { tdsSingleItem: '999999999999999', quantity: '999999999999999' },
          // 2^32 each: the product is 0 in 64 bits.
          { tdsSingleItem: '4294967296', quantity: '4294967296' },
        ];
        for (const wrong of uneven) {
          expect(await save(server, fresh('RDM'), 500, wrong)).toEqual(wrapped(422, 'Points do not add up.'));
        }
        expect(await save(server, fresh('RDM'), 500, { scheme: 'OTHER' })).toEqual(wrapped(422, 'Unknown project.'));
        expect(await save(server, fresh('RDM'), 500, { uid: 'NOBODY' })).toEqual(wrapped(422, 'Unknown customer.'));
      });
    },
  },
];

const reports: readonly Rule[] = [
  {
    title: 'S5: Pending and Delivered change nothing, and Delivered is final',
    async holds(server) {
      const id = fresh('RDM');
      expect(await save(server, id)).toEqual(done);
      await keepsBalance(server, async () => {
        expect(await tell(server, id, 'Pending')).toEqual(done);
        expect(await tell(server, id, 'Delivered')).toEqual(done);
        expect(await tell(server, id, 'Delivered')).toEqual(done);
        expect(await tell(server, id, 'Rejected')).toEqual(delivered);
        expect(await tell(server, id, 'Pending')).toEqual(delivered);
        expect(await save(server, id)).toEqual(done);
      });
    },
  },
  {
    title: 'B14, S8: Rejected refunds totalPointWithProcessingFee, once, also for ten concurrent reports, and is final',
    async holds(server) {
      const [before, id] = [await balance(server), fresh('RDM')];
      const fee = { processingFee: '49', totalPointWithProcessingFee: '549' };
      expect(await save(server, id, 500, fee)).toEqual(done);
      expect(await Promise.all(ten.map(() => tell(server, id, 'Rejected')))).toEqual(ten.map(() => done));
      expect(await balance(server)).toBe(before);
      expect(await tell(server, id, 'Delivered')).toEqual(rejected);
      expect(await tell(server, id, 'Pending')).toEqual(rejected);
      expect(await save(server, id, 500, fee)).toEqual(rejected);
      expect(await balance(server)).toBe(before);
    },
  },
  {
    title: 'OP-21: an unknown code is refused, and its later deduction is refused only after Rejected',
    async holds(server) {
      await keepsBalance(server, async () => {
        const [rejectedFirst, reportedFirst] = [fresh('RDM'), fresh('RDM')];
        expect(await tell(server, rejectedFirst, 'Rejected')).toEqual(unknownCode);
        expect(await tell(server, rejectedFirst, 'Rejected')).toEqual(unknownCode);
        expect(await tell(server, rejectedFirst, 'Delivered')).toEqual(unknownCode);
        expect(await save(server, rejectedFirst)).toEqual(rejected);
        expect(await tell(server, reportedFirst, 'Delivered')).toEqual(unknownCode);
        expect(await tell(server, reportedFirst, 'Pending')).toEqual(unknownCode);
        expect(await save(server, reportedFirst)).toEqual(done);
        expect(await tell(server, reportedFirst, 'Rejected')).toEqual(done);
      });
    },
  },
  {
    title: 'B11, X4, OP-122: a report with missing or contradictory fields changes nothing',
    async holds(server) {
      const id = fresh('RDM');
      expect(await save(server, id)).toEqual(done);
      await keepsBalance(server, async () => {
        const right = {
          redeemCode: id,
          status: 'Rejected',
          orderStatus: 'Rejected',
          remark: '',
          projectCode: 'DEMO01',
        };
        const send = (more: object) => post(server, '/updateRedeemStatus', { ...right, ...more });
        for (const field of Object.keys(right)) expect(await send({ [field]: undefined })).toEqual(mandatory);
        for (const field of ['redeemCode', 'status', 'orderStatus', 'projectCode']) {
          expect(await send({ [field]: '' })).toEqual(mandatory);
        }
        expect(await send({ status: 'rejected', orderStatus: 'rejected' })).toEqual(mandatory);
        expect(await send({ orderStatus: 'Delivered' })).toEqual(wrapped(422, 'status and orderStatus differ.'));
        expect(await send({ projectCode: 'OTHER' })).toEqual(wrapped(422, 'Unknown project.'));
      });
      expect(await tell(server, id, 'Rejected')).toEqual(done);
    },
  },
];

const tokens: readonly Rule[] = [
  {
    title: 'X2, OP-37: an invalid token is 422 before the body is validated',
    async holds(server) {
      const good = await jwt(server);
      const [head = '', claims = '', signature = ''] = good.split('.');
      const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      const other = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      const forged = [`${none}.${claims}.`, `${none}.${claims}.${signature}`, `${head}.${claims}.${other}`];
      const bad = ['x', `${head}.${claims}`, `${good}.x`, `${good}x`, good.slice(0, -1), `${head}..${signature}`];
      const bearers = [...forged, ...bad].map((token) => `Bearer ${token}`);
      for (const authorization of [
        '',
        'Bearer',
        'Bearer ',
        good,
        basic(server),
        `Bearer ${service(server)}x`,
        ...bearers,
      ]) {
        const answers = [
          await profile(server, 'CUST0001', authorization),
          await post(server, '/saveRedeemDetails', {}, authorization),
          await post(server, '/creditPoints', {}, authorization),
          await post(server, '/updateRedeemStatus', {}, authorization),
          await post(server, '/api/v1/orders/redeem', {}, authorization),
          await post(server, '/api/v1/orders/reverse', {}, authorization),
        ];
        expect([authorization, answers]).toEqual([authorization, answers.map(() => tokenInvalid)]);
      }
      expect((await profile(server, 'CUST0001', `Bearer ${good}`)).status).toBe(200);
    },
  },
  {
    title: "OP-17: another customer's token is refused, and so is a customer's in place of the service token",
    async holds(server) {
      const [mine, id] = [`Bearer ${await jwt(server)}`, fresh('RDM')];
      await keepsBalance(server, async () => {
        expect(await profile(server, 'CUST0002', mine)).toEqual(tokenInvalid);
        const url = `${server.url}/api/v1/customer/points?customer_id=CUST0002`;
        expect(await raw(url, { headers: { authorization: mine } })).toMatchObject(tokenInvalid);
        expect(await post(server, '/saveRedeemDetails', record(id, 500, { uid: 'CUST0002' }), mine)).toEqual(
          tokenInvalid,
        );
        expect(await post(server, '/creditPoints', {}, mine)).toEqual(tokenInvalid);
        expect(await post(server, '/updateRedeemStatus', {}, mine)).toEqual(tokenInvalid);
        expect(await post(server, '/api/v1/orders/reverse', {}, mine)).toEqual(tokenInvalid);
        const order = { customer_id: 'CUST0002', order_id: 'O', redeem_code: id, points: 1 };
        expect(await post(server, '/api/v1/orders/redeem', order, mine)).toEqual(tokenInvalid);
      });
      expect(await post(server, '/saveRedeemDetails', record(id), mine)).toEqual(done);
      expect(await tell(server, id, 'Rejected')).toEqual(done);
    },
  },
  {
    title: 'X2: an unknown customer is 422, and a missing uid is a mandatory detail',
    async holds(server) {
      expect(await profile(server, 'NOBODY')).toEqual(wrapped(422, 'Unknown customer.'));
      expect(await profile(server, '')).toEqual(mandatory);
      const odd = await fetch(`${server.url}/getProfileAndPoints?uid=%zz&%`, { method: 'POST' });
      expect([400, 422]).toContain(odd.status);
      const headers = { authorization: service(server) };
      expect(await raw(`${server.url}/getProfileAndPoints`, { method: 'POST', headers })).toMatchObject(mandatory);
    },
  },
];

const signIn: readonly Rule[] = [
  {
    title: 'D4, D6, OP-18: a code goes to the mobile number, and its reply has a JWT and the points',
    async holds(server) {
      const { answer, message, otp, reference_id } = await code(server);
      const mobile = '******0001';
      expect(answer).toEqual({
        status: 200,
        body: { success: true, status: 200, reference_id: expect.any(String), expires_in: 300, mobile },
      });
      expect(message).toEqual({
        channel: 'sms',
        to: '5000000001',
        text: `${otp} is your one-time password. It is valid for 5 minutes.`,
        customer_id: 'CUST0001',
        reference_id,
        authorization: 'Bearer gateway-token',
      });
      const signedIn = await verify(server, 'CUST0001', otp, reference_id);
      const { points } = (await profile(server)).body;
      expect(signedIn).toEqual({
        status: 200,
        body: { success: true, status: 200, token: expect.any(String), token_type: 'Bearer', expires_in: 1800, points },
      });
      const { token } = signedIn.body as { token: string };
      const [head, claims] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
      expect(JSON.parse(head ?? '')).toEqual({ alg: 'HS256', typ: 'JWT' });
      const { exp, iat, ...others } = JSON.parse(claims ?? '');
      expect(exp - iat).toBe(1800);
      expect(others).toEqual({ iss: 'client', aud: 'rewards-platform', sub: 'CUST0001', jti: expect.any(String) });
    },
  },
  {
    title: 'OP-18: a code works once, also for ten concurrent attempts',
    async holds(server) {
      const { otp, reference_id } = await code(server);
      const answers = await Promise.all(ten.map(() => verify(server, 'CUST0001', otp, reference_id)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await verify(server, 'CUST0001', otp, reference_id)).toEqual(wrapped(422, 'OTP has already been used.'));
    },
  },
  {
    title: 'OP-18: a code is bound to its customer and its reference',
    async holds(server) {
      const { otp, reference_id } = await code(server);
      const other = await code(server, 'CUST0002');
      expect(await verify(server, 'CUST0002', otp, reference_id)).toEqual(unknownReference);
      expect(await verify(server, 'CUST0001', otp, other.reference_id)).toEqual(unknownReference);
      expect(await verify(server, 'CUST0001', otp, 'x')).toEqual(unknownReference);
      expect(await verify(server, 'NOBODY', otp, reference_id)).toEqual(unknownReference);
      expect((await verify(server, 'CUST0001', otp, reference_id)).status).toBe(200);
    },
  },
  {
    title: 'OP-18: after five wrong attempts a code is void',
    async holds(server) {
      const { otp, reference_id } = await code(server);
      const wrong = otp === '000000' ? '000001' : '000000';
      for (const _ of [1, 2, 3, 4, 5]) {
        expect(await verify(server, 'CUST0001', wrong, reference_id)).toEqual(wrapped(422, 'Incorrect OTP.'));
      }
      const tooMany = wrapped(422, 'Too many attempts for this OTP. Request a new one.');
      expect(await verify(server, 'CUST0001', otp, reference_id)).toEqual(tooMany);
    },
  },
  {
    title: 'OP-125: the newest code counts',
    async holds(server) {
      const [older, newer] = [await code(server), await code(server)];
      expect((await verify(server, 'CUST0001', older.otp, older.reference_id)).status).toBe(422);
      expect((await verify(server, 'CUST0001', newer.otp, newer.reference_id)).status).toBe(200);
    },
  },
  {
    title: 'OP-37: missing or wrong Basic credentials are 401 before the body is validated, and send nothing',
    async holds(server) {
      const sent = server.messages.length;
      const refused = wrapped(401, 'Missing or invalid Basic credentials');
      const spell = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
      const { username, password } = server.basic;
      const almost = [`${username}:`, `:${password}`, `${username}:${password}x`, `x${username}:${password}`, ''].map(
        spell,
      );
      for (const authorization of ['', 'Basic', 'Basic %%%', service(server), ...almost]) {
        for (const path of ['/api/v1/auth/generate-otp', '/api/v1/auth/verify-otp']) {
          expect(await post(server, path, {}, authorization)).toEqual(refused);
        }
      }
      expect(server.messages).toHaveLength(sent);
    },
  },
  {
    title: 'D3: an unknown customer gets no message, and each field of both calls is mandatory',
    async holds(server) {
      const sent = server.messages.length;
      const ask = (body: object) => post(server, '/api/v1/auth/generate-otp', body, basic(server));
      expect(await ask({ customer_id: 'NOBODY' })).toEqual(wrapped(422, 'Unknown customer.'));
      for (const body of [{}, { customer_id: '' }, { customer_id: 1 }]) expect(await ask(body)).toEqual(mandatory);
      const right = { customer_id: 'CUST0001', otp: '123456', reference_id: 'x' };
      for (const field of Object.keys(right)) {
        for (const value of [undefined, '', 5]) {
          const body = { ...right, [field]: value };
          expect(await post(server, '/api/v1/auth/verify-otp', body, basic(server))).toEqual(mandatory);
        }
      }
      expect(server.messages).toHaveLength(sent);
    },
  },
];

const versionTwo: readonly Rule[] = [
  {
    title: 'OP-29: customer/points returns the points, and each version sees and refunds the deductions of the other',
    async holds(server) {
      const headers = { authorization: service(server) };
      const ask = () => raw(`${server.url}/api/v1/customer/points?customer_id=CUST0001`, { headers });
      const { points } = (await profile(server)).body;
      expect(await ask()).toMatchObject({ status: 200, body: { customer_id: 'CUST0001', points } });
      const id = fresh('RDM');
      expect(await save(server, id)).toEqual(done);
      expect(await ask()).toMatchObject({ body: { points: { balance: points.balance - 500 } } });
      const reversal = await post(server, '/api/v1/orders/reverse', { redeem_code: id, points: 500, reason: '' });
      expect(reversal).toEqual({ status: 200, body: { success: true, status: 200, balance: points.balance } });
      expect(await raw(`${server.url}/api/v1/customer/points`, { headers })).toMatchObject(mandatory);
    },
  },
  {
    title: 'OP-29: redeem and reverse book once, refuse other values, and remember a reversal that arrived first',
    async holds(server) {
      const [before, id, late] = [await balance(server), fresh('RDM'), fresh('RDM')];
      const order = { customer_id: 'CUST0001', order_id: 'ORD-1', redeem_code: id, points: 548 };
      const redeem = (more: object = {}) => post(server, '/api/v1/orders/redeem', { ...order, ...more });
      const reverse = (more: object = {}) =>
        post(server, '/api/v1/orders/reverse', { redeem_code: id, points: 548, reason: 'out of stock', ...more });
      const stands = (balance: number) => ({ status: 200, body: { success: true, status: 200, balance } });
      expect(await Promise.all(ten.map(() => redeem()))).toEqual(ten.map(() => stands(before - 548)));
      expect(await redeem({ points: 549 })).toEqual(conflict);
      expect(await redeem({ order_id: 'ORD-2' })).toEqual(conflict);
      expect(await redeem({ redeem_code: fresh('RDM'), points: before + 1 })).toEqual(pointsChanged);
      expect(await reverse({ points: 547 })).toEqual(conflict);
      expect(await Promise.all(ten.map(() => reverse()))).toEqual(ten.map(() => stands(before)));
      expect(await redeem()).toEqual(rejected);
      expect(await reverse({ redeem_code: late })).toEqual(unknownCode);
      expect(await redeem({ redeem_code: late })).toEqual(rejected);
      expect(await balance(server)).toBe(before);
    },
  },
  {
    title: 'OP-29: redeem and reverse with missing or malformed fields change nothing',
    async holds(server) {
      await keepsBalance(server, async () => {
        const order = { customer_id: 'CUST0001', order_id: 'ORD-1', redeem_code: fresh('RDM'), points: 5 };
        for (const field of Object.keys(order)) {
          expect(await post(server, '/api/v1/orders/redeem', { ...order, [field]: undefined })).toEqual(mandatory);
        }
        for (const points of ['5', 1.5, -1, 1e15, null, true]) {
          expect(await post(server, '/api/v1/orders/redeem', { ...order, points })).toEqual(mandatory);
          const reversal = { redeem_code: order.redeem_code, points, reason: '' };
          expect(await post(server, '/api/v1/orders/reverse', reversal)).toEqual(mandatory);
        }
        const reversal = { redeem_code: order.redeem_code, points: 5, reason: undefined };
        expect(await post(server, '/api/v1/orders/reverse', reversal)).toEqual(mandatory);
      });
    },
  },
];

/** All rules. Their order does not matter. */
export const rules: readonly Rule[] = [
  ...points,
  ...deductions,
  ...reports,
  ...tokens,
  ...signIn,
  ...versionTwo,
  ...edges,
];
