/** A statement of the interface, with the checks for it in traffic. The tables below have one row per statement. */
export interface Statement {
  readonly id: string;
  /**
   * Message locations where the contracts express the statement. `listRewards > /query/type` is a request parameter, `listRewards <
   * 200 /body/items` a value in a reply, and `listRewards <` any reply. An exchange that contains such a location exercises the
   * statement.
   */
  readonly contract?: readonly string[];
  /** Ids of the exchange rules and trace rules that check the statement. */
  readonly rules?: readonly string[];
  /** The reason that traffic cannot exercise the statement, if neither a contract nor a rule checks it. */
  readonly notVisible?: string;
}

/** Returns a statement that the contracts check. */
function byContract(id: string, ...contract: readonly string[]): Statement {
  return { id, contract };
}

/** Returns a statement that rules check. */
function byRules(id: string, ...rules: readonly string[]): Statement {
  return { id, rules };
}

function byBoth(id: string, contract: readonly string[], rules: readonly string[]): Statement {
  return { id, contract, rules };
}

function notVisible(id: string, reason: string): Statement {
  return { id, notVisible: reason };
}

/** Statements about operations: sections A to F. */
export const operationStatements: readonly Statement[] = [
  byBoth(
    'A1',
    ['companyAuth > /body/secret'],
    [
      'company-token',
      'company-token-issued',
      'company-token-issued-first',
      'order-token-issued-first',
      'wallet-token-issued-first',
    ],
  ),
  notVisible('A2', 'The header appears only in an example; any value, or none, is accepted.'),
  byRules('A3', 'company-signs-in-first', 'customer-auth-token-issued'),
  byBoth('A4', ['listRewards > /headers/authorization'], ['company-token-issued', 'company-token-issued-first']),
  byBoth('A5', ['listRewards > /query/type'], ['type-filter']),
  notVisible('A6', 'Only the platform knows which items exist.'),
  byBoth('A7', ['listRewards > /query/limit'], ['page-size']),
  byBoth('A8', ['listRewards > /query/cursor'], ['cursor-issued', 'cursor-issued-first']),
  byContract('A9', 'listRewards < 200 /body'),
  notVisible('A10', 'A sync that stops early may resume later. R6 and R7 cover the links between pages.'),
  notVisible('A11', 'It is a recommendation to clients.'),
  byContract('A12', 'createRedemptionOrder >'),
  byBoth('A13', ['createRedemptionOrder > /body/line_items'], ['line-names-an-item', 'sku-exactly-as-listed']),
  byContract('A14', 'getWalletDetail > /headers/authorization'),
  byBoth('A15', ['getWalletDetail > /query/uid'], ['voucher-of-its-customer']),
  byContract('A16', 'getWalletDetail < 200 /body'),
  byBoth(
    'B1',
    [
      'getProfileAndPoints > /headers/authorization',
      'creditPoints > /headers/authorization',
      'saveRedeemDetails > /headers/authorization',
      'updateRedeemStatus > /headers/authorization',
    ],
    ['call-needs-a-token', 'profile-needs-a-token', 'record-needs-a-token'],
  ),
  byContract('B2', 'getProfileAndPoints > /query/uid'),
  byContract('B3', 'getProfileAndPoints < 200 /body'),
  byContract('B4', 'creditPoints > /body'),
  byContract('B5', 'saveRedeemDetails > /body'),
  byContract('B6', 'saveRedeemDetails < 200 /body'),
  byRules('B7', 'deduction-lowers-the-balance'),
  byRules('B8', 'record-needs-a-token'),
  byRules('B9', 'deduction-is-covered', 'order-of-a-taken-record'),
  byContract('B10', 'updateRedeemStatus > /body'),
  byRules('B11', 'order-status-repeats-status'),
  byContract('B12', 'updateRedeemStatus > /body/remark'),
  byContract('B13', 'updateRedeemStatus < 200 /body'),
  byRules('B14', 'rejection-restores-the-balance'),
  byContract('C1', 'openPortal >'),
  byContract('C2', 'openPortal > /query/token', 'openPortal > /query/uid'),
  notVisible('C3', 'The client decides how to open the page.'),
  byContract(
    'D1',
    'generateOtp > /headers/authorization',
    'verifyOtp > /headers/authorization',
    'generateOtp > /headers/content-type',
  ),
  byContract('D2', 'generateOtp > /body/customer_id'),
  notVisible('D3', 'Only the client knows which customers exist.'),
  notVisible('D4', 'The message with the password is outside the interface.'),
  byContract('D5', 'verifyOtp > /body'),
  byRules('D6', 'jwt', 'points-information'),
  notVisible('D7', 'The session is between the microsite and its browser.'),
  byContract('E1', 'generateOtp >'),
  byContract('E2', 'verifyOtp >'),
  byContract('E3', 'getCustomerPoints >'),
  byContract('E4', 'listCatalog >'),
  byContract('E5', 'createOrder >'),
  byContract('E6', 'getOrderStatus >'),
  byBoth('E7', ['redeemPoints >'], ['redeem-lowers-the-balance']),
  byBoth('E8', ['reversePoints >'], ['failure-is-reversed', 'reversal-of-a-deduction', 'reverse-restores-the-balance']),
  byBoth('F1', ['login >'], ['access-token', 'access-token-issued', 'access-token-issued-first']),
  byContract('F2', 'getUserProfile >'),
  byContract('F3', 'listProducts >'),
  byContract('F4', 'createProductOrder >'),
];

