/** Calls of the activity log: their operation, outcome and equivalent curl command. */

import { useEffect, useState } from 'preact/hooks';
import { api, ask, messageOf, type Schemas } from './api.ts';
import type { CallEntry, Entry } from './live.ts';

export type HostedOperation = Schemas['HostedOperation'];

let operationsRequest: Promise<readonly HostedOperation[]> | undefined;

/** Returns the operations that the parties host. They do not change while the page is open. */
export function useOperations() {
  const [operations, setOperations] = useState<readonly HostedOperation[]>([]);
  useEffect(() => {
    operationsRequest ??= ask(api.GET('/operations')).then(({ items }) => items);
    // The screen already shows that the sandbox does not respond or requires a token.
    operationsRequest.then(setOperations, () => {
      operationsRequest = undefined;
    });
  }, []);
  return operations;
}

export function isCall(entry: Entry): entry is CallEntry {
  return entry.kind !== 'state';
}

/** Returns whether a call failed. */
export function failed({ status }: CallEntry) {
  return status === null || status >= 400;
}

/** Returns a call's path if it was sent to this sandbox; `undefined` if it was sent to another host, such as a partner's own server. */
export function pathHere({ url }: CallEntry) {
  if (url.startsWith('/')) return url;
  const { origin, pathname, search, hostname, port } = new URL(url);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const same =
    origin === location.origin ||
    (port === location.port && local.includes(hostname) && local.includes(location.hostname));
  return same ? pathname + search : undefined;
}

/** Returns the error message in a call's reply; empty if there is none. */
export function complaint({ reply, status }: CallEntry) {
  return status === null ? 'No response.' : (messageOf(reply) ?? '');
}

/** Placeholders for credentials in a command. Each refers to a shell variable. */
const placeholders = {
  companyToken: '$COMPANY_TOKEN',
  companyBearer: 'Bearer $COMPANY_TOKEN',
  customerToken: '$CUSTOMER_TOKEN',
  customerBearer: 'Bearer $CUSTOMER_TOKEN',
  customerJwt: 'Bearer $CUSTOMER_JWT',
  accessToken: 'Bearer $ACCESS_TOKEN',
} as Readonly<Record<string, string>>;

/** Headers that curl sends itself, or that belong only to the original call. */
const ofClient =
  /^(…|host|connection|authorization|content-(type|length|encoding)|transfer-encoding|user-agent|accept.*|origin|referer|sec-.*|traceparent|tracestate|x-sandbox-.*)$/;

/** Returns a call as a curl command for a POSIX shell, including unusual headers. Credentials that must be fetched are shell variables. */
export function curl(
  { method, url, request, request_headers = {} }: CallEntry,
  operation: HostedOperation | undefined,
  workspace: Schemas['Workspace'] | undefined,
) {
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

function quoted(text: string) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
