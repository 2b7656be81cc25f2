import type { ProxiedSandbox } from '../harness/proxied.ts';
import { ok } from '../harness/sandbox.ts';
import { enter, onward, send } from '../harness/visitor.ts';

/** Asks the microsite for a code. Returns the handle of the visit, which now waits for it. */
export async function waitingVisit({ urls }: ProxiedSandbox, customer_id: string): Promise<string> {
  return handleIn(onward(await send(`${urls.microsite}/codes`, { customer_id })));
}

/** The handles of a visit to the portal and of one to the microsite, both signed in. */
export async function visits(sandbox: ProxiedSandbox, uid: string) {
  const portal = handleIn(await enter(sandbox, uid));
  const waiting = await waitingVisit(sandbox, uid);
  const { items } = ok(await sandbox.control.GET('/messages', { params: { query: { uid } } }));
  const signedIn = await send(`${sandbox.urls.microsite}/s/${waiting}/code`, { otp: items[0]?.otp ?? '' });
  return { portal, microsite: handleIn(onward(signedIn)) };
}

/** The handle of the session in the address of a page. */
export function handleIn(url: string): string {
  return /\/s\/([^/]+)\//.exec(url)?.[1] ?? '';
}
