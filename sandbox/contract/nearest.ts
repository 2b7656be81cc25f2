/** What a caller meant by a name or a path that does not exist (OP-246). */

/** Longer names and paths get no suggestion, so that the cost of a mistake is bounded. */
const longest = 200;
/** Most names that a message lists. */
const fewNames = 8;

/** What is wrong with a name that is not among the known ones: the nearest of them, or all if they are few. */
export function unknownName(name: string, known: readonly string[], what: 'field' | 'parameter'): string {
  const near = nearest(name, known);
  if (near !== undefined) return `is unknown, did you mean \`${near}\`?`;
  const isListed = known.length > 0 && known.length <= fewNames;
  return `is an unknown ${what}${isListed ? `; known: ${known.map((each) => `\`${each}\``).join(', ')}` : ''}`;
}

/** The known name with the fewest edits to `name`, whatever their case: one for every three characters, two at most. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined;
  const sought = name.toLowerCase();
  const most = Math.min(2, Math.max(1, Math.floor(name.length / 3)));
  for (let edits = 0; edits <= most; edits += 1) {
    const found = known.find((each) => isWithin(sought, each.toLowerCase(), edits));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether that many insertions, deletions, replacements and swaps of neighbours turn one text into the other. */
function isWithin(one: string, other: string, edits: number): boolean {
  if (Math.abs(one.length - other.length) > edits) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  if (left === right) return true;
  if (edits === 0) return false;
  const isSwap = left.length > 1 && left[0] === right[1] && left[1] === right[0];
  return (
    isWithin(left.slice(1), right.slice(1), edits - 1) ||
    isWithin(left.slice(1), right, edits - 1) ||
    isWithin(left, right.slice(1), edits - 1) ||
    (isSwap && isWithin(left.slice(2), right.slice(2), edits - 1))
  );
}

/** What is served below a prefix, as far as its paths. */
interface ServedPaths {
  readonly prefix: string;
  /** Whether it is part of the interface between platform and client. */
  readonly ofInterface: boolean;
  readonly operations: readonly { readonly operation: { readonly path: string } }[];
}

/**
 * The header with the path of an operation that a path outside the contracts is near to: in another case or with other
 * letters, with a version or a slash too many or missing, or with another prefix or none. It quotes the contract only.
 */
export function pathHint(path: string, mounts: readonly ServedPaths[]): Readonly<Record<string, string>> {
  if (path.length > longest) return {};
  const prefix = mounts.find((mount) => mount.prefix !== '' && path.startsWith(`${mount.prefix}/`))?.prefix ?? '';
  // Who calls an API of the interface below another prefix means one of its operations.
  const ofInterface = () => mounts.filter(({ ofInterface }) => ofInterface);
  const near = nearestPath(path, mounts) ?? (prefix && nearestPath(path.slice(prefix.length), ofInterface()));
  return near ? { 'X-Problem': `did you mean ${near}` } : {};
}

function nearestPath(path: string, mounts: readonly ServedPaths[]): string | undefined {
  const sought = unversioned(path);
  const segments = sought.split('/');
  const paths = new Map<string, string>();
  for (const { prefix, operations } of mounts) {
    for (const { operation } of operations) {
      for (const spelling of [prefix + operation.path, operation.path]) {
        // A parameter alone is near to everything, and a root to every short path.
        if (spelling === '/' || spelling.startsWith('/{')) continue;
        const filled = unversioned(spelling).split('/');
        const key = filled.map((each, at) => (each.startsWith('{') ? (segments[at] ?? each) : each)).join('/');
        if (!paths.has(key)) paths.set(key, prefix + operation.path);
      }
    }
  }
  const found = nearest(sought, [...paths.keys()]);
  return found === undefined ? undefined : paths.get(found);
}

/** A path without version and last slash. */
function unversioned(path: string): string {
  return path.replace(/\/v\d+(?=\/|$)/i, '').replace(/\/$/, '');
}
