import {
  type Account,
  type BalanceChange,
  type ChangeKind,
  countMove,
  newAccount,
  recordBalance,
  recordChange,
} from '../domain/balance.ts';
import type { Answer } from '../domain/failures.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { ApiVersion, BalanceAccount, Line, Payment, PlatformCollections } from './collections.ts';
import type { Platform } from './platform.ts';

type PlatformTx = Tx<PlatformCollections>;

/** Records, in the transaction that causes it, that a partner's own server will get a request to change a balance. */
export function expectChange(platform: Platform, tx: PlatformTx, whose: BalanceRequest, change: BalanceChange): void {
  const url = platform.partnerUrl();
  if (url === undefined) return;
  tx.put('openChanges', keyOf(change), { ...change, uid: whose.uid, url });
  putAccount(tx, whose, url, countMove(accountOf(tx, whose.uid, url)));
}

/** Records the server's response. `kind` is the outcome, if it differs from the request. */
export function confirmChange(
  platform: Platform,
  tx: PlatformTx,
  uid: string,
  change: ChangeKey,
  kind?: ChangeKind,
): void {
  const open = removeExpected(platform, tx, uid, change);
  if (open === undefined) return;
  const { reference, points, fee, url } = open;
  const account = accountOf(tx, uid, url);
  putAccount(tx, { uid }, url, recordChange(account, { kind: kind ?? open.kind, reference, points, fee }));
}

/** Records that a deduction will be reversed, whether or not it happened: it stays open until the answer. */
export function expectReversal(tx: PlatformTx, redeemCode: string): void {
  const key = keyOf({ kind: 'deduction', reference: redeemCode });
  const open = tx.get('openChanges', key);
  if (open !== undefined) tx.put('openChanges', key, { ...open, kind: 'cancelled_deduction' });
}

/** Records that the request was not sent after all. */
export function dropExpected(platform: Platform, tx: PlatformTx, uid: string, change: ChangeKey): void {
  const open = removeExpected(platform, tx, uid, change);
  if (open !== undefined) putAccount(tx, { uid }, open.url, countMove(accountOf(tx, uid, open.url)));
}

/** Records that the server refunded the points of a line by itself, as it may (OP-22). */
export function recordReversal(platform: Platform, tx: PlatformTx, line: Line): void {
  const url = platform.partnerUrl();
  if (url === undefined) return;
  const { uid } = line;
  putAccount(tx, { uid }, url, recordChange(accountOf(tx, uid, url), lineChange('reversal', line)));
}

/**
 * Reads a customer's balance by `ask`, and compares it with the previous one. It counts only if no change of that
 * balance was requested in between: with or without the change, both values would be right.
 */
export async function readAndCompare<T extends { readonly points: { readonly balance: number } }>(
  platform: Platform,
  whose: BalanceRequest,
  ask: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { store } = platform;
  const url = platform.partnerUrl();
  const { uid } = whose;
  const before = url === undefined ? undefined : accountOf(store, uid, url);
  const answer = await ask();
  if (answer.kind !== 'accepted' || url === undefined || before === undefined) return answer;
  const { balance } = answer.body.points;
  const counts = (reader: Reader<PlatformCollections>) =>
    platform.partnerUrl() === url && !isOpen(reader, uid) && accountOf(reader, uid, url).moves === before.moves;
  // An unchanged balance is not written again.
  if (!counts(store) || (before.lastKnown?.balance === balance && before.changes.length === 0)) return answer;
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

/** Whether a change of this customer's balance still has no response from the server. */
export function isOpen(reader: Reader<PlatformCollections>, uid: string): boolean {
  return reader.find('openChanges', 'uid', uid).length > 0;
}

/** The customer whose balance it is, and the version of the API that read it. Defaults to the previous one. */
interface BalanceRequest {
  readonly uid: string;
  readonly version?: ApiVersion;
}

type ChangeKey = Pick<BalanceChange, 'kind' | 'reference'>;

/** A line and a payment may have the same id: a partner chooses those of payments. */
function keyOf({ kind, reference }: ChangeKey): string {
  return kind === 'credit' ? `payment ${reference}` : `line ${reference}`;
}

/** The record of a customer's balance at this server; an empty one if the last balance is from another server. */
function accountOf(reader: Reader<PlatformCollections>, uid: string, url: string): Account {
  const account = reader.get('accounts', uid);
  return account === undefined || account.url !== url ? newAccount : account;
}

function putAccount(tx: PlatformTx, { uid, version }: BalanceRequest, url: string, account: Account): void {
  const existing: BalanceAccount | undefined = tx.get('accounts', uid);
  tx.put('accounts', uid, { ...account, uid, url, version: version ?? existing?.version ?? 'v1' });
}

/**
 * Removes an open change. A request to another server, or from before there was a partner's server,
 * says nothing about the balance here: the account starts over.
 */
function removeExpected(platform: Platform, tx: PlatformTx, uid: string, change: ChangeKey) {
  const url = platform.partnerUrl();
  const open = tx.get('openChanges', keyOf(change));
  if (open !== undefined) tx.remove('openChanges', keyOf(change));
  if (url === undefined) return undefined;
  if (open?.url === url) return open;
  if (tx.get('accounts', uid) !== undefined) tx.remove('accounts', uid);
  return undefined;
}
