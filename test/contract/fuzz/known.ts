import type { Draw } from '../../harness/drawing.ts';

/** Names that stand for the same thing in different contracts. */
const sameThing = [
  ['uid', 'customer_id', 'username'],
  ['sku', 'sku_code', 'productCode'],
  ['redeemCode', 'redeem_code', 'redeem_codes', 'redemptionCode'],
  ['cursor', 'next_cursor'],
  ['secret', 'company_secret'],
] as const;

const most = 12;

/** Real values, by the name that they were seen under in replies. */
export class Known {
  readonly #values = new Map<string, string[]>();

  /** Takes in every text of a reply, under the name of its field. */
  learn(value: unknown, name = ''): void {
    if (typeof value === 'string') this.#add(name, value);
    else if (Array.isArray(value)) for (const item of value.slice(0, most)) this.learn(item, name);
    else if (value !== null && typeof value === 'object') {
      for (const [key, field] of Object.entries(value)) this.learn(field, key);
    }
  }

  /** A value that was seen under this name, or one that stands for the same; undefined when none was. */
  one(name: string, draw: Draw): string | undefined {
    const values = this.#values.get(thing(name));
    return values && draw.pick(values);
  }

  /** The newest stand beside the first ones, which are those of the seed. */
  #add(name: string, value: string): void {
    const values = this.#values.get(thing(name)) ?? [];
    this.#values.set(thing(name), values);
    if (values.includes(value)) return;
    if (values.length === most) values.splice(most / 2, 1);
    values.push(value);
  }
}

function thing(name: string): string {
  return sameThing.find((names) => (names as readonly string[]).includes(name))?.[0] ?? name;
}