const egv = 'listRewards < 200 /body/items/*/denomination_value';
const physical = 'listRewards < 200 /body/items/*/price';

/** Statements about records and fields (R), authentication (T), messages (M), errors (X), limits (L), paths and versions (P). */
export const recordStatements: readonly Statement[] = [
  byContract('R1', 'listRewards < 200 /body/items/*/id'),
  byContract('R2', 'listRewards < 200 /body/items/*/product_type'),
  byRules('R3', 'sku-exactly-as-listed'),
  byContract('R4', egv),
  byContract('R5', physical),
  byBoth('R6', ['listRewards < 200 /body/items'], ['cursor-leads-on', 'cursor-advances']),
  byRules('R7', 'cursor-has-more'),
  byContract('R8', 'getProfileAndPoints < 200 /body/profile'),
  byBoth('R9', ['getProfileAndPoints < 200 /body/profile/email'], ['date-of-birth']),
  byContract('R10', 'getProfileAndPoints < 200 /body/points'),
  byBoth('R11', ['saveRedeemDetails > /body'], ['record-has-the-customer', 'record-has-the-quantity']),
  byContract('R12', 'saveRedeemDetails > /body/redeemPoints'),
  byRules('R13', 'order-code-unique', 'redeem-code-unique'),
  byRules('R14', 'total-covers-points'),
  byContract('R15', 'saveRedeemDetails > /body/shippingAddress'),
  byContract('R16', 'saveRedeemDetails > /body/redeemStatus'),
  byRules('R17', 'total-covers-points', 'rejection-restores-the-balance'),
  byContract('R18', 'creditPoints > /body'),
  notVisible('R19', 'One value is given as an example; others are not excluded.'),
  byRules('R20', 'transaction-credited-once'),
  byRules('R21', 'credit-raises-the-balance'),
  byBoth(
    'R22',
    ['getWalletDetail < 200 /body/data/*/voucherCode'],
    ['validity-begins-before-it-ends', 'voucher-of-its-customer'],
  ),
  byRules('R23', 'voucher-code-of-one-redemption', 'voucher-code-unique'),
  byBoth('R24', ['getWalletDetail < 200 /body/data/*/validityStartDate'], ['validity-is-a-date']),
  byContract('T1', 'generateOtp > /headers/authorization', 'verifyOtp > /headers/authorization'),
  byRules('T2', 'jwt-issued-first', 'jwt-of-a-sign-in'),
  byBoth(
    'T3',
    ['getWalletDetail > /headers/authorization', 'getUserProfile > /headers/authorization'],
    [
      'access-token-issued',
      'access-token-issued-first',
      'call-needs-a-token',
      'profile-needs-a-token',
      'record-needs-a-token',
    ],
  ),
  byRules('T4', 'code-sent-before-it-is-verified', 'verified-code-was-sent'),
  notVisible('T5', 'Captures do not show connection security; plain HTTP is accepted on loopback.'),
  notVisible('T6', 'Captures do not show connection security.'),
  notVisible('T7', 'Captures do not show stored data.'),
  notVisible('T8', 'Only the platform knows the allowlist.'),
  notVisible('M1', 'It states that nothing else exists.'),
  byRules('M2', 'credit-follows-its-payment', 'payment-is-credited'),
  byContract('M3', 'creditPoints >'),
  byRules('M4', 'portal-asks-the-client'),
  byRules('M5', 'order-goes-to-the-client'),
  byContract('M6', 'updateRedeemStatus > /body/redeemCode'),
  byContract('M7', 'getWalletDetail > /query/uid'),
  notVisible('M8', 'The interface shows neither the registration nor the payload of the webhook.'),
  byContract('M9', 'getWalletDetail >'),
  byContract(
    'X1',
    'getProfileAndPoints < 422',
    'creditPoints < 422',
    'saveRedeemDetails < 422',
    'updateRedeemStatus < 422',
  ),
  byBoth(
    'X2',
    ['getProfileAndPoints < 422 /body/data/message=Token Invalid'],
    ['profile-needs-a-token', 'token-invalid-message'],
  ),
  byRules('X3', 'incomplete-record-refused', 'record-details-message'),
  byRules('X4', 'incomplete-update-refused', 'update-details-message'),
  byContract('X5', 'listRewards < 400 /body'),
  byRules('X6', 'code-fifty-of-message', 'invalid-type-refused', 'message-of-code-fifty'),
  byRules('X7', 'code-fifty-one-of-message', 'invalid-cursor-refused', 'message-of-code-fifty-one'),
  byRules('L1', 'calls-an-hour'),
  byRules('L2', 'default-page-size'),
  byContract('L3', 'listRewards > /query/limit=200'),
  byContract('L4', 'companyAuth > /headers/content-type', 'saveRedeemDetails > /headers/content-type'),
  byContract('P1', 'listRewards >', 'login >'),
  byContract('P2', 'listCatalog >', 'getCustomerPoints >'),
  notVisible('P3', 'It is the version of a document.'),
];

