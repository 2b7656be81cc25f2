// @ts-check
/** Rules of what a certification shows: the matrix, as reports have it, and what changed between two runs. */

/**
 * @typedef {import('../api.js').Schemas['RequirementVerdict']} Verdict
 * @typedef {Verdict['verdict']} Word
 * @typedef {Verdict['aspect']} Aspect
 * @typedef {object} Cell
 * @property {Word | undefined} worst Undefined where no requirement is about it.
 * @property {number} passed
 * @property {number} of Those that were judged.
 * @typedef {{ name: string, cells: Record<Aspect, Cell> }} MatrixRow
 * @typedef {{ verdict: Verdict, before: Word }} Change
 */

/** The columns, in their order, and what heads them. */
export const columns = /** @type {const} */ ({
  shape: 'Shape',
  token: 'Token',
  rules: 'Rules',
  exactly_once: 'Exactly once',
  reversal: 'Reversal',
  concurrency: 'Concurrency',
  robustness: 'Robustness',
});

/** What verdicts are called. */
export const verdictNames = /** @type {const} */ ({
  pass: 'passed',
  fail: 'failed',
  blocked: 'blocked',
  not_applicable: 'not applicable',
  not_selected: 'not checked',
  suite_error: 'suite error',
});

/** The worst first. */
const order = /** @type {const} */ (['fail', 'suite_error', 'blocked', 'pass', 'not_selected', 'not_applicable']);

/**
 * A row for each operation, in the order in which the requirements name them, what is about all of them last.
 * @param {readonly Verdict[]} verdicts
 * @returns {MatrixRow[]}
 */
export function matrixOf(verdicts) {
  const names = [...new Set(verdicts.map(({ operation }) => operation))];
  const operations = names.filter((name) => name !== null);
  return [...operations, ...(names.includes(null) ? [null] : [])].map((operation) => {
    const own = verdicts.filter((verdict) => verdict.operation === operation);
    const cells = Object.keys(columns).map((aspect) => [aspect, cellOf(own.filter((it) => it.aspect === aspect))]);
    return { name: operation ?? 'all operations', cells: Object.fromEntries(cells) };
  });
}

/**
 * @param {readonly Verdict[]} verdicts
 * @returns {Cell}
 */
function cellOf(verdicts) {
  const worst = order.find((word) => verdicts.some(({ verdict }) => verdict === word));
  const judged = verdicts.filter(({ verdict }) => verdict !== 'not_applicable' && verdict !== 'not_selected');
  return { worst, passed: judged.filter(({ verdict }) => verdict === 'pass').length, of: judged.length };
}

/**
 * The mandatory requirements that were not selected, by the option that would have them judged.
 * @param {readonly Verdict[]} verdicts
 * @returns {{ option: string, ids: string[] }[]}
 */
export function unjudgedOf(verdicts) {
  /** @type {Map<string, string[]>} */
  const options = new Map();
  for (const { id, level, verdict, option } of verdicts)
    if (level === 'must' && verdict === 'not_selected' && option !== null)
      options.set(option, [...(options.get(option) ?? []), id]);
  return [...options].map(([option, ids]) => ({ option, ids }));
}

/**
 * What became of requirements since another run: those that hold now, those that fail now, and all other changes.
 * @param {readonly Verdict[]} before
 * @param {readonly Verdict[]} after
 * @returns {{ fixed: Change[], broken: Change[], other: Change[] }}
 */
export function changesOf(before, after) {
  const earlier = new Map(before.map(({ id, verdict }) => [id, verdict]));
  const changed = after.flatMap((verdict) => {
    const was = earlier.get(verdict.id);
    return was === undefined || was === verdict.verdict ? [] : [{ verdict, before: was }];
  });
  const fixed = changed.filter((change) => change.before === 'fail' && change.verdict.verdict === 'pass');
  const broken = changed.filter((change) => change.verdict.verdict === 'fail');
  return { fixed, broken, other: changed.filter((change) => !fixed.includes(change) && !broken.includes(change)) };
}
