import type { components } from '../../generated/sandbox/types.ts';
import { reinstate, type Work } from '../jobs/work.ts';
import type { Reader, Tx } from '../store/store.ts';
import type { Parked, PlatformCollections } from './collections.ts';
import type { Platform } from './platform.ts';
import { noteDelivery } from './workers/deliver.ts';

type PublicDelivery = components['schemas']['Delivery'];
type Kind = PublicDelivery['kind'];
type Piece = Pick<Work, 'id' | 'kind' | 'payload' | 'trace'>;

const kinds: readonly string[] = ['creditPoints', 'reportStatus', 'sendWebhook'] satisfies Kind[];

/** Outstanding deliveries of the platform, for the control API to list and replay (OP-24). */
export class Deliveries {
  readonly #platform: Platform;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Returns due and parked deliveries with an id above `after`, in the order of their creation. */
  list(after: string | undefined, limit: number): PublicDelivery[] {
    const { store } = this.#platform;
    const part = { limit, ...(after !== undefined && { after }) };
    const parked = store.ids('parked', part).flatMap((id) => {
      const delivery = store.get('parked', id);
      return delivery === undefined ? [] : [parkedDelivery(id, delivery)];
    });
    const due = kinds.flatMap((group) => store.range('due', { by: 'kind', group, ...part }).map(dueDelivery));
    return [...due, ...parked].sort((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
  }

  /** Schedules a delivery for now. Returns `undefined` if no outstanding delivery has this id. */
  replay(id: string, trace: string): Promise<PublicDelivery | undefined> {
    return this.#platform.store.transact((tx) => {
      const piece = outstanding(tx, id);
      return piece && this.#putBack(tx, piece, trace);
    });
  }

  /** Schedules every parked delivery for now. */
  replayParked(trace: string): Promise<PublicDelivery[]> {
    return this.#platform.store.transact((tx) =>
      tx.ids('parked').flatMap((id) => {
        const piece = outstanding(tx, id);
        return piece === undefined ? [] : [this.#putBack(tx, piece, trace)];
      }),
    );
  }

  #putBack(tx: Tx<PlatformCollections>, { id, kind, payload, trace }: Piece, cause: string): PublicDelivery {
    const work = { id, kind, payload, trace, at: this.#platform.clock.now() };
    tx.remove('parked', id);
    reinstate(tx, work);
    noteDelivery(this.#platform, tx, 'delivery.replayed', work, { trace: cause, detail: {} });
    return dueDelivery({ ...work, tries: 0 });
  }
}

function isDelivery({ kind }: Pick<Work, 'kind'>): boolean {
  return kinds.includes(kind);
}

function outstanding(reader: Reader<PlatformCollections>, id: string): Piece | undefined {
  const parked = reader.get('parked', id);
  if (parked !== undefined) return { ...parked, id };
  const due = reader.get('due', id);
  return due !== undefined && isDelivery(due) ? due : undefined;
}

function dueDelivery({ id, kind, tries, at, reason, payload }: Omit<Work, 'trace'>): PublicDelivery {
  const next_at = new Date(at).toISOString();
  return { ...facts(id, kind, payload), status: 'due', tries, next_at, reason: reason ?? null };
}

function parkedDelivery(id: string, { kind, tries, reason, payload }: Parked): PublicDelivery {
  return { ...facts(id, kind, payload), status: 'parked', tries, next_at: null, reason };
}

function facts(id: string, kind: string, payload: Work['payload']) {
  const { redeemCode = null, transactionId = null, webhook_id = null } = payload;
  return { id, kind: kind as Kind, redeem_code: redeemCode, transaction_id: transactionId, webhook_id };
}
