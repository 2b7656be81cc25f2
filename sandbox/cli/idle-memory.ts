/** How long is looked whether there is anything to do, in milliseconds. */
const lookMilliseconds = 1_500;
/** The part of that time that an idle process may compute. */
const mostBusy = 0.05;

/**
 * Gives back what the start needed, once for as long as a look nobody asks for anything: a fifth of what an idle sandbox
 * holds, for some 40 ms. While there is work the collector comes by itself.
 */
export function collectOnceIdle(): void {
  const began = process.cpuUsage();
  const look = async (): Promise<void> => {
    const { user, system } = process.cpuUsage(began);
    if ((user + system) / 1000 > lookMilliseconds * mostBusy) return collectOnceIdle();
    const { Session } = await import('node:inspector');
    const session = new Session();
    session.connect();
    // A task of its own. To disconnect in its callback, which the task calls, would stop the process for ever.
    session.post('HeapProfiler.collectGarbage', () => setImmediate(() => session.disconnect()));
  };
  setTimeout(() => void look(), lookMilliseconds).unref();
}
