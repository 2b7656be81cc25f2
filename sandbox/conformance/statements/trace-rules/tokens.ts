/** Rules for tokens: a token may be used only after it was issued, and only for the customer it was issued to. */
import { callerTraceRule, hostTraceRule, observe, observeOrder, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

/** Returns the exchanges of `issuing` operations that returned the token of an exchange. */
function issuersOf(trace: Trace, { token }: TraceEvent, issuing: readonly string[]): readonly TraceEvent[] {
  const issuers = token === undefined ? undefined : trace.issuers.get(token);
  return (issuers ?? []).filter(({ operation }) => issuing.includes(operation));
}

const header = '/headers/authorization';

/** Creates a rule that a token must not be used before the recording shows how it was issued. */
function issuedFirst(id: string, basis: string, using: readonly string[], issuing: readonly string[]): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    const expected = `a token returned earlier by ${issuing.join(' or ')}`;
    for (const at of trace.of(...using))
      yield* observeOrder(trace, at, issuersOf(trace, at, issuing), header, expected, 'a token issued later');
  });
}

/** Creates a rule that the token of a successful call must come from a sign-in. The rule needs a complete recording. */
function issuedAtAll(id: string, basis: string, using: readonly string[], issuing: readonly string[]): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    if (!trace.complete) return;
    // If the sign-in responses are masked or not captured, no token is visible.
    if (trace.of(...issuing).some(({ succeeded, facts }) => succeeded && !facts.issued?.length)) return;
    const texts = [`a token returned by ${issuing.join(' or ')}`, 'a token that no call returned'] as const;
    for (const at of trace.of(...using)) {
      if (at.token === undefined || !at.succeeded) continue;
      yield observe(at, [], trace.issuers.has(at.token), header, ...texts, issuing);
    }
  });
}

/** Creates a rule that the token of a call must have been issued to the customer that the call is about. */
function ofItsCustomer(
  makeRule: typeof callerTraceRule,
  id: string,
  basis: string,
  pointer: string,
  using: readonly string[],
  issuing: string,
): TraceRule {
  return makeRule(id, basis, function* (trace) {
    for (const at of trace.of(...using)) {
      if (at.token === undefined || trace.isCut(trace.issuers.get(at.token) ?? [])) continue;
      const owners = issuersOf(trace, at, [issuing]).filter(({ uid }) => uid !== undefined);
      const [owner] = owners;
      // The portal answers a browser with a redirect or a page, so its status does not show whether it accepted the token.
      const isAccepted = at.succeeded || at.operation === 'openPortal';
      if (at.uid === undefined || owner === undefined || !isAccepted) continue;
      const isOwner = owners.some(({ uid }) => uid === at.uid);
      yield observe(at, [owner], isOwner, pointer, `"${owner.uid}", who received the token`, at.uid);
    }
  });
}

const company = ['companyAuth'];
const customerCalls = ['getProfileAndPoints', 'saveRedeemDetails', 'getCustomerPoints', 'redeemPoints'];
const rewardsTokens = ['companyAuth', 'customerAuth', 'verifyOtp'];

export const tokenRules: readonly TraceRule[] = [
  issuedFirst('company-token-issued-first', 'stated A1 A4', ['listRewards'], company),
  issuedFirst('wallet-token-issued-first', 'stated A1', ['getWalletDetail'], company),
  issuedFirst('order-token-issued-first', 'stated A1', ['createRedemptionOrder'], company),
  issuedFirst('company-signs-in-first', 'stated A3', ['customerAuth'], company),
  issuedFirst(
    'access-token-issued-first',
    'stated F1 T3',
    ['getUserProfile', 'listProducts', 'createProductOrder'],
    ['login'],
  ),
  issuedFirst('jwt-issued-first', 'stated T2', ['getProfileAndPoints', 'saveRedeemDetails'], ['verifyOtp']),
  callerTraceRule('jwt-of-a-sign-in', 'stated T2', function* (trace) {
    const signIns = trace.of('verifyOtp').filter(({ succeeded }) => succeeded);
    if (!trace.complete || signIns.some(({ facts }) => (facts.issued?.length ?? 0) === 0)) return;
    const serving = trace.of('creditPoints', 'saveRedeemDetails', 'updateRedeemStatus', 'reversePoints');
    const services = new Set(serving.map(({ token }) => token));
    for (const at of trace.of('createOrder', 'getCustomerPoints', 'redeemPoints')) {
      const { token = '', uid, hasJwt, succeeded } = at;
      const signIn = signIns.find((one) => one.uid === uid && trace.isBefore(one, at));
      // The platform may use its own JWT in calls to the client.
      if (signIn === undefined || !hasJwt || !succeeded || services.has(token)) continue;
      const texts = ['the JWT of a sign-in', 'a JWT that no call returned'] as const;
      yield observe(at, [signIn], trace.issuers.has(token), header, ...texts, ['verifyOtp']);
    }
  }),
  issuedAtAll('company-token-issued', 'stated A1 A4', ['listRewards'], rewardsTokens),
  issuedAtAll('customer-auth-token-issued', 'stated A3', ['customerAuth'], rewardsTokens),
  issuedAtAll('access-token-issued', 'stated F1 T3', ['getUserProfile', 'listProducts'], ['login']),
  ofItsCustomer(hostTraceRule, 'wallet-of-its-customer', 'OP-45', '/status', ['getWalletDetail'], 'customerAuth'),
  ofItsCustomer(callerTraceRule, 'portal-token-of-its-customer', 'OP-19', '/query/uid', ['openPortal'], 'verifyOtp'),
  ofItsCustomer(callerTraceRule, 'jwt-of-its-customer', 'OP-19', header, customerCalls, 'verifyOtp'),
];
