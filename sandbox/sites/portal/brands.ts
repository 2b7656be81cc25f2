import type { Reward } from './portal-orders.ts';

/** What a name says: the brand or product, and which of its kinds this is, empty if it does not say. */
interface Branded {
  readonly brand: string;
  readonly choice: string;
}

/** One card of the catalogue: a brand with its vouchers, or a product with its colours. */
export interface Brand {
  readonly name: string;
  /** In the order of the catalogue; never empty. */
  readonly rewards: readonly Reward[];
}

/** Takes a name apart: `X e-gift voucher 500` is a voucher of X, `X, indigo` is the product X in indigo (OP-183). */
export function brandOf({ name, product_type }: Pick<Reward, 'name' | 'product_type'>): Branded {
  const parts =
    product_type === 'EGV'
      ? /^(\S.*?) (?:e-gift voucher|gift voucher|gift card|voucher) (\d[\d,.]*)$/i.exec(name)
      : /^(\S.*), ([^,]+)$/.exec(name);
  const [, brand = name, choice = ''] = parts ?? [];
  return { brand, choice };
}

/** The rewards as cards, each where its first reward was. A card of one reward has that reward's own name. */
export function brandsIn(rewards: readonly Reward[]): Brand[] {
  const cards = new Map<string, Reward[]>();
  for (const reward of rewards) {
    const key = `${reward.product_type} ${brandOf(reward).brand}`;
    const card = cards.get(key);
    if (card === undefined) cards.set(key, [reward]);
    else card.push(reward);
  }
  return [...cards.values()].map((card) => {
    const [first] = card as [Reward];
    return { name: card.length === 1 ? first.name : brandOf(first).brand, rewards: card };
  });
}
