/** What typed clients send in `Authorization`, and how a token is renewed. `fetch` is injected: no network. */
import { describe, expect, test } from 'vitest';
import {
  type Credentials,
  createAuthClient,
  createClientClient,
  createRewardsClient,
  createSandboxClient,
  renewedToken,
} from '../../generated/index.ts';

/** A `fetch` that answers everything with 200 and remembers what it was asked. */
function recorder() {
  const asked: { url: string; authorization: string | null }[] = [];
  const fetch = async (request: Request) => {
    asked.push({ url: request.url, authorization: request.headers.get('authorization') });
    return Response.json({});
  };
  return { asked, fetch };
}

const baseUrl = 'https://partner.invalid/x';
const basic = { username: 'microsite', password: 'p:ä' };

/** What is sent to each kind of operation with some credentials. */
async function sent(credentials: Credentials) {
  const { asked, fetch } = recorder();
  const options = { baseUrl, fetch, ...credentials };
  await createRewardsClient(options).GET('/v1/partner/rewards');
  await createRewardsClient(options).GET('/getwalletdetail', { params: { query: { uid: 'ANN' } } });
  await createClientClient(options).POST('/getProfileAndPoints', { params: { query: { uid: 'ANN' } } });
  await createAuthClient(options).POST('/api/v1/auth/generate-otp', { body: { customer_id: 'ANN' } });
  await createRewardsClient(options).POST('/v1/company/auth', { body: { secret: 's' } });
  const [catalogue, wallet, profile, otp, companyAuth] = asked.map(({ authorization }) => authorization);
  return { catalogue, wallet, profile, otp, companyAuth };
}

describe('each operation gets its credential in the form that its contract documents (OP-03)', () => {
  test('a token: bare where the interface says so, else as Bearer', async () => {
    expect(await sent({ token: 'T' })).toEqual({
      ...{ catalogue: 'T', wallet: 'Bearer T', profile: 'Bearer T' },
      ...{ otp: null, companyAuth: null },
    });
  });

  test('Basic credentials: on the operations under Basic only, in UTF-8', async () => {
    const otp = `Basic ${Buffer.from('microsite:p:ä', 'utf8').toString('base64')}`;
    expect(await sent({ basic })).toEqual({ catalogue: null, wallet: null, profile: null, otp, companyAuth: null });
  });

  test('none: nothing is sent', async () => {
    expect(Object.values(await sent({}))).toEqual([null, null, null, null, null]);
  });

  test('a function is asked for the token at each call', async () => {
    let count = 0;
    const token = async () => {
      count += 1;
      return `T${count}`;
    };
    expect(await sent({ token })).toMatchObject({ catalogue: 'T1', wallet: 'Bearer T2', profile: 'Bearer T3' });
    expect(count).toBe(3);
  });

  test('a call that brings a header of its own keeps it', async () => {
    const { asked, fetch } = recorder();
    const client = createRewardsClient({ baseUrl, fetch, token: 'T' });
    await client.GET('/v1/partner/rewards', { headers: { Authorization: 'mine' } });
    expect(asked).toEqual([{ url: 'https://partner.invalid/x/v1/partner/rewards', authorization: 'mine' }]);
  });

  test('the address is the base with the path of the contract, its parameters filled in', async () => {
    const { asked, fetch } = recorder();
    const client = createRewardsClient({ baseUrl, fetch });
    await client.GET('/getwalletdetail', { params: { query: { uid: 'A & B/ü' } } });
    await createSandboxClient({ baseUrl, fetch }).GET('/ledger/{uid}', { params: { path: { uid: 'a/b' } } });
    expect(asked.map(({ url }) => url)).toEqual([
      'https://partner.invalid/x/getwalletdetail?uid=A%20%26%20B%2F%C3%BC',
      'https://partner.invalid/x/ledger/a%2Fb',
    ]);
  });
});

describe('a renewed token', () => {
  /**
   * A sign-in that gives one numbered token after the other, each for so many seconds, on a clock of the test's own.
   */
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

  test('is asked for at the first call only, and used from then on', async () => {
    const { signIns, answer, token } = source(3600);
    expect(signIns).toHaveLength(0);
    const first = token();
    answer(1);
    expect([await first, await token(), await token(), signIns.length]).toEqual(['T1', 'T1', 'T1', 1]);
  });

  test('calls that come while it is asked for share it', async () => {
    const { signIns, answer, token } = source(3600);
    const all = [token(), token(), token()];
    answer(1);
    expect([await Promise.all(all), signIns.length]).toEqual([['T1', 'T1', 'T1'], 1]);
  });

  test('is renewed 30 seconds before it runs out, counted from when it was asked for', async () => {
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

  test('that lives for less than that is asked for at each call', async () => {
    const { answer, token } = source(30);
    const first = token();
    answer(1);
    await first;
    const second = token();
    answer(2);
    expect(await second).toBe('T2');
  });

  test('that could not be had is asked for again by the next call; those that waited learn of the failure', async () => {
    const { signIns, answer, token } = source(3600);
    const waiting = [token(), token()].map((call) => call.catch((error: Error) => error.message));
    signIns[0]?.reject(new Error('the platform is away'));
    expect(await Promise.all(waiting)).toEqual(['the platform is away', 'the platform is away']);
    const again = token();
    answer(2);
    expect([await again, signIns.length]).toEqual(['T2', 2]);
  });
});
