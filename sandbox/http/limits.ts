/** Every limit of the server. The files that import them enforce them. */

/** How long a request, and a handshake, may take to come whole (OP-39). */
const requestMilliseconds = 15_000;
/** A reply of which nothing is read for so long is given up (OP-82). */
const stalledMilliseconds = 30_000;
/** Most open connections (OP-82). */
const mostConnections = 5_000;
/** Bytes of all replies together that may wait for their readers (OP-82). */
export const maxUnreadBytes = 64 * 1024 * 1024;
/** The head of a request: 16 KiB (OP-39). */
const headBytes = 16 * 1024;
/**
 * How long an idle connection stays open beyond the time in its `Keep-Alive` header. A call that was sent in
 * time may be read late, while the process is busy: it is answered, not reset.
 */
const keepAliveTimeoutBuffer = 25_000;

/**
 * Connections accepted beyond the limit: each replaces an idle one, or receives a refusal. Further ones are
 * closed without a reply.
 */
export const mostBeyond = 5_000;
/** Calls that can wait on a connection behind the one that is served (OP-82). */
export const mostBehind = 32;
/**
 * Calls in service, of all tenants together (OP-83). Measured on two cores: an order takes 4 ms of processor time, so the last of
 * 256, which one tenant can have, waits for about a second.
 */
export const mostInService = 512;
/**
 * Calls in work while tenants compete (OP-83): of all tenants, and of one. Few, so that a call meets little work of others on its
 * way through the event loop; more than one, so that the loop has work while a call waits for the disk.
 */
export const mostInWork = 8;
export const mostOfOneInWork = 2;
/** Calls in work of a tenant that is alone: as many as use the processor fully, so that the next tenant finds little begun. */
export const mostAloneInWork = 16;
/** A tenant still competes so long after its last call. */
export const competingMilliseconds = 100;
/** A call during which the event loop idled so long, or that took a second, no longer counts as in work. */
export const longestIdleMilliseconds = 100;
/** Time of the event loop between two measurements that counts as one long piece, and how often it is charged. */
export const longestPieceMilliseconds = 25;
export const longPieceWeight = 8;
/** How often the queue looks whether a rest or a wait has ended. */
export const tickMilliseconds = 10;
/**
 * How long a call waits for its turn before it is refused (OP-83). Refused immediately, callers that ignore `Retry-After` keep
 * the process so busy with refusals that it finishes no call.
 */
export const longestWaitMilliseconds = 1_000;

/** What was cut off is answered within this time. */
export const graceMilliseconds = 1_000;

/** Bounds of a server that a test makes smaller. */
export interface ServerLimits {
  readonly request: number;
  readonly stalled: number;
  readonly connections: number;
  readonly unreadBytes: number;
}

export const usualLimits: ServerLimits = {
  request: requestMilliseconds,
  stalled: stalledMilliseconds,
  connections: mostConnections,
  unreadBytes: maxUnreadBytes,
};

/**
 * What Node enforces. It looks for requests that take too long every half second, or more often where little is
 * allowed.
 */
export function nodeLimits({ request }: ServerLimits) {
  return {
    maxHeaderSize: headBytes,
    headersTimeout: request,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(500, request / 4),
    keepAliveTimeoutBuffer,
    // Node's own refusal has no body.
    requireHostHeader: false,
  };
}
