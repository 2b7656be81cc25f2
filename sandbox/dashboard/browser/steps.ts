/** Converts the control API's timeline to the steps of the drawing: their order, attempts, and the time between them. */
import type { Schemas } from './api.ts';
import { duration } from './figures.tsx';
import { type Part, type Step, stepOf } from './step-words.ts';

export type Redemption = Schemas['Redemption'];
type Item = Redemption['items'][number];

type Row = { item: Item; part: Part };
type Tries = Map<string, { attempt: number; failed: boolean }>;

/** The shortest gap that gets its own line, in milliseconds of sandbox time. */
const gap = 1000;

/**
 * Returns the steps of a redemption in log order. Each call is followed by the steps that happened within it, according
 * to the log's spans.
 */
export function stepsOf({ items }: Redemption): readonly Step[] {
  const tries: Tries = new Map();
  const rows = treesOf(items).flatMap(rowsOf);
  return withGaps(rows.map(({ item, part }) => counted(stepOf(item, part), tries)));
}

/** An item and the items it caused. `first` is the number of the first related log entry, because a call is logged when it ends. */
type Node = { item: Item; first: number; caused: Node[] };

function treesOf(items: readonly Item[]): readonly Node[] {
  const callers = new Map(items.flatMap((item) => (item.kind === 'call_out' ? [[item.span, item] as const] : [])));
  const pairs = new Map(items.map((item) => [item, callerOf(item, callers)]));
  const sku = items.map(skuOf).find((one) => one !== undefined);
  const relevant = items.filter((item) => pairs.get(item) !== undefined || isAbout(item, sku));
  const nodes = new Map<Item, Node>();
  const bySpan = new Map<string, Node>();
  for (const item of relevant) {
    const call = pairs.get(item) ?? item;
    const node = nodes.get(call) ?? { item: call, first: item.seq, caused: [] };
    nodes.set(call, node);
    const span = spanOf(item);
    if (span !== undefined) bySpan.set(span, node);
  }
  const roots: Node[] = [];
  for (const node of nodes.values()) (bySpan.get(causeOf(node.item, items) ?? '')?.caused ?? roots).push(node);
  return inOrder(roots);
}

/**
 * Returns the caller's entry for the callee's entry of a call that both sides logged: the callee's entry names the span
 * of the caller's entry as its parent. The caller's entry shows the response from the caller's perspective.
 */
function callerOf(item: Item, callers: ReadonlyMap<string | undefined, Item>) {
  return item.kind === 'call_in' && item.parent !== undefined ? callers.get(item.parent) : undefined;
}

/** Returns whether an entry concerns this line, or at least no other line of the same order. */
function isAbout(item: Item, sku: string | undefined) {
  if (item.kind === 'state' && item.event.startsWith('catalogue.')) return item.detail.sku_code === sku;
  // The platform logs each of its calls with the redemption concerned, so a call without one is for another line.
  return !(item.kind === 'call_in' && item.party === 'client' && item.redeem_codes.length === 0);
}

function skuOf(item: Item) {
  if (item.kind === 'state' && item.event.startsWith('vendor.')) return String(item.detail.sku_code);
  if (item.kind !== 'call_in' && item.kind !== 'call_out') return undefined;
  const { productCode } = (item.request ?? {}) as { productCode?: string };
  return productCode;
}

function spanOf(item: Item) {
  return item.kind === 'call_in' || item.kind === 'call_out' ? item.span : undefined;
}

/** Returns the span that caused an entry. A ledger entry has the number of the state change that booked it. */
function causeOf(item: Item, items: readonly Item[]): string | undefined {
  const entry = item.kind === 'ledger' ? items.find(({ kind, seq }) => kind === 'state' && seq === item.seq) : item;
  return entry === undefined || entry.kind === 'ledger' ? undefined : entry.parent;
}

function inOrder(nodes: Node[]): readonly Node[] {
  for (const node of nodes) {
    const [earliest] = inOrder(node.caused);
    if (earliest !== undefined) node.first = Math.min(node.first, earliest.first);
  }
  return nodes.sort((one, other) => one.first - other.first);
}

/** Orders a call before the steps it caused. A call to the platform that caused other steps is split into its request and its response. */
function rowsOf({ item, caused }: Node): readonly Row[] {
  const within = caused.flatMap(rowsOf);
  const isSplit = item.kind === 'call_in' && item.party === 'platform' && within.length > 0;
  if (!isSplit) return [{ item, part: 'whole' }, ...within];
  return [{ item, part: 'request' }, ...within, { item, part: 'response' }];
}

/** Counts attempts: a call to the same operation after a failed one is another attempt. */
function counted(step: Step, tries: Tries): Step {
  if (step.from !== 'platform' || step.attempt !== undefined) return step;
  const before = tries.get(step.name);
  const attempt = before?.failed ? before.attempt + 1 : 1;
  tries.set(step.name, { attempt, failed: step.bad === true });
  return attempt > 1 ? { ...step, attempt } : step;
}

function withGaps(steps: readonly Step[]): Step[] {
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
