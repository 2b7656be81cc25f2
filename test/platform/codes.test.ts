/** Provokes every code of the flat envelope in the register once, and compares the whole body (OP-13, OP-14). */
import { expect, it } from 'vitest';
import { stubClient } from '../harness/client-stub.ts';
import { raw, type TestSandbox, testSandbox } from '../harness/sandbox.ts';

interface SandboxRequest {
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly key?: string;
}

/** Calls the rewards API, by default with the company's token. */
async function send(sandbox: TestSandbox, { path, body, token, key }: SandboxRequest) {
  const headers = {
    authorization: token ?? (await sandbox.companyToken()),
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const { status, body: reply } = await raw(`${sandbox.urls.rewards}${path}`, { headers, ...init });
  return { status, reply };
}

const rewards = '/v1/partner/rewards';
const orders = '/v1/partner/redeemptiononskus';
const one = { uid: 'CUST0001', line_items: [{ sku: 'EGV-SPICE-500', quantity: 1 }] };
const settings = (sandbox: TestSandbox, change: { allowlist?: string[]; rate_limit?: number }) =>
  sandbox.control.PATCH('/workspace', { body: { settings: change } });

type Answer = ReturnType<typeof send>;
type Row = [
  code: number,
  status: number,
  name: string,
  message: string,
  type: string,
  provoke: (s: TestSandbox) => Answer,
];

it.each<Row>([
  [40, 401, 'Unauthorized', 'Missing or invalid token', 'Unauthorized', (s) => send(s, { path: rewards, token: 'x' })],
  [
    43,
    403,
    'Forbidden',
    'Server not allowed',
    'Forbidden',
    async (s) => {
      await settings(s, { allowlist: ['192.0.2.0/24'] });
      return send(s, { path: rewards });
    },
  ],
  [44, 404, 'Not Found', 'Not found', 'NotFound', (s) => send(s, { path: '/api/v1/orders/status?order_id=ORD-NONE' })],
  [50, 400, 'Bad Request', 'Invalid type filter value', 'BadRequest', (s) => send(s, { path: `${rewards}?type=x` })],
  [51, 400, 'Bad Request', 'Invalid or expired cursor', 'BadRequest', (s) => send(s, { path: `${rewards}?cursor=x` })],
  [52, 400, 'Bad Request', 'Invalid limit', 'BadRequest', (s) => send(s, { path: `${rewards}?limit=0` })],
  [
    53,
    400,
    'Bad Request',
    'Invalid request: /uid is required',
    'BadRequest',
    (s) => send(s, { path: orders, body: { line_items: one.line_items } }),
  ],
  [
    54,
    422,
    'Unprocessable entity',
    'Insufficient balance: 500 points needed, 100 available',
    'UnprocessableEntity',
    (s) => send(s, { path: orders, body: { ...one, uid: 'CUST0003' } }),
  ],
  [
    55,
    422,
    'Unprocessable entity',
    'Product not available: EGV-NONE',
    'UnprocessableEntity',
    (s) => send(s, { path: orders, body: { ...one, line_items: [{ sku: 'EGV-NONE', quantity: 1 }] } }),
  ],
  [
    56,
    422,
    'Unprocessable entity',
    'Refused by the client: Unknown customer.',
    'UnprocessableEntity',
    (s) => send(s, { path: orders, body: { ...one, uid: 'CUST9999' } }),
  ],
  [
    57,
    502,
    'Bad Gateway',
    'No usable response from the client',
    'BadGateway',
    async (s) => {
      await stubClient(s, () => 'drop');
      return send(s, { path: orders, body: one });
    },
  ],
  [
    58,
    409,
    'Conflict',
    'Idempotency-Key was used with another body',
    'Conflict',
    async (s) => {
      await send(s, { path: orders, body: one, key: 'k' });
      return send(s, { path: orders, body: { ...one, email: 'a@b.example' }, key: 'k' });
    },
  ],
  [
    59,
    429,
    'Too Many Requests',
    'Rate limit exceeded',
    'TooManyRequests',
    async (s) => {
      await settings(s, { rate_limit: 1 });
      await send(s, { path: rewards });
      return send(s, { path: rewards });
    },
  ],
])('OP-13, OP-14: code %i is %i %s: %s', async (code, status, name, message, type, provoke) => {
  const sandbox = await testSandbox();
  const reply = { name, message, code, status, type: `${type}HttpException` };
  expect(await provoke(sandbox)).toEqual({ status, reply });
});
