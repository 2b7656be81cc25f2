/** The numbered statements of docs/interface.md with the checks for each in traffic, and descriptions of the results. */
import type { components } from '../../../generated/proxy/types.ts';
import { idsOf, isStated } from '../../contract/basis.ts';
import { exchangeRules } from './judge-exchange.ts';
import { traceRules } from './judge-trace.ts';

type StatementCoverage = components['schemas']['StatementCoverage'];

/** A statement of the interface, with the checks for it in traffic. */
export interface Statement {
  readonly id: string;
  /** Locations from `contractPlaces`. */
  readonly contract: readonly string[];
  /** Ids of the exchange rules and trace rules that check the statement. */
  readonly rules: readonly string[];
  /** The reason that traffic cannot exercise the statement, if neither a contract nor a rule checks it. */
  readonly notVisible: string | undefined;
}

/**
 * Message locations where the contracts express a statement. `listRewards > /query/type` is a request parameter, `listRewards <
 * 200 /body/items` a value in a reply, and `listRewards <` any reply. An exchange that contains such a location exercises the
 * statement.
 */
const contractPlaces: Readonly<Record<string, readonly string[]>> = {
  G4: ['generateOtp >', 'verifyOtp >'],
  G14: ['saveRedeemDetails > /body/redeemStatus'],
  G15: ['updateRedeemStatus > /body/status=Delivered'],
  G16: ['updateRedeemStatus > /body/status=Rejected'],
  G17: ['getWalletDetail >'],
  A1: ['companyAuth > /body/secret'],
  A4: ['listRewards > /headers/authorization'],
  A5: ['listRewards > /query/type'],
  A7: ['listRewards > /query/limit'],
  A8: ['listRewards > /query/cursor'],
  A9: ['listRewards < 200 /body'],
  A12: ['createRedemptionOrder >'],
  A13: ['createRedemptionOrder > /body/line_items'],
  A14: ['getWalletDetail > /headers/authorization'],
  A15: ['getWalletDetail > /query/uid'],
  A16: ['getWalletDetail < 200 /body'],
  B1: [
    'getProfileAndPoints > /headers/authorization',
    'creditPoints > /headers/authorization',
    'saveRedeemDetails > /headers/authorization',
    'updateRedeemStatus > /headers/authorization',
  ],
  B2: ['getProfileAndPoints > /query/uid'],
  B3: ['getProfileAndPoints < 200 /body'],
  B4: ['creditPoints > /body'],
  B5: ['saveRedeemDetails > /body'],
  B6: ['saveRedeemDetails < 200 /body'],
  B10: ['updateRedeemStatus > /body'],
  B12: ['updateRedeemStatus > /body/remark'],
  B13: ['updateRedeemStatus < 200 /body'],
  C1: ['openPortal >'],
  C2: ['openPortal > /query/token', 'openPortal > /query/uid'],
  D1: [
    'generateOtp > /headers/authorization',
    'verifyOtp > /headers/authorization',
    'generateOtp > /headers/content-type',
  ],
  D2: ['generateOtp > /body/customer_id'],
  D5: ['verifyOtp > /body'],
  E1: ['generateOtp >'],
  E2: ['verifyOtp >'],
  E3: ['getCustomerPoints >'],
  E4: ['listCatalog >'],
  E5: ['createOrder >'],
  E6: ['getOrderStatus >'],
  E7: ['redeemPoints >'],
  E8: ['reversePoints >'],
  F1: ['login >'],
  F2: ['getUserProfile >'],
  F3: ['listProducts >'],
  F4: ['createProductOrder >'],
  R1: ['listRewards < 200 /body/items/*/id'],
  R2: ['listRewards < 200 /body/items/*/product_type'],
  R4: ['listRewards < 200 /body/items/*/denomination_value'],
  R5: ['listRewards < 200 /body/items/*/price'],
  R6: ['listRewards < 200 /body/items'],
  R8: ['getProfileAndPoints < 200 /body/profile'],
  R9: ['getProfileAndPoints < 200 /body/profile/email'],
  R10: ['getProfileAndPoints < 200 /body/points'],
  R11: ['saveRedeemDetails > /body'],
  R12: ['saveRedeemDetails > /body/redeemPoints'],
  R15: ['saveRedeemDetails > /body/shippingAddress'],
  R16: ['saveRedeemDetails > /body/redeemStatus'],
  R18: ['creditPoints > /body'],
  R22: ['getWalletDetail < 200 /body/data/*/voucherCode'],
  R24: ['getWalletDetail < 200 /body/data/*/validityStartDate'],
  S1: ['updateRedeemStatus > /body/status'],
  S2: ['saveRedeemDetails > /body/redeemStatus', 'updateRedeemStatus > /body/status'],
  T1: ['generateOtp > /headers/authorization', 'verifyOtp > /headers/authorization'],
  T3: ['getWalletDetail > /headers/authorization', 'getUserProfile > /headers/authorization'],
  M3: ['creditPoints >'],
  M6: ['updateRedeemStatus > /body/redeemCode'],
  M7: ['getWalletDetail > /query/uid'],
  M9: ['getWalletDetail >'],
  X1: ['getProfileAndPoints < 422', 'creditPoints < 422', 'saveRedeemDetails < 422', 'updateRedeemStatus < 422'],
  X2: ['getProfileAndPoints < 422 /body/data/message=Token Invalid'],
  X5: ['listRewards < 400 /body'],
  L3: ['listRewards > /query/limit=200'],
  L4: ['companyAuth > /headers/content-type', 'saveRedeemDetails > /headers/content-type'],
  P1: ['listRewards >', 'login >'],
  P2: ['listCatalog >', 'getCustomerPoints >'],
};

