/** Runs `open`. Returns undefined if it throws. */
export function attempt<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
