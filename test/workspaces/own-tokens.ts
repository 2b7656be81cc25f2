/** Replaces the client with a partner's own server, and runs customer journeys with the tokens it issues. */
import type { Clients } from '../../sandbox/testing/workspace.ts';
import { closesWithTest } from '../harness/http-server.ts';
import { voucher } from '../harness/orders.ts';
import { type PartnerServer, type ReceivedCall, startPartnerServer } from '../harness/partner/server.ts';
import { ok } from '../harness/sandbox.ts';
import { look, onward, type PageReply, send } from '../harness/visitor.ts';
import { companyTokenOf } from '../harness/workspaces.ts';

const uid = 'CUST0001';
/** The start of a sandbox's frozen clock, from which tokens are valid. */
const start = Date.parse('2026-01-12T04:30:00Z');

/** The kinds of tokens that a partner's server may issue. */
export type TokenKind = 'JWT' | 'opaque token';

/** A workspace whose platform calls a partner's server. */
export interface Partnership {
  readonly workspace: Clients;
  readonly server: PartnerServer;
}

/** Starts a partner's server and points the workspace at it. The server ends with the test. */
export async function partnership(workspace: Clients, kind: TokenKind): Promise<Partnership> {
  const { basic, service_token: serviceToken } = workspace.credentials;
  const opaqueTokens = kind === 'opaque token';
  const server = await startPartnerServer({ serviceToken, basic, opaqueTokens, now: () => start });
  closesWithTest(server.close);
  const settings = { client_url: server.url, client_token: serviceToken };
  ok(await workspace.control.PATCH('/workspace', { body: { settings } }));
  return { workspace, server };
}

/** A journey's result for the customer, the token issued by the partner's server, and the calls that the server received. */
export interface Journey<Result> {
  readonly result: Result;
  readonly token: string;
  readonly calls: readonly ReceivedCall[];
}

async function journey<Result>(
  { server }: Partnership,
  run: (token: string) => Promise<Result>,
): Promise<Journey<Result>> {
  const token = server.tokenOf(uid);
  const before = server.calls.length;
  return { result: await run(token), token, calls: server.calls.slice(before) };
}

/** Opens the portal with a token issued by the partner. */
export function enterPortal(partner: Partnership): Promise<Journey<PageReply>> {
  return journey(partner, (token) => {
    const { portal } = partner.workspace.urls;
    return look(`${portal}/signin?${new URLSearchParams({ token, uid })}`);
  });
}

/** Exchanges the token with customerAuth, and places an order with the customer token through the rewards API. */
export function orderByCustomerAuth(partner: Partnership) {
  return journey(partner, async (token) => {
    const rewards = partner.workspace.rewards(await customerTokenOf(partner.workspace, token));
    return ok(await rewards.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items: [voucher] } }));
  });
}

/** Places an order through version 2.0, with the JWT itself or the customer token for an opaque token (OP-120). */
export function orderByV2(partner: Partnership) {
  const { workspace, server } = partner;
  return journey(partner, async (token) => {
    const credential = server.settings.opaqueTokens ? await customerTokenOf(workspace, token) : token;
    const v2 = workspace.v2Platform(`Bearer ${credential}`);
    return ok(await v2.POST('/api/v1/orders', { body: { customer_id: uid, line_items: [voucher] } }));
  });
}

/** Signs in on the microsite and continues to the portal. Returns the portal's sign-in reply. */
export async function enterByMicrosite({
  workspace,
  server,
}: Partnership): Promise<Pick<Journey<PageReply>, 'result' | 'calls'>> {
  const before = server.calls.length;
  const first = await look(workspace.urls.microsite);
  const [, form = ''] = /<form[^>]* action="([^"]*codes[^"]*)"/.exec(first.text) ?? [];
  const sent = await send(new URL(form, first.url).href, { customer_id: uid });
  const signedIn = await send(onward(sent), { otp: server.newestCodeOf(uid) ?? '' });
  const redirect = await send(new URL('rewards', onward(signedIn)).href, { view: 'page' });
  return { result: await look(onward(redirect)), calls: server.calls.slice(before) };
}

async function customerTokenOf(workspace: Clients, token: string): Promise<string> {
  const rewards = workspace.rewards(await companyTokenOf(workspace));
  return ok(await rewards.POST('/v1/customer/auth', { body: { uid, token } })).token;
}
