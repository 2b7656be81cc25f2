import type { IncomingMessage } from 'node:http';
import type { CallOrigin } from './api.ts';

/** Where a request carries its origin: on itself, since a lookup elsewhere costs more with each stored call. */
const decided = Symbol('origin');

type Decided = IncomingMessage & { [decided]?: CallOrigin };

/** Notes where a call comes from. Whoever takes calls in decides it once, before anything is served. */
export function noteOrigin(request: Decided, origin: CallOrigin): void {
  request[decided] = origin;
}

/** Where a call comes from; of one that nobody decided about, what gives it the least: its peer, and no exemption. */
export function originOf(request: Decided): CallOrigin {
  return request[decided] ?? { kind: 'network', addresses: [request.socket.remoteAddress ?? ''], exempt: false };
}
