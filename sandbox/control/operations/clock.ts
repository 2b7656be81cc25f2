import type { components } from '../../../generated/sandbox/types.ts';
import type { Work } from '../../jobs/work.ts';
import type { Control, ControlCall, ControlReply } from '../control.ts';

/** Maximum number of work items that a reply lists. */
const most = 1000;

/** Runs due work, and returns the reply that lists it in execution order. */
async function runDueWork({ clock }: Control, run: (onRun: (work: Work) => void) => Promise<number>) {
  const items: components['schemas']['Ran']['items'] = [];
  const ran = await run(({ id, kind, at }) => {
    if (items.length < most) items.push({ id, kind, at: new Date(at).toISOString() });
  });
  return { status: 200, body: { now: clock.iso(), ran, items } } as const;
}

/** Advances sandbox time and runs all work that falls due, in time order. */
export async function advanceClock(
  control: Control,
  call: ControlCall<'advanceClock'>,
): Promise<ControlReply<'advanceClock'>> {
  return runDueWork(control, (onRun) => control.runner.advance(call.body.seconds * 1000, onRun));
}

/** Returns sandbox time. */
export async function getClock(control: Control): Promise<ControlReply<'getClock'>> {
  return { status: 200, body: { now: control.clock.iso(), mode: control.clock.mode } };
}

/** Runs all work that is due at the current instant. */
export async function settle(control: Control): Promise<ControlReply<'settle'>> {
  return runDueWork(control, (onRun) => control.runner.settle(onRun));
}
