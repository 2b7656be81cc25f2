/** A partner's server for tests: right by itself and beside the reference client, and wrong in one way by each mistake. */
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

async function partner(given: Partial<PartnerSettings> = {}): Promise<PartnerServer> {
  const server = await startPartnerServer({ balances, slowMs: hour, raceMs: 150, ...given });
  closesWithTest(() => server.close());
  return server;
}

/** A server, right or with a mistake, whose time passes when the test says so. */
async function target(mistake?: MistakeName): Promise<Target> {
  let at = Date.UTC(2026, 0, 12);
  const server = await partner({ mistake, now: () => at });
  const pass = (seconds: number) => {
    at += seconds * 1000;
  };
  const { settings, url, codeOf, tokenOf, pointsOf } = server;
  const { serviceToken, basic, now } = settings;
  const tokens = { ANN: tokenOf('ANN'), BOB: tokenOf('BOB'), ended: tokenOf('ANN', now() - hour) };
  const books = () => Object.keys(balances).flatMap((uid) => [pointsOf(uid, 1), pointsOf(uid, 2)]);
  return { url, serviceToken, basic, tokens, codeOf, pass, books };
}

/** What a server says to the calls of an area. */
async function said(target: Target, area: MistakeArea): Promise<Record<string, unknown>> {
  const talk = new Talk(target);
  await script[area](talk).catch((error: unknown) => {
    if (!(error instanceof TooLate)) throw error;
    talk.kept['too late'] = true;
  });
  return talk.kept;
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

/** What the right server says, asked once for all tests. */
const right = new Map<MistakeArea, Promise<Record<string, unknown>>>();

function rightly(area: MistakeArea): Promise<Record<string, unknown>> {
  const known = right.get(area) ?? target().then((server) => said(server, area));
  right.set(area, known);
  return known;
}

it.each(areas)('the right server answers as the reference client does: %s', async (area) => {
  const { books: _, ...server } = await target();
  expect(await said(server, area)).toEqual(await said(await reference(), area));
});

it.each(areas)('the right server says and books the same each time: %s', async (area) => {
  expect(await said(await target(), area)).toEqual(await rightly(area));
});

it('there are at least 65 mistakes, each named once', () => {
  expect(new Set(mistakeNames).size).toBe(mistakeNames.length);
  expect(mistakeNames.length).toBeGreaterThanOrEqual(65);
});

const table = areas.flatMap((area) => Object.keys(mistakes[area]).map((name) => [name as MistakeName, area] as const));

it.each(table)('the mistake %s changes what the server says or books', async (mistake, area) => {
  expect(await said(await target(mistake), area)).not.toEqual(await rightly(area));
});

/** Places an order of a kettle through one version of the API. */
const placing = {
  'version 1.0': (sandbox: TestSandbox) => order(sandbox, { uid, line_items: [kettle], shipping_address }),
  'version 2.0': async (sandbox: TestSandbox) => {
    const body = { customer_id: uid, line_items: [kettle], shipping_address };
    return sandbox.v2Platform(await sandbox.companyToken()).POST('/api/v1/orders', { body });
  },
};

it.each(Object.entries(placing))('the right server keeps even books with a sandbox, by %s', async (_, place) => {
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
async function carriedOut({ url, settings }: PartnerServer, command: Command): Promise<boolean> {
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

/** What a customer must have after the commands that were accepted. */
function due(accepted: readonly Command[], uid: string) {
  const rejected = new Set(
    accepted.flatMap((one) => (one.do === 'report' && one.status === 'Rejected' ? [one.code] : [])),
  );
  const earned = new Map<string, number>();
  const taken = new Map<string, number>();
  for (const one of accepted) {
    if (one.do === 'credit' && one.uid === uid) earned.set(one.id, one.points);
    if (one.do === 'save' && one.uid === uid && !rejected.has(one.code)) taken.set(one.code, one.points);
  }
  const sum = (numbers: Map<string, number>) => [...numbers.values()].reduce((total, points) => total + points, 0);
  const [totalEarned, totalRedeemed] = [opening + sum(earned), sum(taken)];
  return { totalEarned, balance: totalEarned - totalRedeemed, totalRedeemed };
}

it('the right server has credits less deductions that stand, and never below zero, after any history', async () => {
  const held = fc.asyncProperty(histories(8, true), async (history) => {
    const server = await startPartnerServer({ balances: Object.fromEntries(customers.map((uid) => [uid, opening])) });
    const accepted: Command[] = [];
    for (const group of history) {
      const answers = await Promise.all(group.map((command) => carriedOut(server, command)));
      accepted.push(...group.filter((_, index) => answers[index]));
      for (const uid of customers) expect(server.pointsOf(uid).balance).toBeGreaterThanOrEqual(0);
    }
    for (const uid of customers) expect(server.pointsOf(uid)).toEqual(due(accepted, uid));
    await server.close();
  });
  await fc.assert(held, { numRuns: scaled(10, 50) });
});

it('a test reads the code of a customer from the address made for tests', async () => {
  const { url, settings, codeOf } = await partner();
  const headers = {
    authorization: `Basic ${btoa(`${settings.basic.username}:${settings.basic.password}`)}`,
    'content-type': 'application/json',
  };
  const asked = { method: 'POST', headers, body: JSON.stringify({ customer_id: 'ANN' }) };
  const { reference_id } = await (await fetch(`${url}/api/v1/auth/generate-otp`, asked)).json();
  const read = async (uid: string) => fetch(`${url}/test/otp?customer_id=${uid}&reference_id=${reference_id}`);
  const code = await read('ANN');
  expect(await code.text()).toBe(codeOf(reference_id));
  expect(code.headers.get('content-type')).toBe('text/plain');
  expect((await read('BOB')).status).toBe(404);
});

it('the right server sends no more codes than it is told to, and locks out who fails too often', async () => {
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
