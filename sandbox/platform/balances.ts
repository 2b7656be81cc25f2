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
import type { Reader } from '../store/store.ts';
import type { ApiVersion, BalanceAccount, Line, Payment, PlatformCollections, PlatformTx } from './collections.ts';
import type { Platform } from './platform.ts';

/**
 * Records that the partner's own server will receive a request to change a balance. Call this function in the
 * transaction that causes the change.
 */
export function expectChange(platform: Platform, tx: PlatformTx, whose: BalanceRequest, change: BalanceChange): void {
  const url = platform.partnerUrl();
  if (url === undefined) return;
  tx.put('openChanges', keyOf(change), { ...change, uid: whose.uid, url });
  putAccount(tx, whose, url, countMove(accountOf(tx, whose.uid, url)));
}

/** Records the server's response. `kind` is the outcome, if it differs from the request. */
export function confirmChange(platform: Platform, tx: PlatformTx, uid: string, change: ChangeKey, kind?: ChangeKind) {
  const open = removeExpected(platform, tx, uid, change);
  if (open === undefined) return;
  const { reference, points, fee, url } = open;
  const account = accountOf(tx, uid, url);
  putAccount(tx, { uid }, url, recordChange(account, { kind: kind ?? open.kind, reference, points, fee }));
}

/** Records that a deduction will be reversed. The deduction stays open until the server responds, because it may not have happened. */
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

/** Records that the server has refunded a line's points on its own, as it may after the timeout (OP-22). */
export function recordReversal(platform: Platform, tx: PlatformTx, line: Line): void {
  const url = platform.partnerUrl();
  if (url === undefined) return;
  const { uid } = line;
  putAccount(tx, { uid }, url, recordChange(accountOf(tx, uid, url), lineChange('reversal', line)));
}

/**
 * Reads a customer's balance with `ask` and records it for comparison with the previous one. Discards the new balance
 * if a change was requested in between, because the balance may or may not include that change.
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
  // Skip the write if the balance has not changed.
  if (!counts(store) || (before.lastKnown?.balance === balance && before.changes.length === 0)) return answer;
  await store.transact((tx) => {
    if (counts(tx)) putAccount(tx, whose, url, recordBalance(accountOf(tx, uid, url), balance, platform.clock.now()));
  });
  return answer;
}

/** Returns the balance change for a line's points. */
export function lineChange(kind: Exclude<ChangeKind, 'credit'>, { redeemCode, points }: Line): BalanceChange {
  const { totalPointWithProcessingFee, processingFee } = points;
  return { kind, reference: redeemCode, points: totalPointWithProcessingFee, fee: processingFee };
}

/** Returns the balance change for a payment. */
export function creditOf({ transactionId, points }: Payment): BalanceChange {
  return { kind: 'credit', reference: transactionId, points, fee: 0 };
}

/** Returns whether a change to this customer's balance still has no response from the server. */
export function isOpen(reader: Reader<PlatformCollections>, uid: string): boolean {
  return reader.find('openChanges', 'uid', uid).length > 0;
}

/** A customer, and the API version used to read the balance. Default: the version of the previous read. */
interface BalanceRequest {
  readonly uid: string;
  readonly version?: ApiVersion;
}

type ChangeKey = Pick<BalanceChange, 'kind' | 'reference'>;

/** Prefixes the kind, because partners choose payment ids, which may equal line ids. */
function keyOf({ kind, reference }: ChangeKey): string {
  return kind === 'credit' ? `payment ${reference}` : `line ${reference}`;
}

/** Returns the record of a customer's balance at this server. The record is empty if the last balance is from another server. */
function accountOf(reader: Reader<PlatformCollections>, uid: string, url: string): Account {
  const account = reader.get('accounts', uid);
  return account === undefined || account.url !== url ? newAccount : account;
}

function putAccount(tx: PlatformTx, { uid, version }: BalanceRequest, url: string, account: Account): void {
  const existing: BalanceAccount | undefined = tx.get('accounts', uid);
  tx.put('accounts', uid, { ...account, uid, url, version: version ?? existing?.version ?? 'v1' });
}

/**
 * Removes an open change. Resets the account if the request went to another server, or if no request is recorded. Such
 * a request reveals nothing about the balance here.
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
