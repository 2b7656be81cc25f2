import { finish, type Work } from '../../runtime/due.ts';
import type { Tx } from '../../store/store.ts';
import type { Line, PlatformBooks } from '../books.ts';
import type { ClientAnswer } from '../client-reply.ts';
import { dialectOf } from '../dialects.ts';
import { lineOf, orderOf } from '../order-resource.ts';
import type { Platform } from '../platform.ts';
import { tryLater } from './deliver.ts';
import { closeLine } from './fulfilLine.ts';

/** Tells the client how a line ended, again until it is acknowledged (B10, E8; OP-21, OP-22, OP-24, OP-52). */
export async function reportStatus(platform: Platform, work: Work): Promise<void> {
  const line = lineOf(platform.store, work.payload.redeemCode ?? '');
  const { door } = orderOf(platform.store, line.order_id);
  const answer = await dialectOf(platform, door).report(line, work.trace);
  await platform.store.transact((tx) => settle(platform, tx, work, line, answer));
}

function settle(platform: Platform, tx: Tx<PlatformBooks>, work: Work, line: Line, answer: ClientAnswer): void {
  if (answer.kind === 'accepted') return finish(tx, work);
  if (answer.kind === 'no_answer') return void tryLater(platform, tx, work, answer.reason);
  if (line.status === 'Rejected' && answer.message === 'Unknown redeemCode.') return finish(tx, work);
  if (line.status === 'Delivered' && answer.message === 'Order already Rejected.') {
    voidLine(platform, tx, line, work.trace);
    return finish(tx, work);
  }
  tryLater(platform, tx, work, answer.message);
}

/** The client has given the points back in the meantime: the vouchers are void and the line ends as Rejected (OP-22). */
function voidLine(platform: Platform, tx: Tx<PlatformBooks>, line: Line, trace: string): void {
  for (const { voucherCode } of tx.find('vouchers', 'redeemCode', line.redeemCode)) tx.remove('vouchers', voucherCode);
  closeLine(platform, tx, line, { status: 'Rejected', remark: 'Reversed by the client before delivery' }, trace);
}