/** The reason that traffic cannot exercise a statement. */
const notVisible: Readonly<Record<string, string>> = {
  G1: 'It names addresses. The addresses of a capture are set by options.',
  G2: 'It describes the purpose of the service.',
  G3: 'It names the source of truth. B7, R21 and S8 cover how numbers follow from calls.',
  G5: 'Messages to customers go through gateways outside the interface.',
  G6: 'It summarises the statements of A, B and C.',
  G7: 'Calls to vendors are outside the interface.',
  G10: 'Pages are for people; the interface does not specify their content.',
  G12: 'The interface does not specify the refusal, and an order that is not placed causes no call.',
  A2: 'The header appears only in an example; any value, or none, is accepted.',
  A6: 'Only the platform knows which items exist.',
  A10: 'A sync that stops early may resume later. R6 and R7 cover the links between pages.',
  A11: 'It is a recommendation to clients.',
  C3: 'The client decides how to open the page.',
  D3: 'Only the client knows which customers exist.',
  D4: 'The message with the password is outside the interface.',
  D7: 'The session is between the microsite and its browser.',
  R19: 'One value is given as an example; others are not excluded.',
  S7: 'The reason of a failure is free text. S6 and S8 cover the consequences of a rejection.',
  S9: 'The threshold is not specified, and the client may choose either.',
  S10: 'Messages contain no points labels.',
  S11: 'Messages contain no points labels.',
  S12: 'Messages contain no points labels. S5 covers that points stay deducted.',
  S13: 'Messages contain no points labels. S8 covers that points are credited back.',
  T5: 'Captures do not show connection security; plain HTTP is accepted on loopback.',
  T6: 'Captures do not show connection security.',
  T7: 'Captures do not show stored data.',
  T8: 'Only the platform knows the allowlist.',
  M1: 'It states that nothing else exists.',
  M8: 'The interface shows neither the registration nor the payload of the webhook.',
  P3: 'It is the version of a document.',
};

const rulesByStatement = new Map<string, string[]>();
for (const { id, basis } of [...exchangeRules, ...traceRules].filter((rule) => isStated(rule.basis)))
  for (const name of idsOf(basis)) rulesByStatement.set(name, [...(rulesByStatement.get(name) ?? []), id]);

const sections = 'GABCDEFRSTMXLP';

/** All numbered statements of docs/interface.md, with the checks for each in traffic. */
export const statements: readonly Statement[] = [
  ...new Set([...Object.keys(contractPlaces), ...Object.keys(notVisible), ...rulesByStatement.keys()]),
]
  .sort((one, other) => order(one) - order(other))
  .map((id) => ({
    id,
    contract: contractPlaces[id] ?? [],
    rules: rulesByStatement.get(id) ?? [],
    notVisible: notVisible[id],
  }));

/** All rules, by id. */
export const rules = new Map([...exchangeRules, ...traceRules].map((rule) => [rule.id, rule] as const));

function order(id: string): number {
  return sections.indexOf(id.slice(0, 1)) * 100 + Number(id.slice(1));
}

/** Summarizes for the text report how many statements traffic exercised, and which ones it violated or did not exercise. */
export function statementWords(coverage: readonly StatementCoverage[]): string {
  const visible = coverage.filter(({ state }) => state !== 'not_visible');
  const of = (state: StatementCoverage['state']) => visible.filter((one) => one.state === state);
  const [exercised, violated, open] = [of('kept'), of('violated'), of('not_observed')];
  const broken = violated.length === 0 ? '' : ` ${violated.length} violated (${listIds(violated)}).`;
  const unseen = open.length === 0 ? '' : ` Not observed: ${listIds(open)}.`;
  return `Statements: ${exercised.length} of ${visible.length} exercised without violation.${broken}${unseen}`;
}

/** Describes the observations of one statement. */
export function oneStatement({ state, kept, violated, exchanges }: StatementCoverage): string {
  if (state === 'not_observed') return 'not observed';
  if (state === 'not_visible') return 'not visible in traffic';
  if (state === 'kept') return `exercised without violation ${kept} times`;
  const calls = exchanges.map(({ number, method, url }) => `#${number} ${method} ${url}`);
  return `violated ${violated} times, by ${calls.join(', ')}`;
}

/** Describes a violation of a rule to people who have not read the rule. Returns `undefined` if no rule has this id. */
export function ruleWords(id: string): string | undefined {
  const rule = rules.get(id);
  if (rule === undefined) return undefined;
  return `the rule "${id.replaceAll('-', ' ')}" is violated (${rule.basis.replace('stated ', '')})`;
}

/** Maximum number of ids listed in one line. */
const mostIds = 20;

function listIds(coverage: readonly StatementCoverage[]): string {
  const rest = coverage.length - mostIds;
  const listed = coverage.slice(0, mostIds).map(({ id }) => id);
  return `${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns whether traffic can exercise the statement with this id, or any statement in the section with this letter. */
export function isRequirable(name: string): boolean {
  return statements.some(({ id, notVisible }) => notVisible === undefined && names(name, id));
}

/** Returns the ids of the required statements that no exchange exercised. `required` contains ids or section letters. */
export function unobserved(coverage: readonly StatementCoverage[], required: readonly string[]): string[] {
  return coverage
    .filter(({ id, state }) => state === 'not_observed' && required.some((name) => names(name, id)))
    .map(({ id }) => id);
}

function names(name: string, id: string): boolean {
  return name === id || (/^[A-Z]$/.test(name) && id.startsWith(name));
}
