import type { ProxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { enter, onward, send } from '../harness/visitor.ts';

/** Requests a code on the microsite. Returns the handle of the visit, which then waits for the code. */
export async function waitingVisit({ urls }: ProxiedSandbox, customer_id: string): Promise<string> {
  return handleIn(onward(await send(`${urls.microsite}/codes`, { customer_id })));
}

/** Signs in on the portal and the microsite. Returns the handles of both visits. */
export async function visits(sandbox: ProxiedSandbox, uid: string) {
  const portal = handleIn(await enter(sandbox, uid));
  const waiting = await waitingVisit(sandbox, uid);
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid } } }));
  const signedIn = await send(`${sandbox.urls.microsite}/s/${waiting}/code`, { otp: items[0]?.otp ?? '' });
  return { portal, microsite: handleIn(onward(signedIn)) };
}

/** Returns the session handle in a page's URL. */
export function handleIn(url: string): string {
  return /\/s\/([^/]+)\//.exec(url)?.[1] ?? '';
}
