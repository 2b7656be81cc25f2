/** Tests tokens issued by a partner's own server. The address identifies the workspace, because the token cannot (OP-63). */
import { describe, expect, it } from 'vitest';
import { flat, notFound, refusal } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { raw, testSandbox } from '../harness/sandbox.ts';
import { look, words } from '../harness/visitor.ts';
import { companyTokenOf, workspaceOf } from '../harness/workspaces.ts';
import {
  enterByMicrosite,
  enterPortal,
  orderByCustomerAuth,
  orderByV2,
  type Partnership,
  partnership,
  type TokenKind,
} from './own-tokens.ts';
import { sideBySide } from './side-by-side.ts';

const kinds: readonly TokenKind[] = ['JWT', 'opaque token'];
const inPortal = expect.stringMatching(/^\/portal\/s\/[0-9a-f]{16}\.[\w-]{43}\/rewards$/);

describe.each(kinds)("the partner's own %s", (kind) => {
  describe.each(['the demo workspace', 'a second workspace'])('in %s', (where) => {
    async function partnerIn(): Promise<Partnership> {
      const sandbox = await testSandbox();
      return partnership(where === 'the demo workspace' ? sandbox : await workspaceOf(sandbox), kind);
    }

    it('opens the portal', async () => {
      const { result, token, calls } = await enterPortal(await partnerIn());
      expect([result.status, result.headers.get('location')]).toEqual([303, inPortal]);
      expect(calls).toEqual([{ operation: 'getProfileAndPoints', authorization: `Bearer ${token}` }]);
    });

    it('leads from the microsite to the portal', async () => {
      const { result, calls } = await enterByMicrosite(await partnerIn());
      expect([result.status, result.headers.get('location')]).toEqual([303, inPortal]);
      const { token } = Object.fromEntries(new URL(result.url).searchParams);
      expect(calls).toEqual([
        { operation: 'generateOtp', authorization: expect.stringMatching(/^Basic /) },
        { operation: 'verifyOtp', authorization: expect.stringMatching(/^Basic /) },
        { operation: 'getProfileAndPoints', authorization: `Bearer ${token}` },
      ]);
    });

    it('orders through the rewards API after customerAuth', async () => {
      const { result, token, calls } = await orderByCustomerAuth(await partnerIn());
      expect(result.lines).toHaveLength(1);
      const own = { authorization: `Bearer ${token}` };
      expect(calls).toEqual([
        { operation: 'getProfileAndPoints', ...own },
        { operation: 'getProfileAndPoints', ...own },
        { operation: 'saveRedeemDetails', ...own },
      ]);
    });

    it('orders through version 2.0', async () => {
      const { result, token, calls } = await orderByV2(await partnerIn());
      expect(result.lines).toHaveLength(1);
      const own = { authorization: `Bearer ${token}` };
      expect(calls).toEqual([
        { operation: 'getProfileAndPoints', ...own },
        { operation: 'getCustomerPoints', ...own },
        { operation: 'redeemPoints', ...own },
      ]);
    });
  });
});

it('several concurrent workspaces: the server of each receives only the calls of its own workspace', async () => {
  const sandbox = await testSandbox();
  await sideBySide(6, () => workspaceOf(sandbox));
});

describe('an address without a key', () => {
  it("names the demo workspace in the error, and never calls the partner's server", async () => {
    const sandbox = await testSandbox();
    const partner = await partnership(await workspaceOf(sandbox), 'JWT');
    const token = partner.server.tokenOf('CUST0001');
    const reply = await look(`${sandbox.urls.portal}/signin?${new URLSearchParams({ token, uid: 'CUST0001' })}`);
    expect([reply.status, words(reply)]).toEqual([
      422,
      expect.stringContaining(
        'this address identifies no workspace. The platform validated the token with the client server of the demo workspace',
      ),
    ]);
    expect(partner.server.calls).toEqual([]);
  });

  it('answers a token with the id of a workspace as kid like one with an unknown id', async () => {
    const sandbox = await testSandbox();
    const { details } = await workspaceOf(sandbox);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [existing, unknown] = await Promise.all(
      [details.id, 'ws_0123456789abcdef'].map(async (kid) => {
        const token = `${part({ alg: 'HS256', kid })}.${part({ sub: 'CUST0001' })}.c2lnbmF0dXJl`;
        const { status, text, headers } = await look(`${sandbox.urls.portal}/signin?token=${token}&uid=CUST0001`);
        return { status, text, headers: [...headers.keys()] };
      }),
    );
    expect(existing).toEqual(unknown);
    expect(existing?.status).toBe(422);
  });
});

