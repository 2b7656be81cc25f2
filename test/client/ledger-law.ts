/**
 * The invariants of the ledger, and command histories to check them with (S1 to S9; OP-15 to OP-22). The balance equals
 * credits minus deductions plus reversals, and is never negative. Each redemption is deducted at most once and reversed
 * at most once.
 *
 * The checks use only the control API's data format, so they apply to any side with a ledger.
 */
import fc from 'fast-check';
import type { PublicEntry } from '../../sandbox/client/directory.ts';
import type { points } from '../../sandbox/domain/ledger.ts';

/** A command to a ledger. The few distinct ids make repeats frequent, with both equal and different values. */
export type Command =
  | { readonly do: 'credit'; readonly uid: string; readonly id: string; readonly points: number }
  | { readonly do: 'save'; readonly uid: string; readonly code: string; readonly points: number }
  | { readonly do: 'report'; readonly code: string; readonly status: 'Pending' | 'Delivered' | 'Rejected' }
  | { readonly do: 'pass'; readonly hours: number };

/** The client's action on a redemption that has been pending for too long (OP-22). */
export type OnTimeout = 'wait' | 'reverse';

/** An account in the format of the control API. */
export interface Account {
  readonly uid: string;
  readonly points: ReturnType<typeof points>;
  readonly items: readonly PublicEntry[];
}

/** A side with a ledger. `carryOut` returns whether the command was accepted. */
export interface Side {
  carryOut(command: Command): Promise<boolean>;
  accounts(): Account[];
}

export const customers = ['ANN', 'BOB', 'CEM'];
/** The opening balance of each customer. */
export const opening = 100;
/** Hours after which a redemption has been pending for too long. */
const pendingHours = 24;

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

/** Groups of commands. Commands of one group run concurrently, and the groups run in sequence. */
export type History = readonly (readonly Command[])[];

/** Generates histories with races. */
export const histories: fc.Arbitrary<History> = fc
  .array(fc.record({ command, waits: fc.boolean() }), { minLength: 30, maxLength: 60 })
  .map((steps) => {
    const groups: Command[][] = [];
    for (const { command, waits } of steps) {
      if (waits || groups.length === 0) groups.push([command]);
      else groups.at(-1)?.push(command);
    }
    return groups;
  });

/** Executes a history. Returns all violations found after each group and at the end. */
export async function breaches(side: Side, history: History, onTimeout: OnTimeout): Promise<string[]> {
  const accepted: Command[] = [];
  const problems: string[] = [];
  for (const group of history) {
    const answers = await Promise.all(group.map((command) => side.carryOut(command)));
    accepted.push(...group.filter((_, index) => answers[index]));
    problems.push(...unlawful(side.accounts()));
  }
  return [...new Set([...problems, ...mismatches(side.accounts(), accepted, onTimeout)])];
}

/** Returns the violations that are visible in the accounts alone. */
export function unlawful(accounts: readonly Account[]): string[] {
  return [...accounts.flatMap(unbalanced), ...repeated(accounts)];
}

/** Reports totals that differ from the sum of the entries, and balances that were ever negative. */
function unbalanced({ uid, points, items }: Account): string[] {
  const sum = (wanted: string) =>
    items.filter(({ kind }) => kind === wanted).reduce((total, entry) => total + entry.points, 0);
  const totalEarned = sum('credit');
  const totalRedeemed = sum('deduct') - sum('reverse');
  const summed = JSON.stringify({ totalEarned, balance: totalEarned - totalRedeemed, totalRedeemed });
  const totals = JSON.stringify(points);
  const problems = totals === summed ? [] : [`${uid}: totals are ${totals}, the entries say ${summed}`];
  let balance = 0;
  for (const { kind, points } of items) {
    balance += kind === 'deduct' ? -points : points;
    if (balance < 0) problems.push(`${uid}: balance fell to ${balance}`);
  }
  return problems;
}

/** Reports redemptions that were deducted or reversed too often, or reversed by a different amount. */
function repeated(accounts: readonly Account[]): string[] {
  const problems: string[] = [];
  for (const [code, { deducts, reverses }] of redemptions(accounts)) {
    const [deduct, reverse] = [deducts[0], reverses[0]];
    const label = deduct?.label ?? 'never deducted';
    if (deducts.length > 1) problems.push(`${code}: deducted ${deducts.length} times`);
    if (reverses.length !== (label === 'Reversed' ? 1 : 0)) {
      problems.push(`${code}: ${label}, and reversed ${reverses.length} times`);
    }
    const same = deduct?.uid === reverse?.uid && deduct?.points === reverse?.points;
    if (reverse !== undefined && !same) problems.push(`${code}: the reversal differs from the deduction`);
  }
  return problems;
}

/** Reports accepted commands without ledger entries, and ledger entries without an accepted command. */
function mismatches(accounts: readonly Account[], accepted: readonly Command[], onTimeout: OnTimeout): string[] {
  const entries = accounts.flatMap(({ uid, items }) => items.map((item) => ({ ...item, uid })));
  const booked = (kind: string) =>
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
  const problems = (['credit', 'deduct'] as const)
    .filter((kind) => booked(kind).join() !== wanted[kind].join())
    .map((kind) => `${kind}s accepted: ${wanted[kind]}; booked: ${booked(kind)}`);
  const byCode = redemptions(accounts);
  const rejected = new Set<string>();
  for (const command of accepted) {
    if (command.do !== 'report' || command.status === 'Pending') continue;
    const label = byCode.get(command.code)?.deducts[0]?.label;
    if (label !== (command.status === 'Delivered' ? 'Redeemed' : 'Reversed')) {
      problems.push(`${command.code}: ${command.status} was accepted, and it is ${label}`);
    }
    if (command.status === 'Rejected') rejected.add(command.code);
  }
  const reversed = [...byCode].filter(([, { reverses }]) => reverses.length > 0).map(([code]) => code);
  const withoutRejection = reversed.filter((code) => !rejected.has(code));
  if (onTimeout === 'wait' && withoutRejection.length > 0)
    problems.push(`reversed without a rejection: ${withoutRejection}`);
  return problems;
}

function redemptions(accounts: readonly Account[]) {
  type Entry = Account['items'][number] & { readonly uid: string };
  const byCode = new Map<string, { deducts: Entry[]; reverses: Entry[] }>();
  for (const { uid, items } of accounts) {
    for (const item of items) {
      if (item.kind === 'credit') continue;
      const both = byCode.get(item.reference) ?? { deducts: [], reverses: [] };
      byCode.set(item.reference, both);
      both[item.kind === 'deduct' ? 'deducts' : 'reverses'].push({ ...item, uid });
    }
  }
  return byCode;
}

function facts({ uid, reference, points }: { uid: string; reference: string; points: number }): string {
  return `${uid} ${reference} ${points}`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
