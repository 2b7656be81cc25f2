/** Makes something when it is first asked for, and hands out the same from then on: what a start does without. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
