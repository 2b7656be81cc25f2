/** Rules for tokens: a token may be used only after it was issued, and only for the customer it was issued to. */
import { callerTraceRule, type Observation, type TraceRule } from '../rule.ts';
import type { Trace } from '../trace.ts';
import type { TraceEvent } from '../trace-event.ts';

/** Returns the exchanges of `issuing` operations that returned the token of an exchange. */
function issuersOf(trace: Trace, { token }: TraceEvent, issuing: readonly string[]): readonly TraceEvent[] {
  const issuers = token === undefined ? undefined : trace.issuers.get(token);
  return (issuers ?? []).filter(({ operation }) => issuing.includes(operation));
}

function issue(expected: string, actual: string, pointer = '/headers/authorization') {
  return { pointer, expected, actual };
}

/** Creates a rule that a token must not be used before the recording shows how it was issued. */
function issuedFirst(id: string, basis: string, using: readonly string[], issuing: readonly string[]): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    for (const at of trace.of(...using)) {
      const issuers = issuersOf(trace, at, issuing);
      if (issuers.length === 0) continue;
      if (issuers.some((issuer) => trace.isBefore(issuer, at))) yield { at, with: issuers.slice(0, 1) };
      else if (issuers.every((issuer) => trace.isBefore(at, issuer))) {
        const expected = `a token returned earlier by ${issuing.join(' or ')}`;
        yield { at, with: issuers.slice(0, 1), issue: issue(expected, 'a token issued later') };
      }
    }
  });
}

/** Creates a rule that the token of a successful call must come from a sign-in. The rule needs a complete recording. */
function issuedAtAll(id: string, basis: string, using: readonly string[], issuing: readonly string[]): TraceRule {
  return callerTraceRule(id, basis, function* (trace) {
    if (!trace.complete) return;
    // If the sign-in responses are masked or not captured, no token is visible.
    const areTokensVisible = trace
      .of(...issuing)
      .every(({ succeeded, facts }) => !succeeded || (facts.issued?.length ?? 0) > 0);
    if (!areTokensVisible) return;
    for (const at of trace.of(...using)) {
      if (at.token === undefined || !at.succeeded) continue;
      const issuers = trace.issuers.get(at.token) ?? [];
      if (issuers.length > 0) yield { at };
      else {
        const unknownToken = issue(`a token returned by ${issuing.join(' or ')}`, 'a token that no call returned');
        yield { at, issue: unknownToken, absent: issuing };
      }
    }
  });
}

/** Creates a rule that the token of a call must have been issued to the customer that the call is about. */
function ofItsCustomer(
  rule: Pick<TraceRule, 'id' | 'basis' | 'party'> & { readonly acceptedOnly: boolean; readonly pointer: string },
  using: readonly string[],
  issuing: readonly string[],
): TraceRule {
  const { acceptedOnly, pointer, ...named } = rule;
  return {
    ...named,
    *observe(trace): Generator<Observation> {
      for (const at of trace.of(...using)) {
        if (at.token === undefined || trace.isCut(trace.issuers.get(at.token) ?? [])) continue;
        const owners = issuersOf(trace, at, issuing).filter(({ uid }) => uid !== undefined);
        if (at.uid === undefined || owners.length === 0 || (acceptedOnly && !at.succeeded)) continue;
        const [owner] = owners;
        if (owners.some(({ uid }) => uid === at.uid)) yield { at, with: owners.slice(0, 1) };
        else
          yield {
            at,
            with: owners.slice(0, 1),
            issue: issue(`"${owner?.uid}", who received the token`, at.uid, pointer),
          };
      }
    },
  };
}

const company = ['companyAuth'];
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
      const unknown = issue('the JWT of a sign-in', 'a JWT that no call returned');
      yield trace.issuers.has(token)
        ? { at, with: [signIn] }
        : { at, with: [signIn], issue: unknown, absent: ['verifyOtp'] };
    }
  }),
  issuedAtAll('company-token-issued', 'stated A1 A4', ['listRewards'], rewardsTokens),
  issuedAtAll('customer-auth-token-issued', 'stated A3', ['customerAuth'], rewardsTokens),
  issuedAtAll('access-token-issued', 'stated F1 T3', ['getUserProfile', 'listProducts'], ['login']),
  ofItsCustomer(
    {
      id: 'wallet-of-its-customer',
      basis: 'OP-45',
      party: 'host',
      acceptedOnly: true,
      pointer: '/status',
    },
    ['getWalletDetail'],
    ['customerAuth'],
  ),
  ofItsCustomer(
    {
      id: 'portal-token-of-its-customer',
      basis: 'OP-19',
      party: 'caller',
      acceptedOnly: false,
      pointer: '/query/uid',
    },
    ['openPortal'],
    ['verifyOtp'],
  ),
  ofItsCustomer(
    {
      id: 'jwt-of-its-customer',
      basis: 'OP-19',
      party: 'caller',
      acceptedOnly: true,
      pointer: '/headers/authorization',
    },
    ['getProfileAndPoints', 'saveRedeemDetails', 'getCustomerPoints', 'redeemPoints'],
    ['verifyOtp'],
  ),
];
