import { schedule } from '../jobs/work.ts';
import { nextNumber, numberedId } from '../runtime/numbering.ts';
import { draw } from '../runtime/random.ts';
import type { Tx } from '../store/store.ts';
import { expectChange, lineChange } from './balances.ts';
import type { ApiVersion, Line, Order, PlatformCollections } from './collections.ts';
import type { Platform } from './platform.ts';

/** A line before it has its code. */
export type Draft = Omit<Line, 'redeemCode' | 'order_id'>;

/** What an order keeps of the request that it came with. */
interface Origin extends Pick<Order, 'uid' | 'trace'> {
  readonly version: ApiVersion;
  readonly reference_id?: string;
}

/** An order during the calls to the client, with its lines. */
export interface Placing {
  readonly order: Order;
  readonly lines: readonly Line[];
  /** The due work that gives the order up, should this process die before it is placed. */
  readonly guard: string;
  readonly release: () => void;
}

/**
 * Writes the order as `placing`, with its codes and with the work that gives it up after a crash (OP-50); undefined
 * where another order has its `reference_id` (OP-133). Resolves once the lines can be requested from the client.
 */
export async function writePlacing(
  platform: Platform,
  request: Origin,
  drafts: readonly Draft[],
): Promise<Placing | undefined> {
  const { store } = platform;
  let release = () => {};
  let placing = undefined as Omit<Placing, 'release'> | undefined;
  try {
    await store.transact((tx) => {
      placing = drawnUp(platform, tx, request, drafts);
      // Before the commit: once it is written, it would run.
      if (placing !== undefined) release = platform.runner().hold(placing.guard);
    });
    return placing && { ...placing, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** The order and its lines, in the transaction; undefined where another order has its `reference_id`. */
function drawnUp(
  platform: Platform,
  tx: Tx<PlatformCollections>,
  origin: Origin,
  drafts: readonly Draft[],
): Omit<Placing, 'release'> | undefined {
  const { uid, version, trace, reference_id = null } = origin;
  if (reference_id !== null && tx.find('orders', 'reference', reference_id).length > 0) return undefined;
  const now = platform.clock.now();
  const order_id = `${numberedId('ORD', nextNumber(tx, 'orders'))}-${draw(tx, (random) => random.code(4))}`;
  const lines = drafts.map((draft) => ({
    ...draft,
    order_id,
    redeemCode: `${numberedId('RDM', nextNumber(tx, 'lines'))}-${draw(tx, (random) => random.code(6))}`,
  }));
  const redeemCodes = lines.map(({ redeemCode }) => redeemCode);
  const order: Order = {
    order_id,
    uid,
    door: version,
    reference_id,
    state: 'placing',
    redeemCodes,
    created: now,
    updated: now,
    trace,
    seq: 0,
  };
  tx.add('orders', order_id, order);
  for (const line of lines) {
    tx.add('lines', line.redeemCode, line);
    expectChange(platform, tx, { uid, version }, lineChange('deduction', line));
  }
  const guard = schedule(tx, { kind: 'abandonOrder', at: now, trace, payload: { order_id } });
  platform.activity.note(tx, {
    trace,
    party: 'platform',
    event: 'order.placing',
    uid,
    redeem_codes: redeemCodes,
    detail: { order_id },
  });
  return { order, lines, guard };
}
