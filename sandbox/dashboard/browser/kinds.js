// @ts-check
/** @typedef {import('./api.js').Schemas['Finding']} Finding */

/**
 * Findings with those of one kind together, the newest first.
 * @param {readonly Finding[]} items As the control API tells them, the oldest first.
 * @returns {{ finding: Finding, count: number }[]}
 */
export function kindsOf(items) {
  /** @type {Map<string, { finding: Finding, count: number }>} */
  const kinds = new Map();
  for (const finding of items.toReversed()) {
    const key = `${finding.operation ?? finding.method + finding.url} ${finding.code} ${finding.pointer}`;
    const known = kinds.get(key);
    if (known === undefined) kinds.set(key, { finding, count: 1 });
    else known.count += 1;
  }
  return [...kinds.values()];
}
