import type { IncomingMessage } from 'node:http';
import type { Authenticator } from '../contract/api.ts';
import { isLoopback } from '../runtime/address.ts';
import { bearer, sameSecret } from '../runtime/secrets.ts';
import type { ControlCaller } from './control.ts';

/** The authenticator of sandbox.yaml: the workspace's admin token; without any, only this machine (OP-65). */
export function controlAuthenticators(adminToken: string): Record<string, Authenticator<ControlCaller>> {
  return {
    adminToken: async (authorization, request) => {
      if (authorization === undefined) return isLocal(request) ? { kind: 'local' } : undefined;
      return sameSecret(bearer(authorization) ?? '', adminToken) ? { kind: 'admin' } : undefined;
    },
  };
}

/**
 * Whether a call comes from this machine and is meant by whoever sits at it: over loopback, not passed on by a proxy, to a
 * name of this machine (a name that was rebound is none), and not from a page of another origin.
 */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-for'] ?? headers.forwarded;
  if (!isLoopback(socket.remoteAddress ?? '') || forwarded !== undefined) return false;
  const { host = '', origin } = headers;
  if (!isLoopback(hostname(`http://${host}`))) return false;
  return origin === undefined || origin.replace(/^https?:\/\//, '') === host;
}

function hostname(url: string): string {
  return URL.parse(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
}
