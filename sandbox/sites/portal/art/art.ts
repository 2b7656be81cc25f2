import { readFileSync } from 'node:fs';
import { once } from '../../../runtime/caches.ts';
import { html } from '../../site.ts';
import { brandOf } from '../parts.ts';
import type { Reward } from '../portal.ts';

/** The colour of a shape: one of the picture's tones, or a line in its lightest tone. */
type Tone = 'light' | 'deep' | 'spark' | 'line';

/** A shape: its tone and its path. */
type Shape = readonly [tone: Tone, path: string];

/** Returns a lazy loader of a picture's shapes. The colours in the file only matter to viewers of the file itself. */
const picture = (file: string): (() => readonly Shape[]) =>
  once(() => {
    const svg = readFileSync(new URL(`../../assets/pictures/${file}.svg`, import.meta.url), 'utf8');
    return [...svg.matchAll(/<path class="(\w+)" d="([^"]+)"/g)].map(
      ([, tone, path]): Shape => [tone as Tone, path ?? ''],
    );
  });

const row = (folder: string, text: string) => {
  const words = text.split(' ');
  return { words, shapes: picture(`${folder}/${words[0]}`) };
};
const glyph = (category: Category, words: string) => ({ category, ...row('vouchers', words) });
const product = (words: string) => row('products', words);

/**
 * Pictures of lines of business, each with the words that select it in a brand's name. The first word is also the file
 * name. The first matching row wins.
 */
export const glyphs = [
  glyph('food', 'chai tea coffee cafe'),
  glyph('food', 'spice kitchen restaurant dine biryani'),
  glyph('food', 'sweets mithai bakery'),
  glyph('food', 'fresh sabzi grocery fruit'),
  glyph('fashion', 'khadi loom fashion style'),
  glyph('fashion', 'chappal shoes footwear'),
  glyph('market', 'jewels jewel jewellery meenakari gold'),
  glyph('technology', 'gadget electronics mobile digital'),
  glyph('market', 'bazaar mart market store shop'),
  glyph('leisure', 'cinema talkies movie film'),
  glyph('leisure', 'music sargam song'),
  glyph('leisure', 'toys toy lattoo games'),
  glyph('learning', 'books book banyan reader'),
  glyph('learning', 'courses course vidya learn school'),
  glyph('travel', 'fuel petrol highway'),
  glyph('travel', 'metro rail train'),
  glyph('travel', 'travel yatra bus tours flights'),
  glyph('travel', 'stays haveli hotel stay'),
  glyph('wellbeing', 'salon hair beauty'),
  glyph('wellbeing', 'yoga surya fitness gym'),
  glyph('wellbeing', 'spa chandan wellness'),
  glyph('wellbeing', 'pharmacy tulsi health medical'),
  glyph('home', 'cleaning saaf clean laundry'),
  glyph('home', 'repairs jhatpat repair service'),
] as const;

/** The picture of a brand whose name matches no row. */
export const gift = picture('vouchers/gift');

/** Pictures of product kinds, in the same format. */
export const products = [
  product('kettle'),
  product('cooker'),
  product('tawa pan kadai'),
  product('tiffin lunch'),
  product('lamp light'),
  product('durrie rug carpet'),
  product('blanket quilt'),
  product('bottle flask'),
  product('speaker'),
  product('bag backpack'),
  product('clock watch'),
  product('umbrella'),
] as const;

/** The picture of a product whose name matches no row. */
export const parcel = picture('products/parcel');

/** Colours that a product name can end in: background, lightest tone, the product's own colour, and its shade. */
export const colours: ReadonlyMap<string, readonly [string, string, string, string]> = new Map([
  ['indigo', ['#e2e5fa', '#c3c9f3', '#4a4fb0', '#2c2f78']],
  ['marigold', ['#fdeecb', '#fff7e4', '#e79a16', '#9a5a05']],
  ['sandal', ['#f3e7d8', '#fbf4ea', '#c4905c', '#7b5330']],
  ['peacock', ['#d8eff1', '#eefafb', '#178496', '#0a4f5d']],
]);

/** The colours of a picture: the background and the tones of its shapes. Lines use the lightest tone. */
type Paint = Readonly<Record<'ground' | 'light' | 'deep' | 'spark', string>>;

