/** Tests `compare`, which repeats recorded calls against the sandbox (OP-258). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Comparison, ComparisonRun } from '../../sandbox/comparison/comparison.ts';
import { Shape, shapeDifferences } from '../../sandbox/comparison/shapes.ts';
import { Checker } from '../../sandbox/conformance/checker.ts';
import { type CheckedOperation, ownContracts } from '../../sandbox/conformance/contracts.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { clientsOf, testSandbox } from '../harness/sandbox.ts';
import { choices, recordingWith } from './choices.ts';
import { recordSandbox } from './own-recording.ts';
import { type Call, harOf } from './statements/recording.ts';

/** Compares a recording. Returns the exit code and the comparison. */
async function compared(text: string, ...flags: readonly string[]) {
  const capture = join(await temporaryFolder(), 'staging.har');
  await writeFile(capture, text);
  const { code, stdout, stderr } = await inProcess(['compare', capture, '--json', ...flags]).ended;
  expect(stderr.replaceAll(/\d+ of \d+ calls repeated\.\n/g, '')).toBe('');
  return { code, comparison: JSON.parse(stdout) as Comparison };
}

/** Adds headers that the sandbox sends and the recorded journeys omit. */
function withHeaders(call: Call): Call {
  const isToken = ['companyAuth', 'customerAuth', 'login'].includes(call.operation);
  const isRefused = call.operation === 'getProfileAndPoints' && call.status === 422;
  const more = { ...(isToken && { 'cache-control': 'no-store' }), ...(isRefused && { 'www-authenticate': 'Bearer' }) };
  return { ...call, replyHeaders: { ...call.replyHeaders, ...more } };
}

it('OP-258: lists exactly the points in which a recorded server differs', { timeout: 120_000 }, async () => {
  const calls = recordingWith(Object.keys(choices)).map(withHeaders);
  const { code, comparison } = await compared(harOf(calls), '--complete');
  const expected = new Set(Object.values(choices).flatMap((ids) => ids.split(' ')));
  expect(new Set(comparison.differences.map(({ basis }) => basis))).toEqual(expected);
  expect(code).toBe(1);
  expect(comparison.compared).toBeGreaterThan(70);
  expect(comparison.differences).toContainEqual({
    operation: 'createRedemptionOrder',
    place: '/status',
    kind: 'status',
    sandbox: '400, because /body/uid is required',
    recorded: '200',
    basis: 'OP-05',
    times: 5,
    example: { number: expect.any(Number), call: 'POST /rewards/v1/partner/redeemptiononskus -> 200' },
  });
});

it('OP-258: lists nothing where a recorded server chose as the sandbox does', { timeout: 120_000 }, async () => {
  const { code, comparison } = await compared(harOf(recordingWith([]).map(withHeaders)), '--complete');
  expect([code, comparison.differences]).toEqual([0, []]);
});

it('OP-258: finds nothing in recordings of the sandbox, and in a changed one what was changed', {
  timeout: 120_000,
}, async () => {
  const { har, log } = await recordSandbox();
  const own = await compared(har);
  expect(own.comparison).toEqual({ compared: expect.any(Number), not_compared: expect.any(Object), differences: [] });
  expect(own.code).toBe(0);
  expect(own.comparison.compared).toBeGreaterThan(50);
  expect((await compared(log)).comparison.differences).toEqual([]);
  // Build the same calls from a server with an additional field, another date format and another code.
  const { log: content } = JSON.parse(har) as { log: { entries: { response: { content: { text: string } } }[] } };
  for (const { response } of content.entries) {
    response.content.text = response.content.text
      .replace('{"profile":{', '{"profile":{"tier":"GOLD",')
      .replace(/"dob":"(\d\d)\/(\d\d)\/(\d{4})"/, '"dob":"$1-$2-$3"')
      .replace('"code":51', '"code":52');
  }
  const changed = await compared(JSON.stringify({ log: content }));
  const found = changed.comparison.differences.map(({ place, basis }) => [place, basis]);
  expect(changed.code).toBe(1);
  expect(found).toContainEqual(['/body/profile/tier', null]);
  expect(found).toContainEqual(['/body/code', expect.stringMatching(/^stated X7/)]);
  expect(found).toContainEqual(['/body/profile/dob', expect.stringMatching(/^stated /)]);
});

