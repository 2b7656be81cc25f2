import { readFileSync } from 'node:fs';
import { once } from '../../../runtime/once.ts';

/** How a shape is painted: in the colours of its picture, or as a line in its lightest. */
type Tone = 'light' | 'deep' | 'spark' | 'line';

/** One shape: how it is painted, and its path. */
type Shape = readonly [tone: Tone, path: string];

/** Loads the shapes of a picture when it is first drawn. Its own colours are only for a viewer of the file. */
const picture = (file: string): (() => readonly Shape[]) =>
  once(() => {
    const svg = readFileSync(new URL(`../../assets/pictures/${file}.svg`, import.meta.url), 'utf8');
    return [...svg.matchAll(/<path class="(\w+)" d="([^"]+)"/g)].map(
      ([, tone, path]): Shape => [tone as Tone, path ?? ''],
    );
  });

/** The pattern behind the glyph, in a field of 480 by 140 of which 320 are visible: another one for each category. */
export const patterns = {
  food: picture('patterns/food'),
  market: picture('patterns/market'),
  fashion: picture('patterns/fashion'),
  technology: picture('patterns/technology'),
  leisure: picture('patterns/leisure'),
  learning: picture('patterns/learning'),
  travel: picture('patterns/travel'),
  wellbeing: picture('patterns/wellbeing'),
  home: picture('patterns/home'),
};

/** What a brand deals in: it decides the colours and the pattern of the brand's picture. */
export type Category = keyof typeof patterns;

const row = (folder: string, text: string) => {
  const words = text.split(' ');
  return { words, shapes: picture(`${folder}/${words[0]}`) };
};
const glyph = (category: Category, words: string) => ({ category, ...row('vouchers', words) });
const product = (words: string) => row('products', words);

/**
 * A picture for each line of business, in the file of its first word, and the words in a brand's name that mean it. The
 * first row with a word of the name counts.
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

/** The picture of a brand whose name says nothing. */
export const gift = picture('vouchers/gift');

/** The same of kinds of products. */
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

/** The picture of a product whose name says nothing. */
export const parcel = picture('products/parcel');

/** Colours that the name of a product can end in: ground, lightest, the product's own, and its shade. */
export const colours: ReadonlyMap<string, readonly [string, string, string, string]> = new Map([
  ['indigo', ['#e2e5fa', '#c3c9f3', '#4a4fb0', '#2c2f78']],
  ['marigold', ['#fdeecb', '#fff7e4', '#e79a16', '#9a5a05']],
  ['sandal', ['#f3e7d8', '#fbf4ea', '#c4905c', '#7b5330']],
  ['peacock', ['#d8eff1', '#eefafb', '#178496', '#0a4f5d']],
]);
