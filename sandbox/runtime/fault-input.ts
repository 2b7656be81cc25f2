import type { components } from '../../generated/sandbox/types.ts';
import type { InvalidRequest } from '../domain/failures.ts';

type Input = components['schemas']['FaultInput'];

/** The receiver of an operation's calls: the platform, the client, or a registered webhook endpoint. */
export type FaultHost = 'platform' | 'client' | 'subscriber';

/** What is wrong with a fault that somebody wants set: a field that does not fit, or a fault that could never happen. */
export function problemOf(
  { target, fault, times, share, ms, status }: Input,
  targets: ReadonlyMap<string, FaultHost>,
): InvalidRequest | undefined {
  const host = targets.get(target);
  if (host === undefined) return { where: '/target', problem: `must be one of ${[...targets.keys()].join(', ')}` };
  if (times !== undefined && share !== undefined) return { where: '/share', problem: 'cannot be combined with times' };
  // A subscriber's reply has a status that counts and a body that nobody reads.
  if (host === 'subscriber' && fault === 'malformed') {
    return {
      where: '/fault',
      problem: `malformed has no effect on ${target}, because only the status of its response counts`,
    };
  }
  const timed = fault === 'latency' || fault === 'drip';
  return matches('ms', ms, timed, fault) ?? matches('status', status, fault === 'status', fault);
}

/** A field must be there where it applies, and only there. */
function matches(field: string, value: unknown, applies: boolean, fault: string): InvalidRequest | undefined {
  if (applies && value === undefined) return { where: `/${field}`, problem: `is required with ${fault}` };
  if (!applies && value !== undefined) return { where: `/${field}`, problem: `does not apply to ${fault}` };
  return undefined;
}
