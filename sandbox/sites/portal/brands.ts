import type { Reward } from './portal-orders.ts';

/** The parts of a reward's name: the brand or product, and the variant, which is empty if there is none. */
interface Branded {
  readonly brand: string;
  readonly choice: string;
}

/** A catalogue card: a brand with its vouchers, or a product with its colours. */
export interface Brand {
  readonly name: string;
  /** In catalogue order; never empty. */
  readonly rewards: readonly Reward[];
}

/** Splits a name: `X e-gift voucher 500` is a voucher of X, `X, indigo` is the product X in indigo (OP-183). */
export function brandOf({ name, product_type }: Pick<Reward, 'name' | 'product_type'>): Branded {
  const parts =
    product_type === 'EGV'
      ? /^(\S.*?) (?:e-gift voucher|gift voucher|gift card|voucher) (\d[\d,.]*)$/i.exec(name)
      : /^(\S.*), ([^,]+)$/.exec(name);
  const [, brand = name, choice = ''] = parts ?? [];
  return { brand, choice };
}

/** Groups rewards into cards, each at the position of its first reward. A card of one reward shows that reward's full name. */
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
