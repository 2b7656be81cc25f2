/** Tests the `Authorization` header of typed clients and token renewal. `fetch` is injected, so the tests use no network. */
import { describe, expect, test } from 'vitest';
import {
  type Credentials,
  createAuthClient,
  createClientClient,
  createRewardsClient,
  createSandboxClient,
  renewedToken,
} from '../../generated/index.ts';

/** Creates a `fetch` function that answers every request with 200 and records it. */
function recorder() {
  const requests: { url: string; authorization: string | null }[] = [];
  const fetch = async (request: Request) => {
    requests.push({ url: request.url, authorization: request.headers.get('authorization') });
    return Response.json({});
  };
  return { requests, fetch };
}

const baseUrl = 'https://partner.invalid/x';
const basic = { username: 'microsite', password: 'p:ä' };

/** Returns the header that each kind of operation sends with these credentials. */
async function sentCredentials(credentials: Credentials) {
  const { requests, fetch } = recorder();
  const options = { baseUrl, fetch, ...credentials };
  await createRewardsClient(options).GET('/v1/partner/rewards');
  await createRewardsClient(options).GET('/getwalletdetail', { params: { query: { uid: 'ANN' } } });
  await createClientClient(options).POST('/getProfileAndPoints', { params: { query: { uid: 'ANN' } } });
  await createAuthClient(options).POST('/api/v1/auth/generate-otp', { body: { customer_id: 'ANN' } });
  await createRewardsClient(options).POST('/v1/company/auth', { body: { secret: 's' } });
  const [catalogue, wallet, profile, otp, companyAuth] = requests.map(({ authorization }) => authorization);
  return { catalogue, wallet, profile, otp, companyAuth };
}

describe('each operation gets its credential in the form that its contract documents (OP-03)', () => {
  test('a token: bare where the interface requires it, otherwise as Bearer', async () => {
    expect(await sentCredentials({ token: 'T' })).toEqual({
      catalogue: 'T',
      wallet: 'Bearer T',
      profile: 'Bearer T',
      otp: null,
      companyAuth: null,
    });
  });

  test('Basic credentials: only on operations with Basic authentication, in UTF-8', async () => {
    const otp = `Basic ${Buffer.from('microsite:p:ä', 'utf8').toString('base64')}`;
    expect(await sentCredentials({ basic })).toEqual({
      catalogue: null,
      wallet: null,
      profile: null,
      otp,
      companyAuth: null,
    });
  });

  test('no credentials: no header', async () => {
    expect(Object.values(await sentCredentials({}))).toEqual([null, null, null, null, null]);
  });

  test('a token function is called for each request', async () => {
    let count = 0;
    const token = async () => {
      count += 1;
      return `T${count}`;
    };
    expect(await sentCredentials({ token })).toMatchObject({
      catalogue: 'T1',
      wallet: 'Bearer T2',
      profile: 'Bearer T3',
    });
    expect(count).toBe(3);
  });

  test('a call with its own header keeps it', async () => {
    const { requests, fetch } = recorder();
    const client = createRewardsClient({ baseUrl, fetch, token: 'T' });
    await client.GET('/v1/partner/rewards', { headers: { Authorization: 'mine' } });
    expect(requests).toEqual([{ url: 'https://partner.invalid/x/v1/partner/rewards', authorization: 'mine' }]);
  });

  test('the URL is the base with the path of the contract and its parameters', async () => {
    const { requests, fetch } = recorder();
    const client = createRewardsClient({ baseUrl, fetch });
    await client.GET('/getwalletdetail', { params: { query: { uid: 'A & B/ü' } } });
    await createSandboxClient({ baseUrl, fetch }).GET('/ledger/{uid}', { params: { path: { uid: 'a/b' } } });
    expect(requests.map(({ url }) => url)).toEqual([
      'https://partner.invalid/x/getwalletdetail?uid=A%20%26%20B%2F%C3%BC',
      'https://partner.invalid/x/ledger/a%2Fb',
    ]);
  });
});

describe('a renewed token', () => {
  /** Creates a sign-in function that returns numbered tokens on a test clock. Each token is valid for `expires_in` seconds. */
  function source(expires_in: number) {
    const clock = { now: 1_000_000 };
    const signIns: PromiseWithResolvers<{ token: string; expires_in: number }>[] = [];
    const signIn = () => {
      const one = Promise.withResolvers<{ token: string; expires_in: number }>();
      signIns.push(one);
      return one.promise;
    };
    const answer = (number: number) => signIns[number - 1]?.resolve({ token: `T${number}`, expires_in });
    return { clock, signIns, answer, token: renewedToken(signIn, () => clock.now) };
  }

  test('is requested at the first call only, and then reused', async () => {
    const { signIns, answer, token } = source(3600);
    expect(signIns).toHaveLength(0);
    const first = token();
    answer(1);
    expect([await first, await token(), await token(), signIns.length]).toEqual(['T1', 'T1', 'T1', 1]);
  });

  test('concurrent calls share one sign-in', async () => {
    const { signIns, answer, token } = source(3600);
    const all = [token(), token(), token()];
    answer(1);
    expect([await Promise.all(all), signIns.length]).toEqual([['T1', 'T1', 'T1'], 1]);
  });

  test('is renewed 30 seconds before it expires, counted from its request', async () => {
    const { clock, answer, token } = source(3600);
    const first = token();
    clock.now += 5_000;
    answer(1);
    await first;
    clock.now = 1_000_000 + 3_569_999;
    expect(await token()).toBe('T1');
    clock.now += 1;
    const second = token();
    answer(2);
    expect(await second).toBe('T2');
  });

  test('is requested at each call if it lives no longer than that', async () => {
    const { answer, token } = source(30);
    const first = token();
    answer(1);
    await first;
    const second = token();
    answer(2);
    expect(await second).toBe('T2');
  });

  test('is requested again by the next call after a failure, which rejects the waiting calls', async () => {
    const { signIns, answer, token } = source(3600);
    const waiting = [token(), token()].map((call) => call.catch((error: Error) => error.message));
    signIns[0]?.reject(new Error('the platform is away'));
    expect(await Promise.all(waiting)).toEqual(['the platform is away', 'the platform is away']);
    const again = token();
    answer(2);
    expect([await again, signIns.length]).toEqual(['T2', 2]);
  });
});
