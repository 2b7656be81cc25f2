/** Tests reward pictures. They depend only on the name and must be deterministic, well-formed, small and free of ids. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { art, colours, gift, glyphs, parcel, products } from '../../sandbox/sites/portal/art/art.ts';
import { brandOf, brandsIn } from '../../sandbox/sites/portal/parts.ts';
import { document } from '../../sandbox/sites/site.ts';

type Kind = 'EGV' | 'PHYSICAL';
const drawing = (name: string, product_type: Kind) => document(art({ name, product_type }, 'wide')).slice(15);
const paths = (svg: string) => [...svg.matchAll(/ d="([^"]*)"/g)].map(([, path = '']) => path);

describe('a picture', () => {
  it('OP-183: depends on the name alone, and has a viewBox, no id, no style and at most 4 KB for any name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.constantFrom<Kind>('EGV', 'PHYSICAL'),
        (name, kind) => {
          const svg = drawing(name, kind);
          expect(svg).toBe(drawing(name, kind));
          expect(svg).toMatch(
            /^<svg class="art wide" viewBox="0 0 320 140" [^<]*aria-hidden="true">(<g [^<]*>|<\/g>|<path [^<]*>|<\/path>)*<\/svg>$/,
          );
          expect(svg).not.toMatch(/ id=| style=|NaN|undefined|Infinity/);
          expect(svg.length).toBeLessThan(4096);
          for (const path of paths(svg)) expect(path).toMatch(/^M[MmLlHhVvCcSsQqTtAaZz\d\s,.-]*$/);
        },
      ),
    );
  });

  it('OP-183: is the same for all values of a voucher, and different for each brand', () => {
    const of = (name: string) => drawing(name, 'EGV');
    expect(of('Chai Junction e-gift voucher 100')).toBe(of('Chai Junction e-gift voucher 2000'));
    const brands = [
      'Chai Junction',
      'Spice Route Kitchen',
      'Mithai Mahal',
      'Banyan Books',
      'Talkies Cinema',
      'Acme',
      'Zenith',
    ];
    expect(new Set(brands.map(of)).size).toBe(brands.length);
    // Even two rewards of the same kind have different backgrounds.
    const teas = ['Tulsi Tea', 'Ganga Tea', 'Malabar Tea'];
    expect(new Set(teas.map((name) => /translate\(-\d+\)/.exec(of(name))?.[0])).size).toBe(3);
  });

  it('OP-183: of a product has the colour at the end of the name', () => {
    for (const [colour, [ground]] of colours)
      expect(drawing(`Copper water bottle, ${colour}`, 'PHYSICAL')).toContain(`fill="${ground}"`);
  });

  it('OP-183: each word of a glyph selects it, and its shapes start inside its square', () => {
    const allGlyphs = [
      ...glyphs.map((glyph) => ({ ...glyph, kind: 'EGV' as const })),
      ...products.map((product) => ({ ...product, kind: 'PHYSICAL' as const })),
    ];
    for (const { words, shapes, kind } of allGlyphs) {
      for (const word of words)
        for (const [, path] of shapes()) expect(drawing(`The ${word} place`, kind), word).toContain(path);
    }
    const pictures = [...allGlyphs.map(({ shapes }) => shapes), gift, parcel].map((shapes) => shapes());
    // A file with an unexpected path format would result in an empty picture.
    for (const shapes of pictures) expect(shapes.length).toBeGreaterThan(1);
    const all = pictures.flat();
    for (const [, path] of all) {
      const [x, y] = (/^M(-?[\d.]+)[ ,](-?[\d.]+)/.exec(path) ?? []).slice(1).map(Number);
      expect(
        [x, y].every((at) => at !== undefined && at >= 0 && at <= 64),
        path,
      ).toBe(true);
    }
    expect(drawing('Qwerty', 'EGV')).toContain(gift()[0]?.[1]);
    expect(drawing('Qwerty', 'PHYSICAL')).toContain(parcel()[0]?.[1]);
  });
});

describe('a card', () => {
  it.each([
    ['EGV', 'Chai Junction e-gift voucher 100', 'Chai Junction', '100'],
    ['EGV', 'Chandan Spa gift card 2,500', 'Chandan Spa', '2,500'],
    ['EGV', 'Voucher 100', 'Voucher 100', ''],
    ['EGV', 'Chai Junction', 'Chai Junction', ''],
    ['PHYSICAL', 'Teak wall clock, indigo', 'Teak wall clock', 'indigo'],
    ['PHYSICAL', 'Table, oak, round', 'Table, oak', 'round'],
    ['PHYSICAL', 'Umbrella', 'Umbrella', ''],
    ['EGV', 'Books, old', 'Books, old', ''],
  ] as const)('OP-183: %s %j is %j, %j', (product_type, name, brand, choice) => {
    expect(brandOf({ name, product_type })).toEqual({ brand, choice });
  });

  it('OP-183: has all rewards of a brand and kind, at the position of the first; a single reward keeps its whole name', () => {
    const reward = (name: string, product_type: Kind) =>
      ({ sku: name, name, product_type, priceInr: 1, available: 1, cost: () => ({}) as never }) as const;
    const [a, b, c, d] = [
      reward('Chai voucher 100', 'EGV'),
      reward('Clock, indigo', 'PHYSICAL'),
      reward('Chai voucher 200', 'EGV'),
      reward('Chai', 'PHYSICAL'),
    ];
    expect(brandsIn([a, b, c, d])).toEqual([
      { name: 'Chai', rewards: [a, c] },
      { name: 'Clock, indigo', rewards: [b] },
      { name: 'Chai', rewards: [d] },
    ]);
    expect(brandsIn([])).toEqual([]);
  });
});
