/** Tests `doctor`, which checks whether the platform can call a server, and suggests fixes. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { closedPort, serve } from '../harness/http-server.ts';

/** Deviations of a test server. Each field overrides the behaviour of a correct server. */
interface Habits {
  readonly below?: string;
  readonly token?: string;
  readonly type?: string;
  readonly balance?: unknown;
  readonly basic?: string;
  readonly date?: string;
  /** The status for an unknown customer. */
  readonly unknownCustomer?: 404 | 422;
  /** Whether the server has no customers. */
  readonly isEmpty?: boolean;
  /** Whether the server checks the token before the path, and implements no operation. */
  readonly isBare?: boolean;
}

const basic = 'microsite:password';

/** Starts a server that returns the points of one customer, and sends one-time passwords to no other customer. */
function startServer({
  below = '',
  token = 'SECRET',
  type = 'application/json',
  balance = 5000,
  ...more
}: Habits = {}) {
  const accepted = `Basic ${Buffer.from(more.basic ?? basic).toString('base64')}`;
  return serve((request: IncomingMessage, _, response: ServerResponse) => {
    const { headers, url = '' } = request;
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'Content-Type': type, ...(more.date !== undefined && { Date: more.date }) });
      response.end(JSON.stringify(body));
    };
    const refused = (status: number, message: string) => answer(status, { data: { message } });
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    const isAllowed = headers.authorization === `Bearer ${token}`;
    if (more.isBare) {
      const timestamp = new Date().toISOString();
      return isAllowed ? answer(404, { timestamp, status: 404, path: pathname }) : answer(401, { timestamp });
    }
    if (pathname === `${below}/api/v1/auth/generate-otp`)
      return headers.authorization === accepted ? refused(422, 'Customer not found') : refused(401, 'Unauthorized');
    if (pathname !== `${below}/getProfileAndPoints`) return refused(404, 'Not found');
    if (token !== '' && !isAllowed) return refused(422, 'Token Invalid');
    if (more.isEmpty || searchParams.get('uid') !== 'CUST0001')
      return refused(more.unknownCustomer ?? 422, 'Not found');
    return answer(200, { profile: {}, points: { balance } });
  });
}

async function doctor(url: string, ...more: readonly string[]) {
  const flags = ['--client-url', url, '--client-token', 'SECRET', '--customer', 'CUST0001', '--client-basic', basic];
  const { code, stdout, stderr } = await inProcess(['doctor', ...flags, ...more]).ended;
  expect(stderr).toBe('');
  // The response time depends on the machine, so use a fixed value.
  return {
    code,
    lines: stdout
      .replace(/\d+ ms$/m, '5 ms')
      .trimEnd()
      .split('\n'),
  };
}

const right = [
  'ok        Connection: the server answers',
  'ok        Path: serves /getProfileAndPoints',
  'ok        Token and customer: 200 for CUST0001',
  'ok        JSON: points.balance is 5000',
  'ok        Time to answer: 5 ms',
  'ok        Clock: right',
  'ok        Wrong token: 422 Token Invalid',
  'ok        Basic credentials: 422 Customer not found; with wrong credentials 401 Unauthorized',
];

it('names each check of a server that the platform can call, and ends with 0', async () => {
  expect(await doctor(await startServer())).toEqual({ code: 0, lines: right });
});

/** Returns the expected lines for a correct server, with the line of one check replaced. */
const except = (at: number, ...lines: readonly string[]) => right.toSpliced(at, 1, ...lines);

it.each<readonly [string, Habits, readonly string[]]>([
  [
    'another service token',
    { token: 'OTHER' },
    [
      ...right.slice(0, 2),
      'WRONG     Token and customer: 422 Token Invalid',
      '          Accept this service token, and check that the server has the customer CUST0001.',
      ...right.slice(4),
    ],
  ],
  [
    'an answer that is not declared as JSON',
    { type: 'text/plain' },
    except(3, 'WRONG     JSON: text/plain', '          Send Content-Type: application/json.'),
  ],
  [
    'a balance as text',
    { balance: '5000' },
    except(3, 'WRONG     JSON: no points.balance', '          Send points.balance as an integer.'),
  ],
  [
    'a clock that is wrong',
    { date: 'Sat, 01 Jan 2000 00:00:00 GMT' },
    except(5, 'WRONG     Clock: N s behind', '          Set the clock of the server: tokens expire by it.'),
  ],
  [
    'no check of the token',
    { token: '' },
    except(6, 'WRONG     Wrong token: 200', '          Refuse a Bearer token that you did not issue.'),
  ],
  [
    'other Basic credentials',
    { basic: 'other:password' },
    except(
      7,
      'WRONG     Basic credentials: 401 Unauthorized; with wrong credentials 401 Unauthorized',
      '          Accept the Basic credentials of the microsite.',
    ),
  ],
])('names %s, says what to change, and ends with 1', async (_, habits, expected) => {
  const { code, lines } = await doctor(await startServer(habits));
  expect({ code, lines: lines.map((line) => line.replace(/\d+ s behind/, 'N s behind')) }).toEqual({
    code: 1,
    lines: expected,
  });
});

it('takes a 404 for an unknown customer for what it is', async () => {
  const { code, lines } = await doctor(await startServer({ isEmpty: true, unknownCustomer: 404 }));
  expect({ code, lines: lines.slice(0, 4) }).toEqual({
    code: 1,
    lines: [
      ...right.slice(0, 2),
      'WRONG     Token and customer: 404 Not found',
      '          Accept this service token, and check that the server has the customer CUST0001.',
    ],
  });
});

it('takes a 404 that every path gets for a missing path, also where the token is checked first', async () => {
  expect(await doctor(await startServer({ isBare: true }))).toEqual({
    code: 1,
    lines: [
      right[0],
      'WRONG     Path: serves neither /getProfileAndPoints nor /api/v1/customer/points, here or below a usual prefix',
      '          Implement POST /getProfileAndPoints, or name the address that it is below.',
    ],
  });
});

it('finds the address below which the operations are', async () => {
  const url = await startServer({ below: '/client/api' });
  expect(await doctor(url)).toEqual({
    code: 1,
    lines: [
      right[0],
      `WRONG     Path: /getProfileAndPoints is not below /, but below ${url}/client/api`,
      `          Use ${url}/client/api as the client URL.`,
    ],
  });
  expect(await doctor(`${url}/client/api/`)).toEqual({ code: 0, lines: right });
});

it('says that nothing listens, as JSON too', async () => {
  const change = 'Start the server, and check host and port. In a container, localhost is the container itself.';
  const url = await closedPort();
  expect(await doctor(url)).toEqual({ code: 1, lines: ['WRONG     Connection: ECONNREFUSED', `          ${change}`] });
  const check = { name: 'Connection', state: 'wrong', found: 'ECONNREFUSED', change };
  expect(await doctor(url, '--json')).toEqual({ code: 1, lines: [JSON.stringify(check)] });
});
