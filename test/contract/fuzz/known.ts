import type { Draw } from '../../harness/drawing.ts';

/** Names for the same field in different contracts. */
const sameThing = [
  ['uid', 'customer_id', 'username'],
  ['sku', 'sku_code', 'productCode'],
  ['redeemCode', 'redeem_code', 'redeem_codes', 'redemptionCode'],
  ['cursor', 'next_cursor'],
  ['secret', 'company_secret'],
] as const;

const most = 12;

/** Real values from replies, by field name. */
export class KnownValues {
  readonly #values = new Map<string, string[]>();

  /** Adds every string in a reply under its field name. */
  learn(value: unknown, name = ''): void {
    if (typeof value === 'string') this.#add(name, value);
    else if (Array.isArray(value)) for (const item of value.slice(0, most)) this.learn(item, name);
    else if (value !== null && typeof value === 'object') {
      for (const [key, field] of Object.entries(value)) this.learn(field, key);
    }
  }

  /** Returns a value for a field with this name or an equivalent one, or `undefined` if there is none. */
  one(name: string, draw: Draw): string | undefined {
    const values = this.#values.get(thing(name));
    return values && draw.pick(values);
  }

  /** Stores a value. The first values, which come from the seed, and the newest ones are retained. */
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
