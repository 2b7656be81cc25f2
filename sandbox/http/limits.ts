/** All limits of the server. The files that import them enforce them. */

/** Time limit for receiving a complete request, and for a handshake (OP-39). */
const requestMilliseconds = 15_000;
/** Time after which a reply is aborted if its reader reads nothing (OP-82). */
const stalledMilliseconds = 30_000;
/** Maximum number of open connections (OP-82). */
const mostConnections = 5_000;
/** Maximum number of unread bytes in all replies together (OP-82). */
export const maxUnreadBytes = 64 * 1024 * 1024;
/** Maximum size of the request line and headers: 16 KiB (OP-39). */
const headBytes = 16 * 1024;
/**
 * Time that an idle connection stays open beyond the time in its `Keep-Alive` header. A busy process may be late to read a call
 * that was sent in time. Such a call is answered, and its connection is not reset.
 */
const keepAliveTimeoutBuffer = 25_000;

/**
 * Number of connections accepted beyond the limit. Each replaces an idle one or receives a refusal. Further connections are closed
 * without a reply.
 */
export const mostBeyond = 5_000;
/** Maximum number of calls that wait on a connection behind the one being served (OP-82). */
export const mostBehind = 32;
/**
 * Maximum number of calls in service, for all tenants together (OP-83). Measured on two cores: an order takes 4 ms of processor
 * time. One tenant can have 256 calls in service, of which the last waits for about a second.
 */
export const mostInService = 512;
/**
 * Maximum number of running calls while tenants compete (OP-83), for all tenants and for one. The number is low so that a call
 * rarely queues behind others in the event loop. It exceeds one so that the loop has work while a call waits for the disk.
 */
export const mostInWork = 8;
export const mostOfOneInWork = 2;
/** Maximum number of running calls of a lone tenant. They use the processor fully, and the next tenant finds few calls already begun. */
export const mostAloneInWork = 16;
/** Time after its last call for which a tenant still counts as competing. */
export const competingMilliseconds = 100;
/** Idle time of the event loop after which a call no longer counts as running. The same applies to a call that took a second. */
export const longestIdleMilliseconds = 100;
/** Active time between two measurements that counts as one long task, and the factor by which it is charged. */
export const longestPieceMilliseconds = 25;
export const longPieceWeight = 8;
/** Interval at which the queue checks whether a rest or a wait has ended. */
export const tickMilliseconds = 10;
/**
 * Time that a call waits for a slot before it is refused (OP-83). With immediate refusals, callers that ignore `Retry-After` would
 * keep the process so busy with refusals that it completes no call.
 */
export const longestWaitMilliseconds = 1_000;

/** Time within which aborted calls are answered. */
export const graceMilliseconds = 1_000;

/** Limits of a server that tests can lower. */
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
 * Returns the limits that Node enforces. Node checks for overdue requests every half second, or more often if the request limit is
 * short.
 */
export function nodeLimits({ request }: ServerLimits) {
  return {
    maxHeaderSize: headBytes,
    headersTimeout: request,
    requestTimeout: request,
    connectionsCheckingInterval: Math.min(500, request / 4),
    keepAliveTimeoutBuffer,
    // The refusal by Node itself has no body.
    requireHostHeader: false,
  };
}