describe('an address with the key of a workspace', () => {
  it('names this workspace in the error if its server refuses the token', async () => {
    const sandbox = await testSandbox();
    const { workspace, server } = await partnership(await workspaceOf(sandbox), 'JWT');
    const reply = await look(`${workspace.urls.portal}/signin?token=nonsense&uid=CUST0001`);
    expect([reply.status, words(reply)]).toEqual([
      422,
      'This link does not open your rewards The link was already used or has expired. Sign in again and open your ' +
        'rewards from there. For developers: the platform validated the token with the client server of the workspace in this address. ' +
        'Open the start page',
    ]);
    expect(server.calls).toEqual([{ operation: 'getProfileAndPoints', authorization: 'Bearer nonsense' }]);
  });

  it('refuses credentials of another workspace like unknown ones', async () => {
    const sandbox = await testSandbox();
    const own = await workspaceOf(sandbox);
    const other = await workspaceOf(sandbox);
    const foreign = await companyTokenOf(other);
    const listed = await own.rewards(foreign).GET('/v1/partner/rewards');
    expect(refusal(listed)).toEqual(flat(401, 40, 'Missing or invalid token'));
    const body = { secret: other.credentials.company_secret };
    expect(refusal(await own.rewards().POST('/v1/company/auth', { body }))).toEqual(
      flat(401, 40, 'Invalid company secret'),
    );
  });

  it('does not open the control API', async () => {
    const sandbox = await testSandbox();
    const { urls } = await workspaceOf(sandbox);
    const address = urls.rewards.replace('/rewards', '/sandbox/v1/workspace');
    expect(await raw(address)).toMatchObject(notFound('The workspace of this URL'));
  });

  it('outlives a restart', async () => {
    const dataDir = await temporaryFolder();
    const first = await testSandbox({ dataDir });
    const { details } = await workspaceOf(first);
    await first.close();
    const { origin } = await testSandbox({ dataDir });
    const { pathname } = new URL(details.urls.microsite);
    expect((await look(`${origin}${pathname}`)).status).toBe(200);
  });
});

describe.each([
  ['no workspace has', '0123456789abcdef0123456789abcdef'],
  ['no workspace can have', 'ws_0123456789abcdef'],
])('an address with a key that %s', (_, key) => {
  const problem = 'no workspace has this URL; copy it from urls of GET /sandbox/v1/workspace';

  it('is 404, as a page on the sites and in the envelope of the APIs', async () => {
    const { origin } = await testSandbox();
    const page = await look(`${origin}/w/${key}/portal/signin?token=x&uid=CUST0001`);
    expect([page.status, words(page), page.headers.get('x-problem')]).toEqual([
      404,
      `Page not found This page does not exist or has been removed. For developers: ${problem}. Open the start page`,
      problem,
    ]);
    const listed = await raw(`${origin}/w/${key}/rewards/v1/partner/rewards`);
    expect({ status: listed.status, body: listed.body }).toEqual(notFound('The workspace of this URL'));
    expect(listed.headers.get('x-problem')).toBe(problem);
  });
});

it('the address of a deleted workspace answers like an unknown one', async () => {
  const sandbox = await testSandbox();
  const { details } = await workspaceOf(sandbox);
  await sandbox.control.DELETE('/workspaces/{id}', { params: { path: { id: details.id } } });
  expect((await look(details.urls.microsite)).status).toBe(404);
});
