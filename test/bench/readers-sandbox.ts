/**
 * The process that `readers.ts` measures: a sandbox of the given checkout, with a long stored history. Usage:
 * `node readers-sandbox.ts <checkout> <data folder> <orders of others> <orders of ONE>`, with an IPC channel.
 */
import { join } from 'node:path';
import process, { argv, exit, threadCpuUsage } from 'node:process';
import { pathToFileURL } from 'node:url';
import type { WorkspaceCollections } from '../../sandbox/assembly/collections.ts';
import type * as numbering from '../../sandbox/runtime/numbering.ts';
import type { startSandbox } from '../../sandbox/sandbox.ts';
import type * as files from '../../sandbox/store/files.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';
import type { Addressed } from '../../sandbox/testing/clients.ts';
import type * as disk from '../../sandbox/workspaces/storage.ts';

/** The message that it sends once it is ready. */
export interface Ready extends Addressed {
  readonly token: string;
}

/** Milliseconds of processor time of the main thread since the last request for figures. */
export interface Figures {
  readonly longestBlock: number;
  readonly used: number;
}

const [, , checkout = '.', dataDir = '', others = '0', own = '0'] = argv;
const load = async (path: string) => import(pathToFileURL(join(checkout, path)).href);
const { startSandbox: start } = (await load('sandbox/sandbox.ts')) as { startSandbox: typeof startSandbox };
const { diskStorage } = (await load('sandbox/workspaces/storage.ts')) as typeof disk;
const { diskFiles } = (await load('sandbox/store/files.ts')) as typeof files;
const { nextNumber, orderedKey } = (await load('sandbox/runtime/numbering.ts')) as typeof numbering;

const warn = (message: string) => console.error(message);
const options = { port: 0, dataDir, warn, clock: 'running' } as const;
await (await start(options)).close();
const store = (await diskStorage(dataDir, { key: undefined, files: diskFiles, warn }).open(
  [],
)) as Store<WorkspaceCollections>;
await fill();
await store.close();
const sandbox = await start(options);

const computed = () => {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1000;
};
let [last, begun, longest] = [computed(), computed(), 0];
// A timer that fires every millisecond shows how long other work blocks the event loop.
setInterval(() => {
  const now = computed();
  longest = Math.max(longest, now - last);
  last = now;
}, 1);
process.on('message', (question: 'figures' | 'close') => {
  if (question === 'close') return void sandbox.close().then(() => exit(0));
  const figures: Figures = { longestBlock: longest, used: computed() - begun };
  [longest, begun] = [0, computed()];
  process.send?.(figures);
});
const { urls, credentials } = sandbox.workspace;
const ready: Ready = { urls, credentials, token: await sandbox.companyToken() };
process.send?.(ready);

async function fill(): Promise<void> {
  const count = Number(others) + Number(own);
  // The orders of ONE are spread among the others.
  const each = Math.max(1, Math.round(count / Math.max(1, Number(own))));
  for (let from = 1; from <= count; from += 250) {
    await store.transact((tx) => {
      for (let n = from; n < from + 250 && n <= count; n += 1)
        putOrder(tx, n, n % each === 0 ? 'ONE' : `OTHER${n % 50}`);
    });
  }
}

/** The records of an order of one voucher once it is delivered. */
function putOrder(tx: Tx<WorkspaceCollections>, n: number, uid: string): void {
  const redeemCode = `RDM-9${String(n).padStart(6, '0')}-AAAAAA`;
  const [order_id, trace, at] = [`ORD-9${String(n).padStart(6, '0')}-AAAA`, String(n).padStart(32, 'a'), Date.now()];
  const seq = nextNumber(tx as never, 'bench');
  const item = { sku_code: 'EGV-SPICE-100', product_type: 'EGV', product_name: 'Voucher', priceInr: 100, quantity: 1 };
  const tail = { processingFee: 0, totalPointWithProcessingFee: 100 };
  const line = { redeemPoints: 100, tdsSingleItem: 0, totalpoints: 100, ...tail };
  const order = {
    order_id,
    uid,
    door: 'v1',
    reference_id: null,
    state: 'placed',
    redeemCodes: [redeemCode],
    trace,
    seq,
  };
  // An earlier version ignores the status.
  tx.put('orders', order_id, {
    ...order,
    created: at,
    updated: at,
    status: 'Delivered',
  } as WorkspaceCollections['orders']);
  const end = { status: 'Delivered', remark: '' };
  tx.put('lines', redeemCode, {
    redeemCode,
    order_id,
    uid,
    ...item,
    ...end,
    points: line,
  } as unknown as WorkspaceCollections['lines']);
  const voucher = { voucherCode: `V-${n}`, redeemCode, uid, partnerCode: 'EGIFT', productCode: item.sku_code };
  const worth = { productName: item.product_name, denomination: 100, pin: '123456', issued: at, expires: at + 3e10 };
  tx.put('vouchers', voucher.voucherCode, { ...voucher, ...worth } as WorkspaceCollections['vouchers']);
  tx.put('redemptions', redeemCode, {
    state: 'Delivered',
    uid,
    points: 100,
    fingerprint: trace,
  } as WorkspaceCollections['redemptions']);
  const entry = { kind: 'deduct', points: 100, reference: redeemCode, uid, redeemCode, seq, at } as const;
  tx.put('entries', orderedKey(nextNumber(tx as never, 'entries')), entry);
}
