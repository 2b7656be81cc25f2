import type { Checker } from './checker.ts';

/** A place in the user's repository: a path from its root, and a line, 1 for the first. */
interface SourcePlace {
  readonly path: string;
  readonly line: number;
}

/** Where in that repository an operation is handled or called, by `operationId`; under `''` all others. */
export type Sources = ReadonlyMap<string, SourcePlace>;

/** Most characters of a path. */
const mostOfPath = 1000;

/**
 * Reads `PATH`, `PATH:LINE`, `OPERATION=PATH` or `OPERATION=PATH:LINE`. Undefined when it is not that: a path that
 * begins at the root of the machine, or leads out of the repository, is none.
 */
export function sourceOf(text: string): readonly [operation: string, place: SourcePlace] | undefined {
  const [, operation = '', path = '', line = '1'] = /^(?:(\w+)=)?([^=]+?)(?::([1-9]\d{0,6}))?$/.exec(text) ?? [];
  const steps = path.split('/');
  if (path === '' || path.length > mostOfPath || steps[0] === '' || steps.includes('..') || /[\\:]/.test(path))
    return undefined;
  return [operation, { path: path.replace(/^\.\//, ''), line: Number(line) }];
}

/** The names among sources that no contract has an operation of. */
export function unknownOperations(sources: Sources, { contracts }: Checker): readonly string[] {
  const ids = new Set(Object.values(contracts).flatMap((of) => of.map(({ operationId }) => operationId)));
  return [...sources.keys()].filter((name) => name !== '' && !ids.has(name));
}
