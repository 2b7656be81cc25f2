/** Returns the same requirements for each of several mistakes. */
export function each<Name extends string>(ids: string, ...mistakes: readonly Name[]): Readonly<Record<Name, string>> {
  return Object.fromEntries(mistakes.map((mistake) => [mistake, ids])) as Record<Name, string>;
}
