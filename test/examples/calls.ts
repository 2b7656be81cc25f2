/** Calls an example server the way the platform and the microsite do, and returns the replies. */
import { expect } from 'vitest';
import { credit as creditBody, redemption, report as reportBody } from '../harness/client-requests.ts';
import { raw } from '../harness/sandbox.ts';
import type { ExampleServer } from './servers.ts';

let last = 0;

/** Returns a unique code or id. */
export function fresh(kind: string): string {
  last += 1;
  return `${kind}-${last}`;
}

/** Sends a POST request with a JSON body. Authenticates with the service token unless `authorization` is set. */
export async function post(server: ExampleServer, path: string, body: unknown, authorization = service(server)) {
  const reply = await raw(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization !== '' && { authorization }) },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: reply.body };
}

export function service({ serviceToken }: ExampleServer): string {
  return `Bearer ${serviceToken}`;
}

export function basic({ basic: { username, password } }: ExampleServer): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** Reads a customer's profile and points. */
export async function profile(server: ExampleServer, uid = 'CUST0001', authorization = service(server)) {
  const reply = await raw(`${server.url}/getProfileAndPoints?uid=${uid}`, {
    method: 'POST',
    headers: authorization === '' ? {} : { authorization },
  });
  return { status: reply.status, body: reply.body as { profile: object; points: Points } };
}

interface Points {
  readonly totalEarned: number;
  readonly balance: number;
  readonly totalRedeemed: number;
}

export async function balance(server: ExampleServer, uid = 'CUST0001'): Promise<number> {
  return (await profile(server, uid)).body.points.balance;
}

/** Builds a redemption record for the given number of points, with consistent totals. */
function record(redeemCode: string, points = 500, more: object = {}) {
  const text = String(points);
  return {
    ...redemption,
    redeemCode,
    redeemPoints: text,
    totalpoints: text,
    totalPointWithProcessingFee: text,
    ...more,
  };
}

export function save(server: ExampleServer, redeemCode: string, points = 500, more: object = {}) {
  return post(server, '/saveRedeemDetails', record(redeemCode, points, more));
}

export function tell(server: ExampleServer, redeemCode: string, status: 'Pending' | 'Delivered' | 'Rejected') {
  return post(server, '/updateRedeemStatus', reportBody(status, redeemCode));
}

export function credit(server: ExampleServer, transactionId: string, more: object = {}) {
  return post(server, '/creditPoints', { ...creditBody, transactionId, ...more });
}

/** Requests a code and reads it the way a customer does. */
export async function code(server: ExampleServer, uid = 'CUST0001') {
  const answer = await post(server, '/api/v1/auth/generate-otp', { customer_id: uid }, basic(server));
  const { reference_id } = answer.body as { reference_id: string };
  const message = server.messages.find((sent) => sent.reference_id === reference_id);
  const otp = /\d{6}/.exec(message?.text ?? '')?.[0] ?? '';
  expect(otp).not.toBe('');
  return { answer, message, otp, reference_id };
}

export function verify(server: ExampleServer, customer_id: string, otp: string, reference_id: string) {
  return post(server, '/api/v1/auth/verify-otp', { customer_id, otp, reference_id }, basic(server));
}

/** Signs a customer in and returns the JWT. */
export async function jwt(server: ExampleServer, uid = 'CUST0001'): Promise<string> {
  const { otp, reference_id } = await code(server, uid);
  const { body } = await verify(server, uid, otp, reference_id);
  return (body as { token: string }).token;
}