/** Statements about participants and processes (G), and about the states of orders and points (S). */
export const behaviourStatements: readonly Statement[] = [
  notVisible('G1', 'It names addresses. The addresses of a capture are set by options.'),
  notVisible('G2', 'It describes the purpose of the service.'),
  notVisible('G3', 'It names the source of truth. B7, R21 and S8 cover how numbers follow from calls.'),
  byContract('G4', 'generateOtp >', 'verifyOtp >'),
  notVisible('G5', 'Messages to customers go through gateways outside the interface.'),
  notVisible('G6', 'It summarises the statements of A, B and C.'),
  notVisible('G7', 'Calls to vendors are outside the interface.'),
  byRules('G8', 'credit-follows-its-payment', 'payment-is-credited'),
  byRules('G9', 'portal-asks-the-client'),
  notVisible('G10', 'Pages are for people; the interface does not specify their content.'),
  byRules('G11', 'portal-refuses-an-invalid-token'),
  notVisible('G12', 'The interface does not specify the refusal, and an order that is not placed causes no call.'),
  byRules('G13', 'order-goes-to-the-client', 'record-has-the-customer'),
  byBoth('G14', ['saveRedeemDetails > /body/redeemStatus'], ['no-record-after-delivered', 'no-record-after-rejected']),
  byBoth('G15', ['updateRedeemStatus > /body/status=Delivered'], ['delivery-is-reported', 'voucher-is-reported']),
  byBoth('G16', ['updateRedeemStatus > /body/status=Rejected'], ['failed-order-is-undone', 'failure-is-reported']),
  byContract('G17', 'getWalletDetail >'),
  byContract('S1', 'updateRedeemStatus > /body/status'),
  byContract('S2', 'saveRedeemDetails > /body/redeemStatus', 'updateRedeemStatus > /body/status'),
  byRules(
    'S3',
    'deduction-lowers-the-balance',
    'delivery-of-a-taken-record',
    'order-of-a-taken-record',
    'pending-follows-its-record',
  ),
  byRules(
    'S4',
    'delivered-follows-its-record',
    'delivery-of-a-taken-record',
    'no-record-after-delivered',
    'delivered-is-final',
    'delivered-order-stays',
  ),
  byRules('S5', 'delivered-is-final', 'delivery-moves-no-points'),
  byRules('S6', 'rejected-follows-its-record', 'no-record-after-rejected', 'rejected-is-final', 'rejected-order-stays'),
  notVisible('S7', 'The reason of a failure is free text. S6 and S8 cover the consequences of a rejection.'),
  byRules('S8', 'rejection-restores-the-balance'),
  notVisible('S9', 'The threshold is not specified, and the client may choose either.'),
  notVisible('S10', 'Messages contain no points labels.'),
  notVisible('S11', 'Messages contain no points labels.'),
  notVisible('S12', 'Messages contain no points labels. S5 covers that points stay deducted.'),
  notVisible('S13', 'Messages contain no points labels. S8 covers that points are credited back.'),
];
