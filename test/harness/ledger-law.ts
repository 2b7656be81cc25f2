/**
 * The law of the ledger, and histories to hold against it (S1 to S9; OP-15 to OP-22): balance = credits - deductions +
 * reversals, never negative; each redemption is deducted at most once and reversed at most once. It looks at the ledger
 * from outside, as the control API shows it, so that it holds for any side that keeps one.
 */
import fc from 'fast-check';
import type { EntryShown } from '../../sandbox/client/directory.ts';
import type { points } from '../../sandbox/domain/ledger.ts';

/** What is done to a ledger. Ids are few, so that repeats, with the same and with other values, are frequent. */
export type Command =
  | { readonly do: 'credit'; readonly uid: string; readonly id: string; readonly points: number }
  | { readonly do: 'save'; readonly uid: string; readonly code: string; readonly points: number }
  | { readonly do: 'report'; readonly code: string; readonly status: 'Pending' | 'Delivered' | 'Rejected' }
  | { readonly do: 'pass'; readonly hours: number };

/** What the client does with a redemption that is pending for too long (OP-22). */
export type OnTimeout = 'wait' | 'reverse';

/** An account as it is shown. */
export interface Account {
  readonly uid: string;
  readonly points: ReturnType<typeof points>;
  readonly items: readonly EntryShown[];
}

/** A side that keeps a ledger. `carryOut` tells whether the command was accepted. */
export interface Side {
  carryOut(command: Command): Promise<boolean>;
  accounts(): Promise<Account[]>;
}

export const customers = ['ANN', 'BOB', 'CEM'];
/** What each customer holds before anything happens. */
export const opening = 100;
/** The threshold after which a redemption is pending for too long. */
export const pendingHours = 24;

const some = <const T>(...values: T[]) => fc.constantFrom(...values);
const uid = some('ANN', 'ANN', 'ANN', 'BOB', 'CEM');
const code = some('R1', 'R2', 'R3', 'R4', 'R5');
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({ do: some('credit'), uid, id: some('T1', 'T2', 'T3'), points: some(25, 25, 30) }),
  },
  { weight: 4, arbitrary: fc.record({ do: some('save'), uid, code, points: some(40, 40, 40, 70) }) },
  { weight: 4, arbitrary: fc.record({ do: some('report'), code, status: some('Pending', 'Delivered', 'Rejected') }) },
  { weight: 1, arbitrary: fc.record({ do: some('pass'), hours: some(1, 12, pendingHours) }) },
);

/** Groups of commands: those of a group are sent at the same time, the groups one after the other. */
export type History = readonly (readonly Command[])[];

/** Any history of at least so many commands, with races or without. */
export function histories(atLeast: number, races: boolean): fc.Arbitrary<History> {
  const step = fc.record({ command, waits: races ? fc.boolean() : fc.constant(true) });
  return fc.array(step, { minLength: atLeast, maxLength: Math.max(2 * atLeast, 12) }).map((steps) => {
    const groups: Command[][] = [];
    for (const { command, waits } of steps) {
      if (waits || groups.length === 0) groups.push([command]);
      else groups.at(-1)?.push(command);
    }
    return groups;
  });
}

/** Sends a history and tells each way in which the law was broken on the way or at the end. */
export async function breaches(side: Side, history: History, onTimeout: OnTimeout): Promise<string[]> {
  const accepted: Command[] = [];
  const found: string[] = [];
  for (const group of history) {
    const answers = await Promise.all(group.map((command) => side.carryOut(command)));
    accepted.push(...group.filter((_, index) => answers[index]));
    found.push(...unlawful(await side.accounts()));
  }
  return [...new Set([...found, ...unkept(await side.accounts(), accepted, onTimeout)])];
}

/** What is wrong with the accounts in themselves. */
export function unlawful(accounts: readonly Account[]): string[] {
  return [...accounts.flatMap(unbalanced), ...repeated(accounts)];
}