/** Two palettes per line of business, so that neighbouring cards can differ. */
const paints = {
  food: [paint('#b4431f', '#fff1e0', '#7a2710', '#ffc24d'), paint('#9a3412', '#ffe9d6', '#64200a', '#ffb35c')],
  market: [paint('#7a5a08', '#fff6d9', '#4d3803', '#ffd65c'), paint('#6b5310', '#fdf3d4', '#43330a', '#f7c948')],
  fashion: [paint('#8e2457', '#ffe8f2', '#5c1236', '#ff9dc2'), paint('#7a2a6b', '#fbe6f7', '#4d1643', '#f2a1df')],
  technology: [paint('#27405e', '#e6effa', '#14263c', '#5cd6c8'), paint('#1f4a55', '#e2f4f4', '#0f2d36', '#8be0a8')],
  leisure: [paint('#51319b', '#efe9ff', '#331b6b', '#c3a6ff'), paint('#3f3a9e', '#e9e9ff', '#26226a', '#a9b4ff')],
  learning: [paint('#1f4e9c', '#e6f0ff', '#11316a', '#8fc2ff'), paint('#24557f', '#e4f2ff', '#123653', '#8ed0f5')],
  travel: [paint('#0d6173', '#dcf6fb', '#063d4a', '#6fd9e8'), paint('#0b5c7a', '#def3fb', '#05394d', '#ffcf6b')],
  wellbeing: [paint('#1f6b45', '#e2f7ea', '#0f4229', '#9be3b4'), paint('#3f6b1f', '#eff8df', '#27450f', '#cbe67f')],
  home: [paint('#4a5663', '#eef2f6', '#2c3641', '#f2c14e'), paint('#5b4a63', '#f4eef6', '#382c3e', '#e6a5d0')],
} as const satisfies Record<string, readonly [Paint, Paint]>;

function paint(ground: string, light: string, deep: string, spark: string): Paint {
  return { ground, light, deep, spark };
}

/** A brand's line of business, which determines the colours and the pattern of its picture. */
type Category = keyof typeof paints;
const categories = Object.keys(paints) as Category[];

/** The background patterns by category. Each is 480 by 140 units, of which 320 by 140 are visible. */
const patterns = new Map(categories.map((category) => [category, picture(`patterns/${category}`)]));

/** The visible part of a picture: all of it, or the square in the middle. */
const fields = { wide: '0 0 320 140', square: '90 0 140 140' } as const;

/**
 * Renders the picture of a reward. It depends only on the name and is the same for all values of a voucher. It is
 * decorative, because the name is next to it.
 */
export function art({ name, product_type }: Pick<Reward, 'name' | 'product_type'>, field: keyof typeof fields) {
  const { ground, pattern, shapes, tones } = product_type === 'EGV' ? ofVoucher(name) : ofProduct(name);
  return html`
    <svg class=${`art ${field}`} viewBox=${fields[field]} preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path d="M0 0h320v140H0z" fill=${ground} />
      ${pattern}
      <g transform="translate(112 22) scale(1.5)">
        ${shapes.map(([tone, path]) =>
          tone === 'line'
            ? html`<path d=${path} fill="none" stroke=${tones.light} stroke-width="4" stroke-linecap="round" stroke-linejoin="round" />`
            : html`<path d=${path} fill=${tones[tone]} />`,
        )}
      </g>
    </svg>
  `;
}

function ofVoucher(name: string) {
  const { brand } = brandOf({ name, product_type: 'EGV' });
  const draw = drawn(brand);
  const match = glyphs.find(({ words }) => words.some((word) => wordsOf(brand).includes(word)));
  const category = match?.category ?? pick(categories, draw);
  const tones = pick(paints[category], draw);
  const shift = `translate(${-Math.floor(160 * draw())})`;
  const behind = patterns
    .get(category)?.()
    .map(
      ([, path]) =>
        html`<path d=${path} transform=${shift} fill=${tones.spark} fill-opacity=".16" fill-rule="evenodd" />`,
    );
  return { ground: tones.ground, pattern: behind, shapes: (match?.shapes ?? gift)(), tones };
}

function ofProduct(name: string) {
  const { brand, choice } = brandOf({ name, product_type: 'PHYSICAL' });
  const match = products.find(({ words }) => words.some((word) => wordsOf(brand).includes(word)));
  const colour = colours.get(choice.toLowerCase()) ?? pick([...colours.values()], drawn(brand));
  const [ground, light, spark, deep] = colour;
  const floor = html`<path d="M64 116a96 16 0 0 1 192 0 96 16 0 0 1-192 0z" fill=${deep} fill-opacity=".14" />`;
  return { ground, pattern: floor, shapes: (match?.shapes ?? parcel)(), tones: { light, deep, spark } };
}

const wordsOf = (name: string): string[] => name.toLowerCase().split(/[^\p{L}]+/u);

function pick<T>(among: readonly T[], draw: Draw): T {
  return among[Math.floor(draw() * among.length)] as T;
}

/** Returns pseudorandom numbers below 1, always the same sequence for the same brand. */
type Draw = () => number;

/** Returns a generator of pseudorandom numbers below 1, seeded with the FNV-1a hash of a string. */
function drawn(text: string): Draw {
  let state = 0x811c9dc5;
  for (const character of text) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
