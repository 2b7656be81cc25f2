import type { Authenticator } from '../contract/api.ts';
import { bearer, sameSecret } from '../runtime/secrets.ts';
import type { ControlCaller } from './control.ts';

/** The authenticator of sandbox.yaml: the workspace's admin token; without any, only this machine (OP-65). */
export function controlAuthenticators(adminToken: string): Record<string, Authenticator<ControlCaller>> {
  return {
    adminToken: async (authorization, { exempt }) => {
      if (authorization === undefined) return exempt ? { kind: 'local' } : undefined;
      return sameSecret(bearer(authorization) ?? '', adminToken) ? { kind: 'admin' } : undefined;
    },
  };
}
