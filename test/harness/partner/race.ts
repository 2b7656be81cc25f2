/** How many waits a race is made of. */
const waits = 10;

/**
 * Waits for at least `ms` milliseconds, in ten waits in a row, so that between the first and the last of them this process polls its sockets.
 * After one long wait in a process that was stalled, the timer of a caller that hangs up and this timer end in the same turn of the event loop,
 * before either side has seen the other's socket close.
 */
export async function raceWindow(ms: number): Promise<void> {
  for (let done = 0; done < waits; done += 1)
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms / waits)));
}
