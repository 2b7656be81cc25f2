import type { IncomingMessage } from 'node:http';
import type { CallOrigin } from './api.ts';

const decided = new WeakMap<IncomingMessage, CallOrigin>();

/** Notes where a call comes from. Whoever takes calls in decides it once, before anything is served. */
export function noteOrigin(request: IncomingMessage, origin: CallOrigin): void {
  decided.set(request, origin);
}

/** Where a call comes from; of one that nobody decided about, what gives it the least: its peer, and no exemption. */
export function originOf(request: IncomingMessage): CallOrigin {
  return decided.get(request) ?? { kind: 'network', addresses: [request.socket.remoteAddress ?? ''], exempt: false };
}
