/** A partner's server for tests: correct on its own and compared with the reference client, and wrong with each mistake. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { closesWithTest } from '../harness/http-server.ts';
import { type Command, customers, histories, opening } from '../harness/ledger-law.ts';
import { advance, kettle, order, pay, vendorWill } from '../harness/orders.ts';
import { type MistakeArea, type MistakeName, mistakeNames, mistakes } from '../harness/partner/mistakes.ts';
import { type PartnerServer, startPartnerServer } from '../harness/partner/server.ts';
import type { PartnerSettings } from '../harness/partner/settings.ts';
import { ok, signIn, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { scaled } from '../harness/scale.ts';
import { credit, plain, update } from './bodies.ts';
import { script } from './script.ts';
import { Talk, type Target, TooLate } from './talking.ts';

const balances = { ANN: 25_000, BOB: 25_000, POOR: 100 };
const areas = Object.keys(mistakes) as MistakeArea[];
const hour = 3_600_000;
const uid = 'CUST0001';
const shipping_address = '4 Mill Road, Pune';

async function partner(settings: Partial<PartnerSettings> = {}): Promise<PartnerServer> {
  const server = await startPartnerServer({ balances, slowMs: hour, raceMs: 150, ...settings });
  closesWithTest(() => server.close());
  return server;
}

/** A server, correct or with a mistake, whose clock the test controls. */
async function target(mistake?: MistakeName): Promise<Target> {
  let at = Date.UTC(2026, 0, 12);
  const server = await partner({ mistake, now: () => at });
  const pass = (seconds: number) => {
    at += seconds * 1000;
  };
  const { settings, url, codeOf, tokenOf, pointsOf } = server;
  const { serviceToken, basic, now } = settings;
  const tokens = { ANN: tokenOf('ANN'), BOB: tokenOf('BOB'), ended: tokenOf('ANN', now() - hour) };
  const ledger = () => Object.keys(balances).flatMap((uid) => [pointsOf(uid, 1), pointsOf(uid, 2)]);
  return { url, serviceToken, basic, tokens, codeOf, pass, ledger };
}

/** The results of the calls of an area. */
async function resultsOf(target: Target, area: MistakeArea): Promise<Record<string, unknown>> {
  const talk = new Talk(target);
  await script[area](talk).catch((error: unknown) => {
    if (!(error instanceof TooLate)) throw error;
    talk.results['too late'] = true;
  });
  return talk.results;
}

/** The reference client of a sandbox with the same customers. */
async function reference(): Promise<Target> {
  const sandbox = await testSandbox();
  const { control, credentials, urls } = sandbox;
  for (const [uid, balance] of Object.entries(balances)) {
    ok(await control.POST('/customers', { body: { uid, points: { balance } } }));
  }
  const ended = (await signIn(sandbox, 'ANN')).jwt;
  await advance(sandbox, 7200);
  const [ANN, BOB] = [(await signIn(sandbox, 'ANN')).jwt, (await signIn(sandbox, 'BOB')).jwt];
  const codeOf = async (_: string, uid: string) =>
    ok(await control.GET('/messages', { params: { query: { uid } } })).items[0]?.otp;
  const pass = (seconds: number) => advance(sandbox, seconds);
  const { service_token: serviceToken, basic } = credentials;
  return { url: urls.client, serviceToken, basic, tokens: { ANN, BOB, ended }, codeOf, pass };
}

/** The results of the correct server, computed once for all tests. */
const resultsByArea = new Map<MistakeArea, Promise<Record<string, unknown>>>();

function correctResults(area: MistakeArea): Promise<Record<string, unknown>> {
  const results = resultsByArea.get(area) ?? target().then((server) => resultsOf(server, area));
  resultsByArea.set(area, results);
  return results;
}

it.each(areas)('the correct server answers like the reference client: %s', async (area) => {
  const { ledger: _, ...server } = await target();
  expect(await resultsOf(server, area)).toEqual(await resultsOf(await reference(), area));
});

it.each(areas)('the correct server answers and books the same each time: %s', async (area) => {
  expect(await resultsOf(await target(), area)).toEqual(await correctResults(area));
});

it('there are at least 65 mistakes with unique names', () => {
  expect(new Set(mistakeNames).size).toBe(mistakeNames.length);
  expect(mistakeNames.length).toBeGreaterThanOrEqual(65);
});

const table = areas.flatMap((area) => Object.keys(mistakes[area]).map((name) => [name as MistakeName, area] as const));

it.each(table)('the mistake %s changes an answer or a booking of the server', async (mistake, area) => {
  expect(await resultsOf(await target(mistake), area)).not.toEqual(await correctResults(area));
});

/** Places an order of a kettle through one version of the API. */
const placing = {
  'version 1.0': (sandbox: TestSandbox) => order(sandbox, { uid, line_items: [kettle], shipping_address }),
  'version 2.0': async (sandbox: TestSandbox) => {
    const body = { customer_id: uid, line_items: [kettle], shipping_address };
    return sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body });
  },
};