it('prints a table, and why calls were not compared; without any, it exits with 3', async () => {
  const [first] = recordingWith(['the company token under another name']).map(withHeaders);
  const capture = join(await temporaryFolder(), 'calls.har');
  await writeFile(capture, harOf([first as Call]));
  const { code, stdout } = await inProcess(['compare', capture]).ended;
  expect(code).toBe(1);
  expect(stdout).toMatch(/^1 calls? compared, 2 differences\nCONCERNS +OPERATION +PLACE/);
  expect(stdout).toMatch(/\nOP-02 +companyAuth +\/body\/token +is required +nothing +1 +#1 POST .* -> 200\n/);
  expect(stdout).toMatch(/\nOP-02: Company sign-in\n$/);
  await writeFile(capture, harOf([{ ...(first as Call), status: 503 }]));
  const none = await inProcess(['compare', capture]).ended;
  expect(none.code).toBe(3);
  expect(none.stdout).toContain('Not compared: 1 call, because the recorded server failed.\n');
});

it('OP-258: repeats the first 2,000 calls, and none after ten minutes', async () => {
  const [first] = recordingWith([]).map(withHeaders);
  const failed = { ...(first as Call), status: 503 };
  const { code, comparison } = await compared(harOf(Array(2001).fill(failed)));
  const not_compared = { 'only the first 2000 calls are repeated': 1, 'the recorded server failed': 2000 };
  expect([code, comparison]).toEqual([3, { compared: 0, not_compared, differences: [] }]);
  const { workspace } = await testSandbox();
  const checker = new Checker(ownContracts());
  const request = { headers: [], body: { kind: 'text', text: '' } } as const;
  const [reply, path] = [{ ...request, status: 503 }, '/v1/partner/rewards'];
  const exchange = { server: 'rewards', method: 'GET', path, url: path, request, reply } as const;
  const { operation, findings } = checker.check(exchange);
  const call = { number: 1, exchange, reply, operation: operation as CheckedOperation, findings };
  const late = new ComparisonRun(checker, async () => clientsOf(workspace), AbortSignal.abort());
  expect(await late.run([call, call], [], () => {})).toEqual({
    compared: 0,
    differences: [],
    not_compared: { 'the comparison took longer than ten minutes': 2 },
  });
});

it('compares forms: fields, types and formats of dates, and no values', () => {
  const shape = (...values: readonly unknown[]) => {
    const made = new Shape();
    for (const value of values) made.add(value);
    return made;
  };
  const differences = (ours: unknown[], theirs: unknown[]) =>
    shapeDifferences(shape(...ours), shape(...theirs), (place) => place === '/price').map(({ place, kind }) => [
      place,
      kind,
    ]);
  expect(differences([{ id: 'A', at: '2026-01-31', pin: null }], [{ id: 'B', at: '2025-12-01', pin: '1' }])).toEqual(
    [],
  );
  expect(differences([{ at: '2026-01-31' }], [{ at: '31/01/2026' }])).toEqual([['/at', 'format']]);
  expect(differences([{ n: 1 }], [{ n: '1' }])).toEqual([['/n', 'type']]);
  expect(differences([{ a: null }], [{}])).toEqual([['/a', 'absent']]);
  // Only some items have a price, depending on the item. A field outside the contracts is always a difference.
  expect(differences([{ price: 1 }, {}], [{}])).toEqual([]);
  expect(differences([{}], [{ price: 1 }, {}])).toEqual([]);
  expect(differences([{}], [{ more: 1 }, {}])).toEqual([['/more', 'additional']]);
  expect(differences([{ list: [] }], [{ list: [{ a: 1 }] }])).toEqual([]);
});
