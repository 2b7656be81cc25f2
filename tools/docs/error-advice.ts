import type { FlatFailure, WrappedFailure } from '../../sandbox/contract/failure-tables.ts';
import { type Advice, never } from './advice.ts';
import { clientAdvice } from './client-error-advice.ts';

const wait = 'Yes, after the number of seconds in `Retry-After`.';

/** Advice on every failure. A failure without advice is a compile error. */
export const advice = {
  invalid_type: {
    title: 'Invalid type filter',
    cause: '`type` of a listing is neither `egv` nor `physical`.',
    fix: 'Send one of the two in lower case, or omit `type`.',
    retry: never,
  },
  invalid_cursor: {
    title: 'Invalid or expired cursor',
    cause:
      'The cursor is empty, older than a day, modified, or belongs to another `type` filter. Cursors are opaque; do not construct them.',
    fix: 'Start again without the `cursor` parameter, and use the same `type` for all pages.',
    retry: 'Not with this cursor. Start from the first page.',
  },
  invalid_limit: {
    title: 'Invalid page size',
    cause: '`limit` is not a whole number from 1 to 200.',
    fix: 'Send a number in this range, or omit `limit` for 50.',
    retry: never,
  },
  invalid_request: {
    title: 'Invalid request',
    cause:
      'A field of the body or a parameter is missing, of the wrong type, not allowed for this caller, or unknown to the control API. `message` names it by JSON pointer or name.',
    fix: 'Correct the field that `message` names. The reference shows the format and an example of each field.',
    retry: never,
  },
  malformed_json: {
    title: 'The body is not JSON',
    cause:
      'The body is not valid JSON, often because of a trailing comma, single quotes, or quotes removed by the shell.',
    fix: 'Generate the body with a JSON library. In a shell, put it in single quotes.',
    retry: never,
  },
  malformed_http: {
    title: 'The request is not HTTP',
    cause: 'The request is not valid HTTP, or did not arrive completely within 15 seconds.',
    fix: 'Read `X-Problem`, if present: it names invalid `Host` headers and URLs, such as one with `//`. Check the proxies between you and the server, and that `Content-Length` is the number of bytes sent.',
    retry: 'Yes, once the request is well-formed.',
  },
  foreign_host: {
    title: 'Not a name of this sandbox',
    cause:
      'The `Host` header is neither `localhost`, an IP address, a name in the certificate, nor a name added by the operator. This prevents DNS rebinding by web pages.',
    fix: 'Call by IP address or `localhost`, or start the sandbox with `--allow-host NAME`.',
    retry: never,
  },
  foreign_site: {
    title: 'Sent from a page of another site',
    cause: '`Origin` or `Sec-Fetch-Site` shows that a page of another site sent the call.',
    fix: 'Call from a server, or from a page of the sandbox. For a published copy of this documentation, start the sandbox with `--allow-origin`.',
    retry: never,
  },
  own_call: {
    title: 'Call from a sandbox',
    cause:
      'The call was made by a sandbox and is not for a client, because a client URL or webhook points back to a sandbox.',
    fix: 'Set the URL of your own server as client URL or webhook.',
    retry: never,
  },
  duplicate_authorization: {
    title: 'Two Authorization headers',
    cause: 'The request contains `Authorization` twice, often because the HTTP library adds its own.',
    fix: 'Send only one `Authorization` header.',
    retry: never,
  },
  unauthorized: {
    title: 'Missing or invalid credentials',
    cause:
      'On the platform: the token is missing, expired, forged, or of the wrong kind for this operation. On the OTP operations of the client: the Basic credentials are missing or wrong.',
    fix: 'Request a new token and send it as described in [Authentication and keys](/authentication): bare on the rewards API, `Bearer` on the wallet.',
    retry: 'Yes, with a new token. The call had no effect.',
  },
  invalid_secret: {
    title: 'Wrong company secret',
    cause: 'The `secret` is not that of this workspace. Each seed has a different secret.',
    fix: 'Use `credentials.company_secret` of `GET /sandbox/v1/workspace`.',
    retry: never,
  },
  invalid_login: {
    title: 'Wrong username or password',
    cause: 'The user is unknown to the general API, or the password is not that of the workspace.',
    fix: 'The name is a `uid`, the password is `credentials.general.password` of `GET /sandbox/v1/workspace`.',
    retry: never,
  },
  blocked_server: {
    title: 'Server not allowed',
    cause: 'The workspace has an allowlist that does not contain your address.',
    fix: 'Add your address to `allowlist` in the settings of the workspace, or empty the list. In production, request that your server is whitelisted.',
    retry: 'Once the address is allowed.',
  },
  not_found: {
    title: 'Not found',
    cause: 'No operation has this path, or the resource with this id does not exist or is not accessible to you.',
    fix: 'If `X-Problem` suggests a path, use that one. Otherwise compare the path with the reference character by character: the spelling `redeemptiononskus` is correct, and `getwalletdetail` has no `/v1`.',
    retry: never,
  },
  method_not_allowed: {
    title: 'Method not allowed',
    cause: 'The path exists, but not with this method.',
    fix: 'Use one from the `Allow` header. `getProfileAndPoints` is a POST, although it only reads.',
    retry: never,
  },
  idempotency_conflict: {
    title: 'Idempotency-Key used with another body',
    cause: 'The key belongs to an earlier call whose body was different.',
    fix: 'Create a new key for each resource. Reuse a key only to repeat exactly the same call.',
    retry: 'Not with this key and this body.',
  },
  transaction_conflict: {
    title: 'transactionId used with other values',
    cause: 'This transaction was reported before with another customer or amount. The repeat had no effect.',
    fix: 'Use a unique id for each payment. If the first report was wrong, correct it in your ledger, not with a second report.',
    retry: never,
  },
  reference_conflict: {
    title: 'reference_id used for another order',
    cause: 'An order with this `reference_id` already exists, of the same or another customer. No order was placed.',
    fix: 'Use a unique id for each order. To retry an order safely, send the same `Idempotency-Key`.',
    retry: 'Not with this reference_id.',
  },
  already_exists: {
    title: 'Id already taken',
    cause: 'The customer or item to create has an id that already exists.',
    fix: 'Choose another id, or change the existing one with PATCH.',
    retry: never,
  },
  limit_reached: {
    title: 'Limit reached',
    cause:
      'There are already 100 workspaces, or this workspace has 20 snapshots, 20 webhooks, 50 open streams or a running certification.',
    fix: 'Delete or close one that you no longer need. CI jobs should delete their workspace when they finish.',
    retry: 'Yes, after one has been deleted or closed.',
  },
  snapshot_damaged: {
    title: 'Snapshot damaged',
    cause: 'The files of the snapshot named in `message` are corrupt. The workspace is unchanged.',
    fix: 'Delete the snapshot, or stop the sandbox and restore the folder named in its terminal from a backup.',
    retry: never,
  },
  body_too_large: {
    title: 'Request body too large',
    cause: 'The body is larger than 64 KiB.',
    fix: 'Split the order: it can have at most 20 lines.',
    retry: never,
  },
  unsupported_media_type: {
    title: 'Unsupported content type',
    cause: '`Content-Type` is not `application/json`. With `-d` alone, curl sends a form.',
    fix: "Add `-H 'Content-Type: application/json'`.",
    retry: never,
  },
  headers_too_large: {
    title: 'Request headers too large',
    cause: 'The headers and URL exceed 16 KiB in total.',
    fix: 'Look for an oversized cookie or token. The APIs do not use cookies.',
    retry: never,
  },
  insufficient_balance: {
    title: 'Insufficient balance',
    cause:
      'The order (points of all lines, fees and TDS) costs more than the balance. `message` contains both numbers.',
    fix: 'Show the customer the shortfall. In a test, raise `points.balance` with `PATCH /sandbox/v1/customers/{uid}`.',
    retry: 'Yes, once the balance is sufficient. No points were deducted.',
  },
  product_not_available: {
    title: 'Product not available',
    cause: 'The item does not exist, is inactive, or has less in stock than ordered. `message` names the SKU.',
    fix: 'Order by the `sku_code` of an item with `status` 1 from the listing.',
    retry: 'Yes, once it is in stock. No points were deducted.',
  },
  refused_by_client: {
    title: 'Refused by the client',
    cause:
      'Your server refused the deduction: the token is no longer valid, or the points have changed. `message` repeats its message.',
    fix: 'Look at the call of your server in `GET /sandbox/v1/activity`; for `Token Invalid`, have the customer sign in again.',
    retry: 'Yes, after a new sign-in, or once the points are sufficient. No points were deducted.',
  },
  rate_limited: {
    title: 'Rate limit exceeded',
    cause: 'The company has made 1000 accepted requests within an hour.',
    fix: 'Read the catalogue once and follow the webhook. See [Pagination and quota](/redemptions#quota).',
    retry: wait,
  },
  internal_error: {
    title: 'Internal error',
    cause:
      'The server failed. The terminal shows the error, and the activity log contains the call with its `X-Trace-Id`.',
    fix: 'Report the error with the trace id.',
    retry: 'Reads: yes. Calls that create a resource: with the same `Idempotency-Key` or business id.',
  },
  client_no_answer: {
    title: 'No usable response from the client',
    cause: 'Your server was unreachable, took more than 15 seconds, or returned a response that violates the contract.',
    fix: 'Read `X-Problem`: it contains the reason and location. For details, see `findings` and `notices` of the call to your server in `GET /sandbox/v1/activity`. Points already deducted are refunded with a `Rejected` status update.',
    retry: 'Yes, as a new order. This one was not placed.',
  },
  unavailable: {
    title: 'Temporarily unavailable',
    cause:
      'The server is stopping, cannot write, or is overloaded. `X-Problem` contains the reason. The call had no effect.',
    fix: 'Wait for the time in `Retry-After`, and send fewer concurrent calls. If the error persists, check the terminal of the sandbox, e.g. for a full disk.',
    retry: wait,
  },
  workspace_full: {
    title: 'The workspace is full',
    cause:
      'The workspace has reached its data limit: 256 MiB as JSON by default, set with `--max-workspace-size`. Or your workspaces have together reached their half of the memory. The call had no effect.',
    fix: 'Delete what you do not need, reset the workspace, or use a new one. Reads and deletions still work.',
    retry: 'Yes, after you delete data.',
  },
  store_gave_up: {
    title: 'Writes are disabled',
    cause: 'A disk write failed, so further writes would not be reliable. The call was not acknowledged.',
    fix: 'Check the terminal of the sandbox and the disk, then restart the sandbox. All acknowledged changes are preserved.',
    retry: 'Yes, after a restart.',
  },
  ...clientAdvice,
} as const satisfies Record<FlatFailure['kind'] | WrappedFailure['kind'], Advice>;