it.each(Object.entries(placing))('the correct server stays consistent with a sandbox, by %s', async (_, place) => {
  const { url, settings, pointsOf } = await partner({ balances: { [uid]: 25_000 } });
  const sandbox = await testSandbox({ clientUrl: url, clientToken: settings.serviceToken });
  ok(await place(sandbox));
  await advance(sandbox, 10);
  await vendorWill(sandbox, kettle.sku, { outcome: 'reject', times: 1 });
  ok(await place(sandbox));
  expect(pointsOf(uid).balance).toBe(25_000 - 2 * 1548);
  await advance(sandbox, 10);
  ok(await pay(sandbox, { uid }));
  await advance(sandbox, 10);
  expect(pointsOf(uid)).toEqual({ totalEarned: 25_010, balance: 25_010 - 1548, totalRedeemed: 1548 });
  expect(ok(await sandbox.control.GET('/reconciliation', { params: { query: {} } }))).toEqual({
    items: [],
    next: null,
  });
});

/** Sends a command with the service token. Returns whether it was accepted. */
async function isAccepted({ url, settings }: PartnerServer, command: Command): Promise<boolean> {
  if (command.do === 'pass') return false;
  const headers = { authorization: `Bearer ${settings.serviceToken}`, 'content-type': 'application/json' };
  const send = async (path: string, body: object) =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status === 200;
  switch (command.do) {
    case 'credit':
      return send('/creditPoints', credit(command.id, { uid: command.uid, points: String(command.points) }));
    case 'save':
      return send('/saveRedeemDetails', plain(command.code, command.points, { uid: command.uid }));
    case 'report':
      return send('/updateRedeemStatus', update(command.code, command.status));
  }
}

/** The expected points of a customer after the accepted commands. */
function expectedPoints(accepted: readonly Command[], uid: string) {
  const rejected = new Set(
    accepted.flatMap((one) => (one.do === 'report' && one.status === 'Rejected' ? [one.code] : [])),
  );
  const earned = new Map<string, number>();
  const deducted = new Map<string, number>();
  for (const one of accepted) {
    if (one.do === 'credit' && one.uid === uid) earned.set(one.id, one.points);
    if (one.do === 'save' && one.uid === uid && !rejected.has(one.code)) deducted.set(one.code, one.points);
  }
  const sum = (numbers: Map<string, number>) => [...numbers.values()].reduce((total, points) => total + points, 0);
  const [totalEarned, totalRedeemed] = [opening + sum(earned), sum(deducted)];
  return { totalEarned, balance: totalEarned - totalRedeemed, totalRedeemed };
}

it('after any history the correct server has the credits less the unreversed deductions, and never less than zero', async () => {
  const property = fc.asyncProperty(histories(8, true), async (history) => {
    const server = await startPartnerServer({ balances: Object.fromEntries(customers.map((uid) => [uid, opening])) });
    const accepted: Command[] = [];
    for (const group of history) {
      const answers = await Promise.all(group.map((command) => isAccepted(server, command)));
      accepted.push(...group.filter((_, index) => answers[index]));
      for (const uid of customers) expect(server.pointsOf(uid).balance).toBeGreaterThanOrEqual(0);
    }
    for (const uid of customers) expect(server.pointsOf(uid)).toEqual(expectedPoints(accepted, uid));
    await server.close();
  });
  await fc.assert(property, { numRuns: scaled(10, 50) });
});

it('a test reads the code of a customer from the address for tests', async () => {
  const { url, settings, codeOf } = await partner();
  const headers = {
    authorization: `Basic ${btoa(`${settings.basic.username}:${settings.basic.password}`)}`,
    'content-type': 'application/json',
  };
  const request = { method: 'POST', headers, body: JSON.stringify({ customer_id: 'ANN' }) };
  const { reference_id } = await (await fetch(`${url}/api/v1/auth/generate-otp`, request)).json();
  const read = async (uid: string) => fetch(`${url}/test/otp?customer_id=${uid}&reference_id=${reference_id}`);
  const code = await read('ANN');
  expect(await code.text()).toBe(codeOf(reference_id));
  expect(code.headers.get('content-type')).toBe('text/plain');
  expect((await read('BOB')).status).toBe(404);
});

it('the correct server limits the codes that it sends, and locks a customer after too many failures', async () => {
  const server = await partner({ mostOtps: 2, lockAfter: 2 });
  const talk = new Talk({ ...(await target()), url: server.url });
  const post = async (operation: string, body: object) =>
    (await talk.call(operation, `/api/v1/auth/${operation}`, { auth: talk.basic, body })) as { data?: object };
  const guess = { customer_id: 'BOB', otp: '000000', reference_id: 'OTP-unknown' };
  const messages = [];
  for (let count = 0; count < 3; count += 1) messages.push((await post('generate-otp', { customer_id: 'ANN' })).data);
  for (let count = 0; count < 3; count += 1) messages.push((await post('verify-otp', guess)).data);
  expect(messages.map((data) => data && Reflect.get(data, 'message'))).toEqual([
    undefined,
    undefined,
    'Too many OTP requests. Try again later.',
    'Unknown reference_id.',
    'Unknown reference_id.',
    'Customer is locked. Try again later.',
  ]);
});
