/** Tests the effects of each fault on a call: a GET, and a POST that changes data (OP-70). */
import { expect, it } from 'vitest';
import { callsOf, creditPoints, credits, failing, listRewards, readReply } from '../harness/faults.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { handTimer, instantTimer } from '../harness/timer.ts';

const creditReply = '{"success":true,"status":200}';
const operations = [
  ['listRewards', listRewards, 0],
  ['creditPoints', creditPoints, 1],
] as const;

it.each(operations)('latency: %s takes effect, and its reply comes after the delay', async (target, call, effects) => {
  const { delay, delays, waits, ring } = handTimer();
  const sandbox = await testSandbox({ delay });
  const usual = await readReply(call(await testSandbox()));
  const fault = await failing(sandbox, { target, fault: 'latency', ms: 2000, times: 1 });
  const reply = readReply(call(sandbox));
  await waits();
  expect(delays).toEqual([2000]);
  expect(await credits(sandbox)).toBe(effects);
  ring();
  expect(await reply).toEqual({ ...(usual as object), fault });
  expect(await callsOf(sandbox, target)).toEqual([{ status: 200, notices: [`fault ${fault}: latency`] }]);
  expect(await readReply(call(sandbox))).toMatchObject({ status: 200, fault: null });
});

/** Returns the flat envelope of a failure as text. */
const failure = (
  status: number,
  name: string,
  message = name,
  code = 0,
  type = `${name.replaceAll(' ', '')}HttpException`,
) => JSON.stringify({ name, message, code, status, type });
const wrapped = (status: number, data: string) => `{"success":false,"status":${status},"data":${data}}`;

it.each([
  ['listRewards', 400, listRewards, failure(400, 'Bad Request', 'Invalid or expired cursor', 51)],
  ['listRewards', 503, listRewards, failure(503, 'Service Unavailable', 'Temporarily unavailable', 65)],
  ['listRewards', 418, listRewards, failure(418, "I'm a Teapot", "I'm a Teapot", 0, 'ImaTeapotHttpException')],
  ['listRewards', 409, listRewards, failure(409, 'Conflict', 'Conflict', 58)],
  [
    'creditPoints',
    422,
    creditPoints,
    wrapped(422, failure(422, 'Unprocessable entity', 'Token Invalid', 0, 'UnprocessableEntityHttpException')),
  ],
  ['creditPoints', 502, creditPoints, wrapped(502, failure(502, 'Bad Gateway'))],
] as const)('status: %s answers %s in its envelope and has no effect', async (target, status, call, text) => {
  const sandbox = await testSandbox();
  const fault = await failing(sandbox, { target, fault: 'status', status, times: 1 });
  expect(await readReply(call(sandbox))).toEqual({ status, fault, text });
  expect(await credits(sandbox)).toBe(0);
  expect(await callsOf(sandbox, target)).toEqual([{ status, notices: [`fault ${fault}: status`] }]);
  expect(await readReply(call(sandbox))).toMatchObject({ status: 200, fault: null });
});

it('status: the response has the headers of the documented failure', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'listRewards', fault: 'status', status: 429, times: 1 });
  const { headers } = await listRewards(sandbox);
  expect(headers.get('retry-after')).toBe('1');
  expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
});

it.each(operations)('OP-70: reset: %s has no effect and gets no reply', async (target, call) => {
  const sandbox = await testSandbox();
  const fault = await failing(sandbox, { target, fault: 'reset', times: 1 });
  expect(await readReply(call(sandbox))).toBe('no reply');
  expect(await credits(sandbox)).toBe(0);
  expect(await callsOf(sandbox, target)).toEqual([{ status: null, notices: [`fault ${fault}: reset`] }]);
  expect(await readReply(call(sandbox))).toMatchObject({ status: 200, fault: null });
});

it.each(operations)('OP-70: lost_reply: %s takes effect and gets no reply', async (target, call, effects) => {
  const sandbox = await testSandbox();
  const fault = await failing(sandbox, { target, fault: 'lost_reply', times: 1 });
  expect(await readReply(call(sandbox))).toBe('no reply');
  expect(await credits(sandbox)).toBe(effects);
  const notices = ['the response with status 200 was not sent', `fault ${fault}: lost_reply`];
  expect(await callsOf(sandbox, target)).toEqual([{ status: null, notices }]);
  expect(await readReply(call(sandbox))).toMatchObject({ status: 200, fault: null });
  expect(await credits(sandbox)).toBe(effects);
});

