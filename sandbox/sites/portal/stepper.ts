import { html } from '../html.ts';
import type { PortalRedemption } from './portal-orders.ts';

/** How far a step has come: behind, at it, still ahead, or ended where it should not. */
type StepState = 'done' | 'now' | 'ahead' | 'failed';

/** Names of the states for screen readers. */
const said: Record<StepState, string> = { done: 'done', now: 'now', ahead: 'to come', failed: 'ended here' };

/** The way of a redemption, step by step. */
export function stepsOf({ state, cancelled }: Pick<PortalRedemption, 'state' | 'cancelled'>): [string, StepState][] {
  const placed = ['Placed', 'done'] satisfies [string, StepState];
  const end = cancelled ? 'Cancelled' : 'Rejected';
  switch (state) {
    case 'Pending':
      return [placed, ['With vendor', 'now'], ['Delivered', 'ahead']];
    case 'Redeemed':
      return [placed, ['With vendor', 'done'], ['Delivered', 'done']];
    case 'Reversing':
      return [placed, [end, 'failed'], ['Points refunded', 'now']];
    case 'Stuck':
      return [placed, [end, 'failed'], ['Points refunded', 'ahead']];
    case 'Reversed':
      return [placed, [end, 'failed'], ['Points refunded', 'done']];
  }
}

const marks: Record<StepState, string> = {
  done: 'M4.500 8.500l2.500 2.500 4.500-5.500',
  now: 'M6 8a2 2 0 1 0 4 0a2 2 0 1 0-4 0',
  ahead: '',
  failed: 'M5.500 5.500l5 5M10.500 5.500l-5 5',
};

/** The way of a redemption, and where on it it is. */
export function stepper(line: Pick<PortalRedemption, 'state' | 'cancelled'>) {
  return html`
    <ol class="stepper">
      ${stepsOf(line).map(
        ([name, state]) => html`
          <li class=${state} aria-current=${state === 'now' ? 'step' : undefined}>
            <svg viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="7" /><path d=${marks[state]} /></svg>
            <span>${name}<span class="unseen"> (${said[state]})</span></span>
          </li>
        `,
      )}
    </ol>
  `;
}
