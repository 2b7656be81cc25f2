/** The number of waits in a race. */
const waits = 10;

/**
 * Waits for at least `ms` milliseconds, split into ten waits, so that this process polls its sockets between them. After one long wait in a
 * stalled process, this timer could fire in the same event loop iteration as that of a caller that hangs up. Then neither side would have
 * seen the other's socket close.
 */
export async function raceWindow(ms: number): Promise<void> {
  for (let done = 0; done < waits; done += 1)
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms / waits)));
}