it.each(operations)(
  'OP-70: malformed: %s takes effect, and its reply is cut in half',
  async (target, call, effects) => {
    const sandbox = await testSandbox();
    const whole = await (await call(await testSandbox())).text();
    const fault = await failing(sandbox, { target, fault: 'malformed', times: 1 });
    const text = whole.slice(0, Math.ceil(whole.length / 2));
    expect(await readReply(call(sandbox))).toEqual({ status: 200, fault, text });
    expect(() => JSON.parse(text)).toThrow();
    expect(await credits(sandbox)).toBe(effects);
  },
);

it.each(operations)(
  'OP-70: drip: %s takes effect, and its reply comes in ten pieces',
  async (target, call, effects) => {
    const { delay, delays } = instantTimer();
    const sandbox = await testSandbox({ delay });
    const text = await (await call(await testSandbox())).text();
    const fault = await failing(sandbox, { target, fault: 'drip', ms: 5000, times: 1 });
    expect(await readReply(call(sandbox))).toEqual({ status: 200, fault, text });
    expect(delays).toEqual(Array.from({ length: 10 }, () => 500));
    expect(await credits(sandbox)).toBe(effects);
  },
);

it('duplicate: creditPoints arrives twice and credits once', async () => {
  const sandbox = await testSandbox();
  const fault = await failing(sandbox, { target: 'creditPoints', fault: 'duplicate', times: 1 });
  expect(await readReply(creditPoints(sandbox))).toEqual({ status: 200, fault, text: creditReply });
  expect(await credits(sandbox)).toBe(1);
  const notices = ['the repeated call returned status 200', `fault ${fault}: duplicate`];
  expect(await callsOf(sandbox, 'creditPoints')).toEqual([{ status: 200, notices }]);
});

it('duplicate: listRewards is answered once and counts twice against the quota', async () => {
  const sandbox = await testSandbox();
  await failing(sandbox, { target: 'listRewards', fault: 'duplicate', times: 1 });
  const reply = await listRewards(sandbox);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('ratelimit')).toBe('"hour";r=999;t=3600');
  expect((await listRewards(sandbox)).headers.get('ratelimit')).toBe('"hour";r=997;t=3600');
});

it('duplicate: the caller of a call that works only once gets the first reply', async () => {
  const sandbox = await testSandbox();
  const { reference_id } = ok(
    await sandbox.auth.POST('/api/v1/auth/generate-otp', { body: { customer_id: 'CUST0001' } }),
  );
  const otp = ok(await sandbox.control.GET('/messages')).items[0]?.otp ?? '';
  const fault = await failing(sandbox, { target: 'verifyOtp', fault: 'duplicate', times: 1 });
  const { response } = await sandbox.auth.POST('/api/v1/auth/verify-otp', {
    body: { customer_id: 'CUST0001', otp, reference_id },
  });
  expect(response.status).toBe(200);
  const notices = ['the repeated call returned status 422', `fault ${fault}: duplicate`];
  expect(await callsOf(sandbox, 'verifyOtp')).toEqual([{ status: 200, notices }]);
});

it.each(operations)('out_of_order: %s waits for the call behind it', async (target, call) => {
  const { delay, delays, waits } = handTimer();
  const sandbox = await testSandbox({ delay });
  const fault = await failing(sandbox, { target, fault: 'out_of_order', times: 2 });
  const first = readReply(call(sandbox));
  await waits();
  expect(delays).toEqual([10_000]);
  expect(await credits(sandbox)).toBe(0);
  expect(await readReply(call(sandbox))).toMatchObject({ status: 200, fault: null });
  expect(await first).toMatchObject({ status: 200, fault });
  expect((await callsOf(sandbox, target)).map(({ notices }) => notices)).toEqual([
    [],
    [`fault ${fault}: out_of_order`],
  ]);
});

it.each(['ten seconds have passed', 'the fault is deleted'])(
  'out_of_order: without another call, the call continues when %s',
  async (end) => {
    const { delay, waits, ring } = handTimer();
    const sandbox = await testSandbox({ delay });
    const id = await failing(sandbox, { target: 'creditPoints', fault: 'out_of_order' });
    const reply = readReply(creditPoints(sandbox));
    await waits();
    if (end === 'ten seconds have passed') ring();
    else await sandbox.control.DELETE('/faults/{id}', { params: { path: { id } } });
    expect(await reply).toMatchObject({ status: 200, text: creditReply });
  },
);
