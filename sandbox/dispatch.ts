import type { IncomingMessage, ServerResponse } from 'node:http';
import { noteOrigin } from './contract/origin.ts';
import { arriveWhole, takeWhole } from './contract/repeat.ts';
import type { ServedContracts } from './mounts.ts';
import { type Boundary, callerOf } from './runtime/caller.ts';
import { placeOf } from './runtime/handles.ts';
import type { Tenant } from './tenant.ts';
import type { Workspaces } from './workspaces.ts';

/** Operations that are called with a credential in the body: the field that it stands in. */
const inBody = { companyAuth: 'secret', login: 'password' } as const;

/**
 * Decides who calls (OP-77), and hands each call to the workspace whose credential it carries; to the demo workspace where it
 * carries none that is known, which then refuses it as it refuses any other (OP-63).
 */
export function dispatcher(
  workspaces: Workspaces,
  demo: Tenant,
  { rewards, general }: ServedContracts,
  boundary: Boundary,
) {
  const fields = new Map<string, string>();
  for (const [prefix, { operations }] of [['/rewards', rewards] as const, ['/general', general] as const]) {
    for (const { operationId, method, path } of operations) {
      const field = Object.entries(inBody).find(([id]) => id === operationId)?.[1];
      if (field !== undefined) fields.set(`${method} ${prefix}${path}`, field);
    }
  }
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [path = ''] = (request.url ?? '').split('?', 1);
    noteOrigin(request, callerOf(request, request.url ?? '', boundary));
    if (path.startsWith('/portal') || path.startsWith('/microsite')) {
      (ofPage(workspaces, request.url ?? '') ?? demo).handle(request, response);
      return;
    }
    const field = fields.get(`${request.method} ${path}`);
    if (field === undefined) {
      (workspaces.ofHead(request) ?? demo).handle(request, response);
      return;
    }
    void takeWhole(request).then((raw) => {
      const credential = credentialIn(raw, field);
      const tenant = credential === undefined ? undefined : workspaces.ofCredential(credential);
      (tenant ?? demo).handle(arriveWhole(request, raw), response);
    });
  };
}

/** Pages carry their credential in the address: a session in the path, before that what the entry was given. */
function ofPage(workspaces: Workspaces, url: string): Tenant | undefined {
  const session = /^\/\w+\/s\/([^/?]+)/.exec(url)?.[1];
  const query = new URLSearchParams(url.split('?')[1]);
  const credential = session === undefined ? (query.get('token') ?? query.get('entry')) : placeOf(session);
  return credential === null ? undefined : workspaces.ofCredential(credential);
}

function credentialIn(raw: Buffer, field: string): string | undefined {
  try {
    const value: unknown = JSON.parse(raw.toString())?.[field];
    return typeof value === 'string' ? value : undefined;
  } catch {
    // Not JSON: whoever handles the call will say so.
    return undefined;
  }
}
