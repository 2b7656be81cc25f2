// @ts-check
/**
 * From the timeline that the control API gives to the steps that are drawn: their order, tries, and the time between
 * them.
 */
import { duration } from './figures.js';
import { stepOf } from './step-words.js';

/**
 * @typedef {import('./api.js').Schemas} Schemas
 * @typedef {Schemas['Redemption']} Redemption
 * @typedef {Redemption['items'][number]} Item
 * @typedef {Schemas['ActivityCall']} Call
 */

/**
 * @typedef {import('./step-words.js').Step} Step
 * @typedef {import('./step-words.js').Part} Part
 * @typedef {{ item: Item, part: Part }} Row
 * @typedef {Map<string, { attempt: number, failed: boolean }>} Tries
 */

/** From this much sandbox time on it is shown that time passed. */
const gap = 1000;

/**
 * The steps of a redemption in the order in which they happened.
 * @param {Redemption} redemption
 * @returns {readonly Step[]}
 */
export function stepsOf({ items }) {
  /** @type {Tries} */
  const tries = new Map();
  const pairs = paired(items);
  const rows = ordered(single(items, pairs), pairs);
  return withGaps(inOrder(rows.map(({ item, part }) => counted(stepOf(item, part), tries))));
}

/**
 * A call is noted when it has ended, and stands before what happened meanwhile: by then it had begun.
 * @param {readonly Step[]} steps
 * @returns {readonly Step[]}
 */
function inOrder(steps) {
  let next = '9999';
  return steps
    .toReversed()
    .map((step) => {
      const late = next < step.at;
      if (!late) next = step.at;
      return late ? { ...step, at: next, late } : step;
    })
    .toReversed();
}

/**
 * The calls that both sides logged: that of the one called with that of the caller, whose span it names as its parent. The caller's
 * comes later and says what the caller saw of the answer.
 * @param {readonly Item[]} items
 * @returns {ReadonlyMap<Item, Item>}
 */
function paired(items) {
  /** @type {Map<string, Item>} */
  const callers = new Map();
  for (const item of items) if (item.kind === 'call_out' && item.span !== undefined) callers.set(item.span, item);
  /** @type {Map<Item, Item>} */
  const pairs = new Map();
  for (const item of items) {
    const caller = item.kind === 'call_in' && item.parent !== undefined ? callers.get(item.parent) : undefined;
    if (caller !== undefined) pairs.set(item, caller);
  }
  return pairs;
}

/**
 * Without what is there twice, and what is about another line of the same order.
 * @param {readonly Item[]} items
 * @param {ReadonlyMap<Item, Item>} pairs
 * @returns {readonly Item[]}
 */
function single(items, pairs) {
  const again = new Set(pairs.values());
  const sku = items.map(skuOf).find((one) => one !== undefined);
  return items.filter((item) => {
    if (again.has(item)) return false;
    if (item.kind === 'state' && item.event.startsWith('catalogue.')) return item.detail.sku_code === sku;
    // The platform logs each call of its own with the redemption that it is about, so this one is about another.
    const stray = item.kind === 'call_in' && item.party === 'client' && item.redeem_codes.length === 0;
    return !stray || pairs.has(item);
  });
}

/** @param {Item} item */
function skuOf(item) {
  if (item.kind === 'state' && item.event.startsWith('vendor.')) return String(item.detail.sku_code);
  if (item.kind !== 'call_in' && item.kind !== 'call_out') return undefined;
  const { productCode } = /** @type {{ productCode?: string }} */ (item.request ?? {});
  return productCode;
}

/**
 * A call is logged when it has ended. It goes before what it changed; the call that all of its trace came from is
 * parted into the call itself and its answer.
 * @param {readonly Item[]} items
 * @param {ReadonlyMap<Item, Item>} pairs
 * @returns {readonly Row[]}
 */
function ordered(items, pairs) {
  /** @type {Row[]} */
  const rows = [];
  /** @type {Set<string>} */
  const rooted = new Set();
  /** @type {Set<Item>} */
  const explained = new Set();
  for (const item of items) {
    const first = pairs.has(item) ? -1 : beginning(rows, item, rooted);
    if (first >= 0) {
      rows.splice(first, 0, { item, part: item.party === 'platform' ? 'asked' : 'whole' });
      if (item.party === 'platform') rows.push({ item, part: 'answered' });
    } else {
      const caused = item.kind === 'call_in' ? effects(rows, item, explained) : [];
      for (const row of caused) explained.add(row.item);
      rows.splice(rows.length - caused.length, 0, { item: pairs.get(item) ?? item, part: 'whole' });
    }
  }
  return rows;
}

/**
 * Where the trace of a call begins, if it is the first of its trace that came from outside; else -1.
 * @param {readonly Row[]} rows
 * @param {Item} call
 * @param {Set<string>} rooted The traces whose first call is known; this one is added.
 */
function beginning(rows, call, rooted) {
  if (call.kind !== 'call_in' || call.party === 'client' || rooted.has(call.trace)) return -1;
  rooted.add(call.trace);
  return rows.findIndex(({ item }) => traceOf(item) === call.trace);
}

/**
 * The rows at the end that came from a call, as far as no call before it explains them.
 * @param {readonly Row[]} rows
 * @param {Call} call
 * @param {ReadonlySet<Item>} explained
 */
function effects(rows, call, explained) {
  const others = rows.findLastIndex(({ item }) => explained.has(item) || !causedBy(call, item));
  return rows.slice(others + 1);
}

/**
 * Whether a change or a booking came from a call that the same party took.
 * @param {Call} call
 * @param {Item} item
 */
function causedBy(call, item) {
  if (item.party !== call.party || call.method === 'GET') return false;
  if (item.kind !== 'ledger' && (item.kind !== 'state' || item.trace !== call.trace)) return false;
  // What happened before the call began did not come from it.
  return item.at >= (call.began ?? call.at);
}

/** @param {Item} item */
function traceOf(item) {
  return item.kind === 'ledger' ? '' : item.trace;
}

/**
 * A call to the same operation after one that failed is another try of it.
 * @param {Step} step
 * @param {Tries} tries
 * @returns {Step}
 */
function counted(step, tries) {
  if (step.from !== 'platform' || step.attempt !== undefined) return step;
  const before = tries.get(step.name);
  const attempt = before?.failed ? before.attempt + 1 : 1;
  tries.set(step.name, { attempt, failed: step.bad === true });
  return attempt > 1 ? { ...step, attempt } : step;
}

/**
 * @param {readonly Step[]} steps
 * @returns {Step[]}
 */
function withGaps(steps) {
  let latest = Date.parse(steps[0]?.at ?? '');
  return steps.flatMap((step) => {
    const now = Date.parse(step.at);
    const passed = now - latest;
    latest = Math.max(latest, now);
    if (passed < gap) return [step];
    return [
      { key: `gap ${step.key}`, kind: 'gap', at: step.at, lead: '', name: `${duration(passed)} later`, bad: false },
      step,
    ];
  });
}
