import type { Answer } from '../../domain/failures.ts';
import { decideReport, evolveLine } from '../../domain/order-line.ts';
import type { Work } from '../../jobs/work.ts';
import type { Tx } from '../../store/store.ts';
import { confirmChange, recordReversal } from '../balances.ts';
import { itemOf } from '../catalogue.ts';
import { protocolOf } from '../client-protocols.ts';
import type { Line, PlatformCollections } from '../collections.ts';
import { lineOf, orderOf } from '../orders.ts';
import type { Platform } from '../platform.ts';
import { putItem } from '../stock.ts';
import { settleWork } from './deliver.ts';
import { endLine } from './fulfilLine.ts';

/** Reports the final status of a line to the client, until it is acknowledged (B10, E8; OP-21, OP-22, OP-24, OP-52). */
export async function reportStatus(platform: Platform, work: Work): Promise<void> {
  const line = lineOf(platform.store, work.payload.redeemCode ?? '');
  const { door } = orderOf(platform.store, line.order_id);
  const answer = await protocolOf(platform, door).report(line, work.trace);
  await platform.store.transact((tx) => book(platform, tx, work, line, answer));
}

function book(platform: Platform, tx: Tx<PlatformCollections>, work: Work, line: Line, answer: Answer): void {
  const { event, next } = decideReport(line, answer);
  if (event?.type === 'acknowledged') tx.put('lines', line.redeemCode, evolveLine(line, event));
  else if (event !== undefined) {
    voidVouchers(platform, tx, line, work.trace);
    endLine(platform, tx, line, event, work.trace);
    recordReversal(platform, tx, line);
  }
  if (line.status === 'Rejected' && next.kind === 'done') {
    confirmChange(platform, tx, line.uid, { kind: 'reversal', reference: line.redeemCode });
  }
  settleWork(platform, tx, work, next);
}

/** Voids the vouchers of a line, which no customer has seen, and restores its stock (OP-121). */
function voidVouchers(platform: Platform, tx: Tx<PlatformCollections>, line: Line, trace: string): void {
  for (const { voucherCode } of tx.find('vouchers', 'redeemCode', line.redeemCode)) tx.remove('vouchers', voucherCode);
  const item = itemOf(tx, line.sku_code);
  if (item === undefined) return;
  putItem(platform, tx, { ...item, stock: item.stock + line.quantity }, { trace, party: 'platform' });
}
