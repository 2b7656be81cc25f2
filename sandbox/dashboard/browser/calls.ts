// @ts-check
/** Calls of the activity log: their operation, their outcome, and the same call as a curl command. */
import { useEffect, useState } from 'preact/hooks';
import { api, ask, messageOf } from './api.js';

/**
 * @typedef {import('./api.js').Schemas} Schemas
 * @typedef {Schemas['HostedOperation']} HostedOperation
 * @typedef {import('./live.js').Entry} Entry
 * @typedef {import('./live.js').CallEntry} CallEntry
 */

/** @type {Promise<readonly HostedOperation[]> | undefined} */
let operationsRequest;

/** The operations that the parties host. They do not change while the page is open. */
export function useOperations() {
  const [operations, setOperations] = useState(/** @type {readonly HostedOperation[]} */ ([]));
  useEffect(() => {
    operationsRequest ??= ask(api.GET('/operations')).then(({ items }) => items);
    // The screen already says that the sandbox does not respond, or requires a token.
    operationsRequest.then(setOperations, () => {
      operationsRequest = undefined;
    });
  }, []);
  return operations;
}

/**
 * @param {Entry} entry
 * @returns {entry is CallEntry}
 */
export function isCall(entry) {
  return entry.kind !== 'state';
}

/**
 * Whether a call did not do what it was meant to.
 * @param {CallEntry} call
 */
export function failed({ status }) {
  return status === null || status >= 400;
}

/**
 * The path at this sandbox that a call went to; undefined where it went elsewhere, as to a partner's own server.
 * @param {CallEntry} call
 */
export function pathHere({ url }) {
  if (url.startsWith('/')) return url;
  const { origin, pathname, search, hostname, port } = new URL(url);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const same =
    origin === location.origin ||
    (port === location.port && local.includes(hostname) && local.includes(location.hostname));
  return same ? pathname + search : undefined;
}

/**
 * What a call's reply says was wrong; empty where it says nothing.
 * @param {CallEntry} call
 */
export function complaint({ reply, status }) {
  if (status === null) return 'No response.';
  return messageOf(reply) ?? '';
}

/** What stands for a credential in a command, and where it comes from. */
const placeholders = /** @type {Readonly<Record<string, string>>} */ ({
  companyToken: '$COMPANY_TOKEN',
  companyBearer: 'Bearer $COMPANY_TOKEN',
  customerToken: '$CUSTOMER_TOKEN',
  customerBearer: 'Bearer $CUSTOMER_TOKEN',
  customerJwt: 'Bearer $CUSTOMER_JWT',
  accessToken: 'Bearer $ACCESS_TOKEN',
});

/** Headers that curl sends itself, or that were of the first sending only. */
const ofClient =
  /^(…|host|connection|authorization|content-(type|length|encoding)|transfer-encoding|user-agent|accept.*|origin|referer|sec-.*|traceparent|tracestate|x-sandbox-.*)$/;

/**
 * A call as a curl command for a POSIX shell, with the headers that it had beyond the usual ones. Credentials that have to be
 * fetched are shell variables.
 * @param {CallEntry} call
 * @param {HostedOperation | undefined} operation
 * @param {Schemas['Workspace'] | undefined} workspace
 */
export function curl({ method, url, request, request_headers = {} }, operation, workspace) {
  const lines = [`curl -i -X ${method} ${quoted(new URL(url, location.href).href)}`];
  const scheme = operation?.security[0];
  if (scheme === 'basic')
    lines.push(`-u ${quoted(`${workspace?.credentials.basic.username}:${workspace?.credentials.basic.password}`)}`);
  else if (scheme === 'serviceToken')
    lines.push(`-H ${quoted(`Authorization: Bearer ${workspace?.settings.client_token ?? ''}`)}`);
  else if (scheme !== undefined) lines.push(`-H "Authorization: ${placeholders[scheme] ?? '$TOKEN'}"`);
  for (const [name, value] of Object.entries(request_headers)) {
    if (!ofClient.test(name) && !/\(masked|… \(|\*{3}/.test(value)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (request !== null && request !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `--data ${quoted(JSON.stringify(request))}`);
  }
  return lines.join(' \\\n  ');
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
