import { finish, postpone, type Work } from '../../runtime/due.ts';
import { retrySchedule } from '../../runtime/outgoing.ts';
import type { Tx } from '../../store/store.ts';
import type { PlatformBooks } from '../books.ts';
import type { Platform } from '../platform.ts';

/**
 * Puts a call that got no good answer off to the next instant of the retry schedule, or parks it once the schedule is used
 * up (OP-24).
 */
export function tryLater(platform: Platform, tx: Tx<PlatformBooks>, work: Work, reason: string): void {
  const wait = retrySchedule[work.tries];
  const now = platform.clock.now();
  const { trace, kind, payload } = work;
  if (wait !== undefined) {
    postpone(tx, work, now + wait);
    return;
  }
  finish(tx, work);
  tx.put('parked', work.id, { kind, payload, trace, at: now, reason });
  platform.activity.note(tx, {
    trace,
    party: 'platform',
    event: 'delivery.parked',
    detail: { kind, reason, ...payload },
  });
}
