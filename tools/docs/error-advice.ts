import type { FlatFailure, WrappedFailure } from '../../sandbox/contract/failures.ts';
import { type Advice, never } from './advice.ts';
import { clientAdvice } from './client-error-advice.ts';

const wait = 'Yes, after the seconds in `Retry-After`.';

/** Advice for every failure there is: one without advice does not compile. */
export const advice = {
  invalid_type: {
    title: 'Invalid type filter',
    cause: '`type` of a listing is neither `egv` nor `physical`.',
    fix: 'Send one of the two, in small letters, or leave `type` out.',
    retry: never,
  },
  invalid_cursor: {
    title: 'Invalid or expired cursor',
    cause:
      'The cursor is empty, older than a day, was changed, or belongs to another `type` filter. Cursors are opaque: none can be built.',
    fix: 'Begin again without the `cursor` parameter, and keep the same `type` on the way.',
    retry: 'Not with this cursor. Start from the first page.',
  },
  invalid_limit: {
    title: 'Invalid page size',
    cause: '`limit` is not a whole number from 1 to 200.',
    fix: 'Send a number in these bounds, or none for 50.',
    retry: never,
  },
  invalid_request: {
    title: 'Invalid request',
    cause:
      'A field of the body or a parameter is missing, of the wrong type, or not allowed for this caller. `message` names it by JSON pointer or name.',
    fix: 'Correct the field that `message` names. The reference shows each field with its form and an example.',
    retry: never,
  },
  malformed_json: {
    title: 'The body is not JSON',
    cause: 'The body does not parse: often a trailing comma, single quotes, or a shell that ate the quotes.',
    fix: 'Let a JSON library write the body. In a shell, put it into single quotes.',
    retry: never,
  },
  malformed_http: {
    title: 'The request is not HTTP',
    cause: 'The request could not be read as HTTP, or did not arrive whole within 15 seconds.',
    fix: 'Read `X-Problem`, where there is one: it names `Host` headers and addresses, such as one with `//`. Check what stands between you and the server, and that `Content-Length` is the number of bytes sent.',
    retry: 'Once it is well-formed.',
  },
  foreign_host: {
    title: 'Not a name of this sandbox',
    cause:
      'The `Host` header is neither `localhost`, an IP address, a name of the certificate, nor one that the operator added. A web page could have had its own name lead here.',
    fix: 'Call by IP address or `localhost`, or start the sandbox with `--allow-host NAME`.',
    retry: never,
  },
  foreign_site: {
    title: 'Sent by a page of another site',
    cause: 'A browser says by `Origin` or `Sec-Fetch-Site` that a page elsewhere sent the call.',
    fix: 'Call from a server, or from a page of the sandbox itself. The APIs are not meant for pages of other origins.',
    retry: never,
  },
  own_call: {
    title: 'A call of a sandbox',
    cause:
      'The call carries the mark of a call that a sandbox makes, and is not for a client: a client address or webhook leads back.',
    fix: 'Give the address of your own server as client address or webhook.',
    retry: never,
  },
  duplicate_authorization: {
    title: 'Two Authorization headers',
    cause: 'The request carries `Authorization` twice. Often the HTTP library adds one of its own.',
    fix: 'Send one. Nobody guesses which of two you meant.',
    retry: never,
  },
  unauthorized: {
    title: 'Missing or invalid credentials',
    cause:
      'On the platform: the token is missing, expired, forged, or of the wrong kind for this operation. On the client, in front of the OTP operations: the Basic credentials are missing or wrong.',
    fix: 'Ask for a new token and send it as [Authentication and keys](/authentication) shows: bare on the rewards API, `Bearer` on the wallet.',
    retry: 'Yes, with a new token. Nothing was done.',
  },
  invalid_secret: {
    title: 'Wrong company secret',
    cause: 'The `secret` of the company sign-in is not the one of this workspace. Another seed has another secret.',
    fix: 'Take it from `GET /sandbox/v1/workspace`, `credentials.company_secret`.',
    retry: never,
  },
  invalid_login: {
    title: 'Wrong username or password',
    cause: 'The general API knows no such user, or the password is not that of the workspace.',
    fix: 'The name is a `uid`, the password is `credentials.general.password` of `GET /sandbox/v1/workspace`.',
    retry: never,
  },
  blocked_server: {
    title: 'Server not allowed',
    cause: 'The workspace has an allowlist, and the address that you call from is not in it.',
    fix: 'Set `allowlist` in the settings of the workspace, or empty it. In production, have your server whitelisted.',
    retry: 'Once the address is allowed.',
  },
  not_found: {
    title: 'Not found',
    cause: 'No operation has this path, or the thing with this id does not exist or is not yours to see.',
    fix: 'Compare the path with the reference, letter by letter: `redeemptiononskus` is spelled so, `getwalletdetail` has no `/v1`.',
    retry: never,
  },
  method_not_allowed: {
    title: 'Method not allowed',
    cause: 'The path exists, with another method.',
    fix: 'Use one from the `Allow` header. `getProfileAndPoints` is a POST, although it only reads.',
    retry: never,
  },
  idempotency_conflict: {
    title: 'Idempotency-Key used with another body',
    cause: 'The key belongs to an earlier call whose body was different.',
    fix: 'Make a new key for each thing that you want to create; keep a key only for repeats of the very same call.',
    retry: 'Not with this key and this body.',
  },
  transaction_conflict: {
    title: 'transactionId used with other values',
    cause: 'This transaction was told before, with another customer or amount. Neither changed anything now.',
    fix: 'Give each payment an id of its own. If the first report was wrong, correct it in your books, not by a second report.',
    retry: never,
  },
  reference_conflict: {
    title: 'reference_id used for another order',
    cause: 'An order with this `reference_id` stands, of the same customer or another. Nothing was ordered now.',
    fix: 'Give each order an id of its own. To send one order again in safety, use the same `Idempotency-Key`.',
    retry: 'Not with this reference_id.',
  },
  already_exists: {
    title: 'Id already taken',
    cause: 'The control API was asked to create a customer or an item whose id there is.',
    fix: 'Choose another id, or change the existing one with PATCH.',
    retry: never,
  },
  limit_reached: {
    title: 'As many as there can be',
    cause:
      'There are 100 workspaces, or 20 snapshots, 20 webhooks, 50 open streams or a running certification of this one.',
    fix: 'Delete or end one that is not needed any more: a CI job deletes its workspace at its end.',
    retry: 'Yes, once another one was deleted or ended.',
  },
  snapshot_damaged: {
    title: 'Snapshot damaged',
    cause: 'The files of the snapshot that `message` names are not as they were written. The workspace stays as it is.',
    fix: 'Delete the snapshot, or stop the sandbox and put the folder that its terminal names back from a backup.',
    retry: never,
  },
  body_too_large: {
    title: 'Request body too large',
    cause: 'The body is larger than 64 KiB.',
    fix: 'Split the order: it takes 20 lines at most.',
    retry: never,
  },
  unsupported_media_type: {
    title: 'Unsupported content type',
    cause: '`Content-Type` is not `application/json`. What curl sends with `-d` alone is a form.',
    fix: "Add `-H 'Content-Type: application/json'`.",
    retry: never,
  },
  headers_too_large: {
    title: 'Request head too large',
    cause: 'Headers and URL together are larger than 16 KiB.',
    fix: 'Look for a cookie or token that grew. Neither API uses cookies.',
    retry: never,
  },
  insufficient_balance: {
    title: 'Insufficient balance',
    cause:
      'The order costs more than the customer has: points of all lines, with fee and TDS. `message` has both numbers.',
    fix: 'Show the customer the shortfall. In a test, raise `points.balance` with `PATCH /sandbox/v1/customers/{uid}`.',
    retry: 'Yes, when the balance has grown. No points are gone.',
  },
  product_not_available: {
    title: 'Product not available',
    cause: 'The item does not exist, is inactive, or has less in stock than ordered. `message` names the SKU.',
    fix: 'Order by the `sku_code` of an item with `status` 1 from the listing.',
    retry: 'Yes, when it is in stock. No points are gone.',
  },
  refused_by_client: {
    title: 'Refused by the client',
    cause:
      'Your server said no: the token is not good any more, or the points have changed. `message` repeats what it answered.',
    fix: 'Look at the call of your server in `GET /sandbox/v1/activity`; for `Token Invalid`, have the customer sign in again.',
    retry: 'With a new sign-in, or when the points are there. No points are gone.',
  },
  rate_limited: {
    title: 'Rate limit exceeded',
    cause: 'The company has made 1000 accepted requests within an hour.',
    fix: 'Read the catalogue once and follow the webhook. See [Pagination and quota](/redemptions#quota).',
    retry: wait,
  },
  internal_error: {
    title: 'Internal error',
    cause: 'The server failed. Its terminal says how, the activity log has the call under its `X-Trace-Id`.',
    fix: 'Keep the trace id and report it.',
    retry: 'A read, yes. A call that creates something: with the same `Idempotency-Key` or the same business id.',
  },
  client_no_answer: {
    title: 'No usable response from the client',
    cause:
      'Your server could not be reached, took more than 15 seconds, or answered with something that is not in the contract.',
    fix: 'Read `X-Problem`: it says which of these it was, and where. More is in `deviations` and `notices` of the call to your server in `GET /sandbox/v1/activity`. Points that were deducted on the way are given back by a `Rejected` report.',
    retry: 'Yes, as a new order. This one does not stand.',
  },
  unavailable: {
    title: 'Temporarily unavailable',
    cause:
      'The server is stopping, cannot write, or has more calls than it can serve: `X-Problem` says so then, and the call has done nothing.',
    fix: 'Wait as long as `Retry-After` says, and send fewer calls at once. If it stays, look at the terminal of the sandbox: a full disk shows there.',
    retry: wait,
  },
  workspace_full: {
    title: 'The workspace is full',
    cause:
      'The workspace holds as much data as it may: 256 MiB as JSON, unless the operator set another limit with `--max-workspace-size`. Nothing of the call was done.',
    fix: 'Delete what you do not need, reset the workspace, or use a new one. Reads and deletions are served as before.',
    retry: 'Yes, once something is deleted.',
  },
  store_gave_up: {
    title: 'Nothing more is stored',
    cause:
      'The system could not keep a write, so that further writes could not be trusted. Of a call that is answered so, nothing was acknowledged.',
    fix: 'Look at the terminal of the sandbox and at the disk, then restart: everything that was acknowledged is there.',
    retry: 'Yes, after a restart.',
  },
  ...clientAdvice,
} as const satisfies Record<FlatFailure['kind'] | WrappedFailure['kind'], Advice>;
