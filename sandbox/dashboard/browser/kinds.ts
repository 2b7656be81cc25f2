// @ts-check
/** @typedef {import('./api.js').Schemas['Finding']} Finding */

/**
 * Findings grouped by kind, the newest first.
 * @param {readonly Finding[]} items In the order of the control API, the oldest first.
 * @returns {{ finding: Finding, count: number }[]}
 */
export function kindsOf(items) {
  /** @type {Map<string, { finding: Finding, count: number }>} */
  const kinds = new Map();
  for (const finding of items.toReversed()) {
    const key = `${finding.operation ?? finding.method + finding.url} ${finding.code} ${finding.pointer}`;
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { finding, count: 1 });
    else kind.count += 1;
  }
  return [...kinds.values()];
}
