/** Every path by which a caller's text reaches an outgoing call of the sandbox. */
import { voucher } from '../harness/orders.ts';
import { logIn, type TestSandbox } from '../harness/sandbox.ts';
import { sent } from '../harness/socket.ts';
import { journeys, type Way } from './handed-on-journeys.ts';
import type { Odd } from './handed-on-texts.ts';

const rewards = '/rewards/v1/partner/redeemptiononskus';
const type = 'application/json';

/** Creates a path for each field of a JSON body. */
function fields(
  path: string,
  names: readonly string[],
  make: (name: string, text: string) => object,
  method = 'POST',
): Way[] {
  const open = (name: string) => async (sandbox: TestSandbox) => {
    const authorization = await credential(sandbox, path);
    return async ({ text }: Odd) => {
      const init = { method, headers: { authorization, 'content-type': type } };
      return (await fetch(`${sandbox.origin}${path}`, { ...init, body: JSON.stringify(make(name, text)) })).status;
    };
  };
  return names.map((name) => ({ way: `${path} ${name}`, open: open(name) }));
}

async function credential(sandbox: TestSandbox, path: string): Promise<string> {
  if (path.startsWith('/sandbox')) return `Bearer ${sandbox.workspace.admin_token}`;
  if (path.startsWith('/general')) return `Bearer ${await logIn(sandbox, 'CUST0001')}`;
  return sandbox.companyToken();
}

/** Creates a path for a header of an otherwise valid call. The call is sent byte by byte, because no HTTP client would send it. */
function header(path: string, name: string, make: (sandbox: TestSandbox, text: string) => string, body: object): Way {
  const open = async (sandbox: TestSandbox) => {
    const authorization = await credential(sandbox, path);
    const json = JSON.stringify(body);
    const fixed = [`POST ${path} HTTP/1.1`, `host: ${new URL(sandbox.origin).host}`, 'connection: close'];
    const length = [`content-type: ${type}`, `content-length: ${json.length}`];
    return async ({ text }: Odd) => {
      const own = name === 'authorization' ? [] : [`authorization: ${authorization}`];
      const odd = `${name}: ${make(sandbox, text)}`;
      const lines = [...fixed, ...length, ...own, odd, '', json];
      return Number.parseInt((await sent(sandbox.origin, lines, 'latin1')).split(' ')[1] ?? '', 10);
    };
  };
  return { way: `${path} ${name}: ${make({} as TestSandbox, '...')}`, open };
}

const orderOf = (own: object) => ({ uid: 'CUST0001', line_items: [voucher], ...own });
const payment = { uid: 'CUST0001', eventType: 'DIGITAL_PAYMENT', paymentAmount: '100' };
const texts = ['shipping_address', 'email', 'mobile_no', 'reference_id'];
const lineOf = (name: string, text: string) => (name === 'sku' ? { line_items: [{ ...voucher, sku: text }] } : {});
const ownOf = (name: string, text: string) => (name === 'sku' ? lineOf(name, text) : { [name]: text });

const basicOf = (sandbox: TestSandbox, text: string) =>
  `Basic ${sandbox.credentials === undefined ? '' : btoa(sandbox.credentials.basic.username)}${text}`;

/** All paths from a caller to an outgoing call. */
export const ways: readonly Way[] = [
  ...fields('/rewards/v1/customer/auth', ['uid', 'token'], (name, text) => ({ uid: 'x', token: 'x', [name]: text })),
  ...fields(rewards, ['uid', 'sku', ...texts], (name, text) => orderOf(ownOf(name, text))),
  header(rewards, 'authorization', (_, text) => text, orderOf({})),
  header(rewards, 'authorization', (_, text) => `Bearer ${text}`, orderOf({})),
  header(rewards, 'idempotency-key', (_, text) => text, orderOf({})),
  header(rewards, 'traceparent', (_, text) => text, orderOf({})),
  header('/client/api/v1/auth/generate-otp', 'authorization', basicOf, { customer_id: 'CUST0001' }),
  ...fields('/rewards/api/v1/orders', ['customer_id', 'sku', 'reference_id'], (name, text) => ({
    customer_id: 'CUST0001',
    line_items: [voucher],
    ...ownOf(name, text),
  })),
  ...fields('/general/v1/orders', ['sku', 'email', 'reference_id'], (name, text) => orderOf(ownOf(name, text))),
  ...fields('/general/v1/auth/login', ['username', 'password'], (name, text) => ({
    username: 'CUST0001',
    password: 'x',
    [name]: text,
  })),
  ...fields('/rewards/v1/partner/events/payment', ['uid', 'transactionId', 'occurred_at'], (name, text) => ({
    ...payment,
    transactionId: `${name} ${text}`.slice(0, 64),
    [name]: text,
  })),
  ...journeys,
  ...fields(
    '/sandbox/v1/customers/CUST0001',
    ['name', 'email', 'mobileNo'],
    (name, text) => ({ profile: { [name]: text } }),
    'PATCH',
  ),
  ...fields('/sandbox/v1/triggers/payment', ['uid', 'transactionId'], (name, text) => ({ [name]: text })),
  ...fields('/sandbox/v1/triggers/catalogue_change', ['sku_code', 'skus'], (name, text) =>
    name === 'skus' ? { sku_code: voucher.sku, item: { skus: text } } : { sku_code: text },
  ),
  ...fields(
    `/sandbox/v1/vendor-outcomes/${voucher.sku}`,
    ['reason'],
    (_, reason) => ({ outcome: 'reject', reason, times: 1 }),
    'PUT',
  ),
];