/** Totals that are not the sum of the entries, and balances below zero on the way. */
function unbalanced({ uid, points, items }: Account): string[] {
  const sum = (wanted: string) =>
    items.filter(({ kind }) => kind === wanted).reduce((total, entry) => total + entry.points, 0);
  const totalEarned = sum('credit');
  const totalRedeemed = sum('deduct') - sum('reverse');
  const summed = JSON.stringify({ totalEarned, balance: totalEarned - totalRedeemed, totalRedeemed });
  const shown = JSON.stringify(points);
  const found = shown === summed ? [] : [`${uid}: shown ${shown}, the entries say ${summed}`];
  let balance = 0;
  for (const { kind, points } of items) {
    balance += kind === 'deduct' ? -points : points;
    if (balance < 0) found.push(`${uid}: balance fell to ${balance}`);
  }
  return found;
}

/** Redemptions that are deducted or reversed too often, or reversed by another amount. */
function repeated(accounts: readonly Account[]): string[] {
  const found: string[] = [];
  for (const [code, { deducts, reverses }] of redemptions(accounts)) {
    const [deduct, reverse] = [deducts[0], reverses[0]];
    const label = deduct?.label ?? 'never deducted';
    if (deducts.length > 1) found.push(`${code}: deducted ${deducts.length} times`);
    if (reverses.length !== (label === 'Reversed' ? 1 : 0)) {
      found.push(`${code}: ${label}, and reversed ${reverses.length} times`);
    }
    const same = deduct?.uid === reverse?.uid && deduct?.points === reverse?.points;
    if (reverse !== undefined && !same) found.push(`${code}: what came back is not what was taken`);
  }
  return found;
}

/** What was accepted and is not in the accounts, or is in the accounts and was never accepted. */
function unkept(accounts: readonly Account[], accepted: readonly Command[], onTimeout: OnTimeout): string[] {
  const entries = accounts.flatMap(({ uid, items }) => items.map((item) => ({ ...item, uid })));
  const shown = (kind: string) =>
    entries
      .filter((entry) => entry.kind === kind && entry.reference !== 'opening')
      .map(facts)
      .sort();
  const credits = accepted.filter((command) => command.do === 'credit');
  const saves = accepted.filter((command) => command.do === 'save');
  const wanted = {
    credit: unique(credits.map(({ uid, id, points }) => facts({ uid, reference: id, points }))),
    deduct: unique(saves.map(({ uid, code, points }) => facts({ uid, reference: code, points }))),
  };
  const found = (['credit', 'deduct'] as const)
    .filter((kind) => shown(kind).join() !== wanted[kind].join())
    .map((kind) => `${kind}s accepted: ${wanted[kind]}; booked: ${shown(kind)}`);
  const known = redemptions(accounts);
  const rejected = new Set<string>();
  for (const command of accepted) {
    if (command.do !== 'report' || command.status === 'Pending') continue;
    const label = known.get(command.code)?.deducts[0]?.label;
    if (label !== (command.status === 'Delivered' ? 'Redeemed' : 'Reversed')) {
      found.push(`${command.code}: ${command.status} was accepted, and it is ${label}`);
    }
    if (command.status === 'Rejected') rejected.add(command.code);
  }
  const reversed = [...known].filter(([, { reverses }]) => reverses.length > 0).map(([code]) => code);
  const unasked = reversed.filter((code) => !rejected.has(code));
  if (onTimeout === 'wait' && unasked.length > 0) found.push(`reversed without a rejection: ${unasked}`);
  return found;
}

function redemptions(accounts: readonly Account[]) {
  type Entry = Account['items'][number] & { readonly uid: string };
  const known = new Map<string, { deducts: Entry[]; reverses: Entry[] }>();
  for (const { uid, items } of accounts) {
    for (const item of items) {
      if (item.kind === 'credit') continue;
      const both = known.get(item.reference) ?? { deducts: [], reverses: [] };
      known.set(item.reference, both);
      both[item.kind === 'deduct' ? 'deducts' : 'reverses'].push({ ...item, uid });
    }
  }
  return known;
}

function facts({ uid, reference, points }: { uid: string; reference: string; points: number }): string {
  return `${uid} ${reference} ${points}`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
