import { realTimer } from '../runtime/timer.ts';
import { turn } from '../store/turn.ts';

/** How long is looked whether there is anything to do, in milliseconds. */
const lookMilliseconds = 1_500;
/** The part of that time that an idle process may compute. */
const mostBusy = 0.05;

/**
 * Gives back what the start needed, once for as long as a look nobody asks for anything: a quarter of what an idle sandbox
 * holds beside Node's program file, for some 40 ms. While there is work the collector comes by itself.
 */
export function collectOnceIdle(): void {
  const began = process.cpuUsage();
  const look = async (): Promise<void> => {
    const { user, system } = process.cpuUsage(began);
    if ((user + system) / 1000 > lookMilliseconds * mostBusy) return collectOnceIdle();
    const { Session } = await import('node:inspector');
    const session = new Session();
    session.connect();
    // The collector has a turn of its own. To disconnect within it, as in the callback, would stop the process for ever.
    session.post('HeapProfiler.collectGarbage', () => void turn().then(() => session.disconnect()));
  };
  realTimer(() => void look(), lookMilliseconds);
}
