import type { Answer } from '../domain/answer.ts';
import {
  type Account,
  type BalanceChange,
  type ChangeKind,
  changed,
  moved,
  newAccount,
  recordBalance,
} from '../domain/balance.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { ApiVersion, BalanceAccount, Line, Payment, PlatformBooks } from './books.ts';
import type { Platform } from './platform.ts';

type Books = Tx<PlatformBooks>;

/** Notes, in the transaction that lets it happen, that a partner's own server will be asked to change a balance. */
export function asks(platform: Platform, tx: Books, whose: Whose, change: BalanceChange): void {
  const url = platform.partnerUrl();
  if (url === undefined) return;
  tx.put('openChanges', keyOf(change), { ...change, uid: whose.uid, url });
  putAccount(tx, whose, url, moved(accountOf(tx, whose.uid, url)));
}

/** Notes that the server has answered for it. `kind` is what became of it, where that is not what was asked for. */
export function answered(platform: Platform, tx: Books, uid: string, change: Named, kind?: ChangeKind): void {
  const open = closed(platform, tx, uid, change);
  if (open === undefined) return;
  const { reference, points, fee, url } = open;
  const account = accountOf(tx, uid, url);
  putAccount(tx, { uid }, url, changed(account, { kind: kind ?? open.kind, reference, points, fee }));
}

/** Notes that a deduction will be taken back, whether or not it happened: it stays open until that is answered. */
export function cancels(tx: Books, redeemCode: string): void {
  const key = keyOf({ kind: 'deduction', reference: redeemCode });
  const open = tx.get('openChanges', key);
  if (open !== undefined) tx.put('openChanges', key, { ...open, kind: 'cancelled_deduction' });
}

/** Notes that the server was not asked for it after all. */
export function withdraws(platform: Platform, tx: Books, uid: string, change: Named): void {
  const open = closed(platform, tx, uid, change);
  if (open !== undefined) putAccount(tx, { uid }, open.url, moved(accountOf(tx, uid, open.url)));
}

/** Notes that the server has given the points of a line back by itself, as it may (OP-22). */
export function gaveBack(platform: Platform, tx: Books, line: Line): void {
  const url = platform.partnerUrl();
  if (url === undefined) return;
  const { uid } = line;
  putAccount(tx, { uid }, url, changed(accountOf(tx, uid, url), lineChange('reversal', line)));
}

/**
 * Has a customer's balance read by `ask`, and holds it against what was told before. It counts only where the server
 * was not being asked for a change of that balance at any time in between: with or without it, both would be right.
 */
export async function reading<T extends { readonly points: { readonly balance: number } }>(
  platform: Platform,
  whose: Whose,
  ask: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { store } = platform;
  const url = platform.partnerUrl();
  const { uid } = whose;
  const before = url === undefined ? undefined : accountOf(store, uid, url);
  const answer = await ask();
  if (answer.kind !== 'accepted' || url === undefined || before === undefined) return answer;
  const { balance } = answer.body.points;
  const counts = (books: Reader<PlatformBooks>) =>
    platform.partnerUrl() === url && !isOpen(books, uid) && accountOf(books, uid, url).moves === before.moves;
  // Nothing is written where it would say the same again.
  if (!counts(store) || (before.told?.balance === balance && before.changes.length === 0)) return answer;
  await store.transact((tx) => {
    if (counts(tx)) putAccount(tx, whose, url, recordBalance(accountOf(tx, uid, url), balance, platform.clock.now()));
  });
  return answer;
}

/** A change of a line's points, as it counts for the balance. */
export function lineChange(kind: Exclude<ChangeKind, 'credit'>, { redeemCode, points }: Line): BalanceChange {
  const { totalPointWithProcessingFee, processingFee } = points;
  return { kind, reference: redeemCode, points: totalPointWithProcessingFee, fee: processingFee };
}

/** The credit of a payment. */
export function creditOf({ transactionId, points }: Payment): BalanceChange {
  return { kind: 'credit', reference: transactionId, points, fee: 0 };
}

/** Whether the server has still to answer for a change of this customer's balance. */
export function isOpen(books: Reader<PlatformBooks>, uid: string): boolean {
  return books.find('openChanges', 'uid', uid).length > 0;
}

/** Whose balance it is, and in which version of the API the client was asked. Left out: the one before. */
interface Whose {
  readonly uid: string;
  readonly version?: ApiVersion;
}

type Named = Pick<BalanceChange, 'kind' | 'reference'>;

/** A line and a payment may have the same id: a partner chooses those of payments. */
function keyOf({ kind, reference }: Named): string {
  return kind === 'credit' ? `payment ${reference}` : `line ${reference}`;
}

/** What is known of a customer's balance at this server: nothing where the last one was another. */
function accountOf(books: Reader<PlatformBooks>, uid: string, url: string): Account {
  const account = books.get('accounts', uid);
  return account === undefined || account.url !== url ? newAccount : account;
}

function putAccount(tx: Books, { uid, version }: Whose, url: string, account: Account): void {
  const existing: BalanceAccount | undefined = tx.get('accounts', uid);
  tx.put('accounts', uid, { ...account, uid, url, version: version ?? existing?.version ?? 'v1' });
}

/**
 * Takes an open change away. What another server was asked for, or what was asked before there was a partner's server,
 * says nothing about the balance here: the account starts over.
 */
function closed(platform: Platform, tx: Books, uid: string, change: Named) {
  const url = platform.partnerUrl();
  const open = tx.get('openChanges', keyOf(change));
  if (open !== undefined) tx.remove('openChanges', keyOf(change));
  if (url === undefined) return undefined;
  if (open?.url === url) return open;
  if (tx.get('accounts', uid) !== undefined) tx.remove('accounts', uid);
  return undefined;
}
