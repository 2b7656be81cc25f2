/** A partner's server for tests: right by itself and beside the reference client, and wrong in one way by each mistake. */
import { expect, it } from 'vitest';
import { closesWithTest } from '../harness/http-server.ts';
import { advance, kettle, order, pay, vendorWill } from '../harness/orders.ts';
import { ok, signIn, testSandbox } from '../harness/sandbox.ts';
import { script } from './script.ts';
import { type MistakeArea, type MistakeName, mistakeNames, mistakes } from './server/mistakes.ts';
import { type PartnerServer, startPartnerServer } from './server/server.ts';
import type { PartnerSettings } from './server/settings.ts';
import { Talk, type Target, TooLate } from './talking.ts';

const balances = { ANN: 25_000, BOB: 25_000, POOR: 100 };
const areas = Object.keys(mistakes) as MistakeArea[];
const hour = 3_600_000;

async function partner(given: Partial<PartnerSettings> = {}): Promise<PartnerServer> {
  const server = await startPartnerServer({ balances, slowMs: hour, ...given });
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

it('the right server takes orders of a sandbox, delivered and rejected, and the books are even', async () => {
  const { url, settings, pointsOf } = await partner({ balances: { CUST0001: 25_000 } });
  const sandbox = await testSandbox({ clientUrl: url, clientToken: settings.serviceToken });
  const uid = 'CUST0001';
  const shipping_address = '4 Mill Road, Pune';
  ok(await order(sandbox, { uid, line_items: [kettle], shipping_address }));
  await advance(sandbox, 10);
  await vendorWill(sandbox, kettle.sku, { outcome: 'reject', times: 1 });
  ok(await order(sandbox, { uid, line_items: [kettle], shipping_address }));
  await advance(sandbox, 10);
  ok(await pay(sandbox, { uid }));
  await advance(sandbox, 10);
  expect(pointsOf(uid)).toEqual({ totalEarned: 25_010, balance: 25_010 - 1548, totalRedeemed: 1548 });
  expect(ok(await sandbox.control.GET('/reconciliation', { params: { query: {} } }))).toEqual({
    items: [],
    next: null,
  });
});
