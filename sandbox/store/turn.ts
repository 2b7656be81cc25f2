/** Lets everybody else who is ready have their turn: what takes long is done a piece at a time (OP-59). */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
