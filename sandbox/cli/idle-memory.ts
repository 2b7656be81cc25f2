import { realTimer, type Timer } from '../runtime/timer.ts';
import { turn } from '../store/turn.ts';

/** How long is looked whether there is anything to do, in milliseconds. */
const lookMilliseconds = 1_500;
/** The part of that time that an idle process may compute. */
const mostBusy = 0.05;
/** What a start computes at most, and a little work after it, in milliseconds. */
const mostOfStart = 2_000;

/** What is looked at, and what is done then. */
interface Around {
  readonly timer: Timer;
  /** What the process has computed since it was started, in milliseconds. */
  readonly computed: () => number;
  readonly collect: () => void;
}

/**
 * Gives back what the start needed, once for as long as a look nobody asks for anything: a quarter of what an idle sandbox
 * holds beside Node's program file, for some 40 ms. A process that has worked since is left alone: the collector came by
 * itself, and this way of it throws away what was compiled for that work, so that calls cost twice as much for a second.
 */
export function collectOnceIdle(around: Around = own): void {
  const { timer, computed, collect } = around;
  const began = computed();
  timer(() => {
    const now = computed();
    if (now > mostOfStart) return;
    if (now - began > lookMilliseconds * mostBusy) collectOnceIdle(around);
    else collect();
  }, lookMilliseconds);
}

const own: Around = {
  timer: realTimer,
  computed: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  collect: () => void collectGarbage(),
};

async function collectGarbage(): Promise<void> {
  const { Session } = await import('node:inspector');
  const session = new Session();
  session.connect();
  // The collector has a turn of its own. To disconnect within it, as in the callback, would stop the process for ever.
  session.post('HeapProfiler.collectGarbage', () => void turn().then(() => session.disconnect()));
}
