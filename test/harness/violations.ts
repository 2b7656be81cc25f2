/** Deliberate violations of all contracts. Each states the corrupted part of an otherwise valid exchange, and the expected finding. */
import type { Draft } from './exchanges.ts';

/** The operation, its reply status, the corruption, and the finding's code, pointer and basis. */
export type Violation = readonly [
  operation: string,
  status: number,
  title: string,
  spoil: (draft: Draft) => void,
  code: string,
  pointer: string,
  basis: string,
];

/** Sets the value at a path in the exchange, such as `request.body.secret`. */
function put(place: string, value: unknown): (draft: Draft) => void {
  return (draft) => {
    const [holder, name] = reach(draft, place);
    holder[name] = value;
  };
}

/** Removes the value at a path in the exchange. */
function drop(place: string): (draft: Draft) => void {
  return (draft) => {
    const [holder, name] = reach(draft, place);
    delete holder[name];
  };
}

function reach(draft: Draft, place: string): [holder: Record<string, unknown>, name: string] {
  const names = place.split('.');
  const last = names.pop() ?? '';
  let holder = draft as unknown as Record<string, unknown>;
  for (const name of names) holder = holder[name] as Record<string, unknown>;
  return [holder, last];
}

// biome-ignore format: a row a line
export const violations: readonly Violation[] = [
  // Rewards: requests.
  ['companyAuth', 200, 'a secret that is a number', put('request.body.secret', 5), 'request.body.type', '/body/secret', 'stated A1'],
  ['companyAuth', 200, 'an empty secret', put('request.body.secret', ''), 'request.body.minLength', '/body/secret', 'OP-106'],
  ['companyAuth', 200, 'no secret', drop('request.body.secret'), 'request.body.required', '/body/secret', 'stated A1'],
  ['companyAuth', 200, 'no body', put('request.body', undefined), 'request.body.missing', '/body', 'stated A1'],
  ['companyAuth', 200, 'a body of null', put('request.body', 'null'), 'request.body.type', '/body', 'stated A1'],
  ['companyAuth', 200, 'a list for a body', put('request.body', []), 'request.body.type', '/body', 'stated A1'],
  ['companyAuth', 200, 'malformed JSON', put('request.body', '{"secret":'), 'request.body.malformed', '/body', 'stated L4'],
  ['companyAuth', 200, 'a form', put('request.headers.content-type', 'application/x-www-form-urlencoded'), 'request.media-type.undocumented', '/headers/content-type', 'stated L4'],
  ['companyAuth', 200, 'no content type', drop('request.headers.content-type'), 'request.media-type.undocumented', '/headers/content-type', 'stated L4'],
  ['customerAuth', 200, 'no token in the header', drop('request.headers.authorization'), 'request.credential.missing', '/headers/authorization', 'stated A1 A4'],
  ['customerAuth', 200, 'no uid', drop('request.body.uid'), 'request.body.required', '/body/uid', 'OP-04'],
  ['listRewards', 200, 'an unknown type', put('query.type', 'gift'), 'request.query.enum', '/query/type', 'stated A5'],
  ['listRewards', 200, 'a limit beyond 200', put('query.limit', '201'), 'request.query.maximum', '/query/limit', 'stated L3'],
  ['listRewards', 200, 'a limit that is no number', put('query.limit', 'many'), 'request.query.type', '/query/limit', 'stated A7'],
  ['listRewards', 200, 'another method', put('method', 'PATCH'), 'request.method.undocumented', '/method', 'stated A4 A5 A7 A8 L3'],
  ['listRewards', 200, 'another path', put('path', '/v1/partner/reward'), 'request.url.undocumented', '/url', 'stated A4'],
  ['listRewards', 200, 'an unexpected body', put('request.body', { page: 1 }), 'request.body.undocumented', '/body', 'OP-109'],
  ['createRedemptionOrder', 200, 'eleven of an item', put('request.body.line_items.0.quantity', 11), 'request.body.maximum', '/body/line_items/0/quantity', 'OP-05'],
  ['createRedemptionOrder', 200, 'a quantity as text', put('request.body.line_items.1.quantity', '1'), 'request.body.type', '/body/line_items/1/quantity', 'OP-05'],
  ['createRedemptionOrder', 200, 'no lines', put('request.body.line_items', []), 'request.body.minItems', '/body/line_items', 'OP-05'],
  ['createRedemptionOrder', 200, 'a line without its item', drop('request.body.line_items.0.sku'), 'request.body.required', '/body/line_items/0/sku', 'OP-05'],
  ['createRedemptionOrder', 200, 'an Idempotency-Key of 256 characters', put('request.headers.idempotency-key', 'k'.repeat(256)), 'request.header.maxLength', '/headers/idempotency-key', 'OP-20'],
  ['getWalletDetail', 200, 'no uid', drop('query.uid'), 'request.query.required', '/query/uid', 'stated A14 A15'],
  ['getWalletDetail', 200, 'a bare token where Bearer is required', put('request.headers.authorization', 'abc'), 'request.credential.scheme', '/headers/authorization', 'stated A14 T3'],
  ['sendPaymentEvent', 202, 'another event type', put('request.body.eventType', 'CASH'), 'request.body.const', '/body/eventType', 'OP-25'],
  ['sendPaymentEvent', 202, 'an amount as a number', put('request.body.paymentAmount', 2499.5), 'request.body.type', '/body/paymentAmount', 'OP-25'],
  ['sendPaymentEvent', 202, 'an amount of three decimals', put('request.body.paymentAmount', '1.005'), 'request.body.pattern', '/body/paymentAmount', 'OP-48'],
  ['sendPaymentEvent', 202, 'an invalid time', put('request.body.occurred_at', 'yesterday'), 'request.body.format', '/body/occurred_at', 'OP-25'],
  ['registerWebhook', 201, 'an invalid address', put('request.body.url', 'not an address'), 'request.body.format', '/body/url', 'OP-26'],
  ['deleteWebhook', 204, 'no webhook_id', drop('query.webhook_id'), 'request.query.required', '/query/webhook_id', 'OP-26'],
  // Rewards: replies.
  ['companyAuth', 200, 'a token type of its own', put('reply.body.token_type', 'MAC'), 'reply.body.const', '/body/token_type', 'OP-02'],
  ['companyAuth', 200, 'a lifetime as text', put('reply.body.expires_in', '3600'), 'reply.body.type', '/body/expires_in', 'OP-02'],
  ['companyAuth', 200, 'a redirect', put('reply.status', 302), 'reply.status.undocumented', '/status', 'OP-02'],
  ['companyAuth', 200, 'an undocumented success', put('reply.status', 201), 'reply.status.undocumented', '/status', 'OP-02'],
  ['listRewards', 400, 'a code that is text', put('reply.body.code', '50'), 'reply.body.type', '/body/code', 'stated X5'],
  ['listRewards', 400, 'an error without a message', drop('reply.body.message'), 'reply.body.required', '/body/message', 'stated X5'],
  ['listRewards', 200, 'a page without has_more', drop('reply.body.has_more'), 'reply.body.required', '/body/has_more', 'stated A9 R6'],
  ['listRewards', 200, 'an item status as text', put('reply.body.items.0.status', '1'), 'reply.body.type', '/body/items/0/status', 'stated R1'],
  ['listRewards', 200, 'a quantity that is no number', put('reply.body.items.0.qty', 'many'), 'reply.body.pattern', '/body/items/0/qty', 'stated R4'],
  ['listRewards', 200, 'an item of a third kind', put('reply.body.items.0.product_type', 'SERVICE'), 'reply.body.const', '/body/items/0/product_type', 'stated R2'],
  ['listRewards', 200, 'a page of HTML', put('reply.headers.content-type', 'text/html'), 'reply.media-type.undocumented', '/headers/content-type', 'OP-108'],
  ['listRewards', 200, 'half a reply', put('reply.body', '{"items":['), 'reply.body.malformed', '/body', 'stated A9 R6'],
  ['listRewards', 200, 'no body', put('reply.body', undefined), 'reply.body.missing', '/body', 'stated A9 R6'],
  ['listRewards', 200, 'bytes that do not match their coding', put('reply.headers.content-encoding', 'gzip'), 'reply.body.undecodable', '/body', 'stated A9 R6'],
  ['createRedemptionOrder', 200, 'an order status of its own', put('reply.body.status', 'Shipped'), 'reply.body.enum', '/body/status', 'OP-06'],
  ['createRedemptionOrder', 200, 'points as text', put('reply.body.points.redeemPoints', '10'), 'reply.body.type', '/body/points/redeemPoints', 'OP-08'],
  ['getWalletDetail', 200, 'a denomination as text', put('reply.body.data.0.denomination', '500'), 'reply.body.type', '/body/data/0/denomination', 'stated R22'],
  ['getWalletDetail', 200, 'an end of validity in another form', put('reply.body.data.0.validityEndDate', '12/01/2027'), 'reply.body.pattern', '/body/data/0/validityEndDate', 'stated R24'],
  ['registerWebhook', 201, 'no secret in the reply', drop('reply.body.secret'), 'reply.body.required', '/body/secret', 'OP-26'],
  ['deleteWebhook', 204, 'a body where none is documented', put('reply', { status: 204, headers: { 'content-type': 'application/json', 'x-trace-id': '0'.repeat(32) }, body: {} }), 'reply.body.undocumented', '/body', 'OP-109'],
  // Client and customer authentication.
  ['getProfileAndPoints', 422, 'no token', drop('request.headers.authorization'), 'request.credential.missing', '/headers/authorization', 'stated B1 T2'],
  ['getProfileAndPoints', 200, 'a balance as text', put('reply.body.points.balance', '2500'), 'reply.body.type', '/body/points/balance', 'stated R10'],
  ['getProfileAndPoints', 200, 'no points', drop('reply.body.points'), 'reply.body.required', '/body/points', 'stated R10'],
  ['getProfileAndPoints', 422, 'an error without its wrapping', drop('reply.body.data'), 'reply.body.required', '/body/data', 'stated X1 X2'],
  ['getProfileAndPoints', 422, '401 for a bad token', put('reply.status', 401), 'reply.status.undocumented', '/status', 'stated X2'],
  ['creditPoints', 422, '401 for a bad token', put('reply.status', 401), 'reply.status.undocumented', '/status', 'OP-101'],
  ['saveRedeemDetails', 422, '401 for a bad token', put('reply.status', 401), 'reply.status.undocumented', '/status', 'OP-15'],
  ['updateRedeemStatus', 422, '401 for a bad token', put('reply.status', 401), 'reply.status.undocumented', '/status', 'OP-101'],
  ['creditPoints', 200, 'points as a number', put('request.body.points', 24), 'request.body.type', '/body/points', 'stated B4 R18'],
  ['creditPoints', 200, 'an event of another type', put('request.body.eventType', 'REFERRAL'), 'request.body.const', '/body/eventType', 'OP-25'],
  ['saveRedeemDetails', 200, 'no redeemCode', drop('request.body.redeemCode'), 'request.body.required', '/body/redeemCode', 'stated R11 R12'],
  ['saveRedeemDetails', 200, 'a success that says no', put('reply.body.success', false), 'reply.body.const', '/body/success', 'stated B6'],
  ['updateRedeemStatus', 200, 'a status in small letters', put('request.body.status', 'delivered'), 'request.body.enum', '/body/status', 'stated B10 S1 S2'],
  ['generateOtp', 200, 'Bearer where Basic is required', put('request.headers.authorization', 'Bearer x'), 'request.credential.scheme', '/headers/authorization', 'stated D1 T1'],
  ['generateOtp', 200, 'no customer', drop('request.body.customer_id'), 'request.body.required', '/body/customer_id', 'stated D2 D3 D4'],
  ['verifyOtp', 200, 'a one-time password of eight digits', put('request.body.otp', '12345678'), 'request.body.pattern', '/body/otp', 'OP-18'],
  ['verifyOtp', 200, 'no token in the reply', drop('reply.body.token'), 'reply.body.required', '/body/token', 'OP-18'],
  // Version 2.0, on both hosts.
  ['getCustomerPoints', 200, 'no customer', drop('query.customer_id'), 'request.query.required', '/query/customer_id', 'OP-29'],
  ['createOrder', 200, 'no lines', drop('request.body.line_items'), 'request.body.required', '/body/line_items', 'OP-29'],
  ['getOrderStatus', 200, 'no order id in the reply', drop('reply.body.order_id'), 'reply.body.required', '/body/order_id', 'OP-06'],
  ['reversePoints', 200, 'no points', drop('request.body.points'), 'request.body.required', '/body/points', 'OP-08'],
  ['redeemPoints', 200, 'a balance as text', put('reply.body.balance', '1'), 'reply.body.type', '/body/balance', 'OP-29'],
  // General.
  ['login', 200, 'no password', drop('request.body.password'), 'request.body.required', '/body/password', 'OP-53'],
  ['listProducts', 200, 'page 0', put('query.page', '0'), 'request.query.minimum', '/query/page', 'OP-28'],
  ['listProducts', 200, 'a total as text', put('reply.body.total', '3'), 'reply.body.type', '/body/total', 'OP-28'],
  ['getUserProfile', 200, 'a postal code as text', put('reply.body.profile.pincode', '560038'), 'reply.body.type', '/body/profile/pincode', 'OP-28'],
  // Pages: links and forms, status, media type and headers.
  ['openPortal', 303, 'a link without its token', drop('query.token'), 'request.query.required', '/query/token', 'stated C1 C2 G9 G11'],
  ['openPortal', 303, 'a redirect that takes the token along', put('reply.headers.location', '/portal/s/x.y.z/rewards?token=secret'), 'reply.header.pattern', '/headers/location', 'OP-34'],
  ['openPortal', 422, 'JSON for a page', put('reply.headers.content-type', 'application/json'), 'reply.media-type.undocumented', '/headers/content-type', 'OP-34'],
  ['showRewards', 200, 'a cacheable page', put('reply.headers.cache-control', 'max-age=60'), 'reply.header.const', '/headers/cache-control', 'OP-34'],
  ['showRewards', 200, 'a page without its policy', drop('reply.headers.content-security-policy'), 'reply.header.required', '/headers/content-security-policy', 'OP-95'],
  ['showRewards', 200, 'a page without its trace', drop('reply.headers.x-trace-id'), 'reply.header.required', '/headers/x-trace-id', 'OP-42'],
  ['showRewards', 200, 'a page 0', put('query.page', '0'), 'request.query.minimum', '/query/page', 'OP-96'],
  ['showRewards', 200, 'an empty page', put('reply.body', ''), 'reply.body.missing', '/body', 'OP-34'],
  ['showScreen', 200, 'a cacheable screen', put('reply.headers.cache-control', 'max-age=60'), 'reply.header.const', '/headers/cache-control', 'OP-34'],
  ['placePortalOrder', 303, 'an order of eleven', put('request.body', `form_key=${'0'.repeat(32)}&sku=EGV-SPICE-500&quantity=11`), 'request.body.pattern', '/body/quantity', 'OP-96'],
  ['placePortalOrder', 303, 'a form without its key', put('request.body', 'sku=EGV-SPICE-500&quantity=1'), 'request.body.required', '/body/form_key', 'OP-96'],
  ['placePortalOrder', 303, 'a field twice', put('request.body', `form_key=${'0'.repeat(32)}&sku=A&sku=B&quantity=1`), 'request.body.type', '/body/sku', 'OP-96'],
  ['placePortalOrder', 303, 'JSON for a form', put('request.headers.content-type', 'application/json'), 'request.media-type.undocumented', '/headers/content-type', 'OP-96'],
  ['placePortalOrder', 303, 'an undocumented redirect', put('reply.status', 302), 'reply.status.undocumented', '/status', 'OP-96'],
  ['requestCode', 303, 'no form', put('request.body', undefined), 'request.body.missing', '/body', 'OP-97'],
  ['showHome', 303, 'a redirect to elsewhere', put('reply.headers.location', 'https://elsewhere.example/'), 'reply.header.pattern', '/headers/location', 'OP-97'],
  ['showStart', 200, 'a cacheable start page', put('reply.headers.cache-control', 'max-age=60'), 'reply.header.const', '/headers/cache-control', 'OP-34'],
  // Values hidden from pages and logs.
  ['companyAuth', 200, 'a secret that is a list', put('request.body.secret', ['a']), 'request.body.type', '/body/secret', 'stated A1'],
  ['companyAuth', 200, 'a secret that is an object', put('request.body.secret', { value: 'x' }), 'request.body.type', '/body/secret', 'stated A1'],
  ['customerAuth', 200, 'a token that is a number', put('request.body.token', 7), 'request.body.type', '/body/token', 'OP-04'],
  ['login', 200, 'a password that is a list', put('request.body.password', ['a']), 'request.body.type', '/body/password', 'OP-53'],
  ['verifyOtp', 200, 'a code as a number', put('request.body.otp', 123456), 'request.body.type', '/body/otp', 'stated D5 D6'],
  ['verifyOtp', 200, 'a code of letters', put('request.body.otp', 'abcdef'), 'request.body.pattern', '/body/otp', 'OP-18'],
  ['verifyOtp', 200, 'a token that is a number', put('reply.body.token', 7), 'reply.body.type', '/body/token', 'OP-18'],
  ['saveRedeemDetails', 200, 'a mobile number as a number', put('request.body.mobileNo', 7), 'request.body.type', '/body/mobileNo', 'stated R11 R12'],
  ['getProfileAndPoints', 200, 'a PAN as a number', put('reply.body.profile.pan', 12345), 'reply.body.type', '/body/profile/pan', 'stated R8'],
  ['getProfileAndPoints', 200, 'a mobile number that is a list', put('reply.body.profile.mobileNo', ['9']), 'reply.body.type', '/body/profile/mobileNo', 'stated R8'],
  ['getWalletDetail', 200, 'a pin as a number', put('reply.body.data.0.pin', 7), 'reply.body.type', '/body/data/0/pin', 'stated R22'],
  ['getWalletDetail', 200, 'a voucher code as a number', put('reply.body.data.0.voucherCode', 7), 'reply.body.type', '/body/data/0/voucherCode', 'stated R22'],
  // Replies of a client's server.
  ['getProfileAndPoints', 200, 'the profile of another customer', put('reply.body.profile.uid', 'CUST0005'), 'reply.body.other-customer', '/body/profile/uid', 'OP-123'],
  ['getCustomerPoints', 200, 'the points of another customer', put('reply.body.customer_id', 'CUST0005'), 'reply.body.other-customer', '/body/customer_id', 'OP-123'],
  ['getCustomerPoints', 200, 'points as text', put('reply.body.points.balance', '1'), 'reply.body.type', '/body/points/balance', 'OP-29'],
  ['generateOtp', 200, 'a reply called text', put('reply.headers.content-type', 'text/plain'), 'reply.media-type.undocumented', '/headers/content-type', 'OP-108'],
  ['generateOtp', 200, 'a reply that does not match its coding', put('reply.headers.content-encoding', 'gzip'), 'reply.body.undecodable', '/body', 'OP-18'],
  ['updateRedeemStatus', 200, 'a page for a reply', put('reply.body', '<html>'), 'reply.body.malformed', '/body', 'stated B13'],
  ['saveRedeemDetails', 200, 'no reply body', put('reply.body', undefined), 'reply.body.missing', '/body', 'stated B6'],
  ['saveRedeemDetails', 200, 'an undocumented success', put('reply.status', 202), 'reply.status.undocumented', '/status', 'stated B6'],
  ['saveRedeemDetails', 422, 'an error without its data', drop('reply.body.data'), 'reply.body.required', '/body/data', 'stated X1 X3'],
  ['creditPoints', 422, 'an error under another name', put('reply.body.data.name', 'Unprocessable Entity'), 'reply.body.const', '/body/data/name', 'stated X1'],
  ['updateRedeemStatus', 422, 'an error with another status in its data', put('reply.body.data.status', 400), 'reply.body.const', '/body/data/status', 'stated X1 X4'],
  ['getProfileAndPoints', 422, 'an error with another status in its body', put('reply.body.status', 401), 'reply.body.const', '/body/status', 'stated X1 X2'],
  ['verifyOtp', 422, 'an error under another name', put('reply.body.data.name', 'Unauthorized'), 'reply.body.const', '/body/data/name', 'OP-18'],
  ['generateOtp', 422, 'an error with another status in its data', put('reply.body.data.status', 404), 'reply.body.const', '/body/data/status', 'OP-18'],
  ['redeemPoints', 422, 'an error with another status in its body', put('reply.body.status', 409), 'reply.body.const', '/body/status', 'OP-29'],
  ['creditPoints', 200, 'a success that says no', put('reply.body.success', false), 'reply.body.const', '/body/success', 'OP-16'],
  ['reversePoints', 200, 'a success that says no', put('reply.body.success', false), 'reply.body.const', '/body/success', 'OP-29'],
  // Control.
  ['advanceClock', 200, 'negative seconds', put('request.body.seconds', -1), 'request.body.minimum', '/body/seconds', 'OP-01'],
  ['getClock', 200, 'a mode of its own', put('reply.body.mode', 'slow'), 'reply.body.enum', '/body/mode', 'OP-01'],
  ['getClock', 200, 'no trace id', drop('reply.headers.x-trace-id'), 'reply.header.required', '/headers/x-trace-id', 'OP-42'],
  ['getClock', 200, 'an invalid trace id', put('reply.headers.x-trace-id', 'seven'), 'reply.header.pattern', '/headers/x-trace-id', 'OP-42'],
  ['getLedger', 200, 'a path that cannot be decoded', put('path', '/ledger/%zz'), 'request.url.malformed', '/url', 'OP-67'],
  ['listActivity', 200, 'an entry of a third kind', put('reply.body.items.0.kind', 'dream'), 'reply.body.const', '/body/items/0/kind', 'OP-42'],
  // The message gateway.
  ['sendMessage', 201, 'an unknown channel', put('request.body.channel', 'fax'), 'request.body.enum', '/body/channel', 'OP-164'],
  ['sendMessage', 201, 'a message without a number', drop('request.body.to'), 'request.body.required', '/body/to', 'OP-164'],
  ['sendMessage', 201, 'a place in the outbox that is text', put('reply.body.seq', 'one'), 'reply.body.type', '/body/seq', 'OP-164'],
];
