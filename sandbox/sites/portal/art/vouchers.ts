import { box, circle, type Shape } from './shapes.ts';

/** What a brand deals in: it decides the colours and the pattern of the brand's picture. */
export type Category =
  | 'food'
  | 'market'
  | 'fashion'
  | 'technology'
  | 'leisure'
  | 'learning'
  | 'travel'
  | 'wellbeing'
  | 'home';

/** The picture of a line of business, in a square of 64, and the words in a brand's name that mean it. */
export interface Glyph {
  readonly category: Category;
  readonly words: readonly string[];
  readonly shapes: readonly Shape[];
}

const glyph = (category: Category, words: string, ...shapes: Shape[]): Glyph => ({
  category,
  words: words.split(' '),
  shapes,
});

/** The first whose word is in the name counts. */
export const glyphs: readonly Glyph[] = [
  glyph(
    'food',
    'chai tea coffee cafe',
    ['spark', 'M44 32h5a7 7 0 0 1 0 16h-6v-4h6a3 3 0 0 0 0-8h-5z'],
    ['light', 'M14 28h32v14a12 12 0 0 1-12 12h-8a12 12 0 0 1-12-12z'],
    ['line', 'M23 22c-3-4 3-6 0-11M32 22c-3-4 3-6 0-11'],
  ),
  glyph(
    'food',
    'spice kitchen restaurant dine biryani',
    ['light', 'M8 32h48a24 20 0 0 1-48 0z'],
    ['deep', box(22, 51, 20, 4, 2)],
    ['spark', 'M18 31a14 12 0 0 1 28 0z'],
    ['line', 'M26 15c-3-3 3-5 0-9M36 15c-3-3 3-5 0-9'],
  ),
  glyph(
    'food',
    'sweets mithai bakery',
    ['spark', circle(32, 22, 11)],
    ['light', circle(21, 39, 11)],
    ['light', circle(43, 39, 11)],
    ['deep', box(8, 49, 48, 6, 3)],
  ),
  glyph(
    'food',
    'fresh sabzi grocery fruit',
    ['light', 'M52 10c4 24-6 42-30 42-12-20 6-40 30-42z'],
    ['line', 'M12 58c8-16 18-26 30-34'],
    ['spark', circle(18, 18, 6)],
  ),
  glyph(
    'fashion',
    'khadi loom fashion style',
    ['light', 'M22 10h20l14 10-7 10-6-4v28H21V26l-6 4-7-10z'],
    ['deep', 'M25 10h14l-7 12z'],
    ['spark', box(30.5, 26, 3, 22)],
  ),
  glyph(
    'fashion',
    'chappal shoes footwear',
    ['light', 'M8 44c14 0 16-14 22-24 6 10 14 14 24 16 4 2 4 8 2 12H8z'],
    ['deep', box(6, 46, 52, 6, 3)],
    ['spark', 'M33 24l4 5-5 5-4-5z'],
  ),
  glyph(
    'market',
    'jewels jewel jewellery meenakari gold',
    ['light', 'M18 14h28l12 14-26 28L6 28z'],
    ['spark', 'M24 28h16l-8 26z'],
    ['deep', 'M24 28l8-14 8 14z'],
  ),
  glyph(
    'technology',
    'gadget electronics mobile digital',
    ['light', box(18, 6, 28, 52, 5)],
    ['deep', box(22, 12, 20, 36, 2)],
    ['spark', 'M34 17l-8 14h6l-2 12 8-15h-6z'],
  ),
  glyph(
    'market',
    'bazaar mart market store shop',
    ['light', box(12, 30, 40, 26, 2)],
    ['deep', box(28, 40, 12, 16, 2)],
    ['spark', 'M12 10h40l6 16a6 6 0 0 1-12 4 7 7 0 0 1-14 0 7 7 0 0 1-14 0 6 6 0 0 1-12-4z'],
  ),
  glyph(
    'leisure',
    'cinema talkies movie film',
    ['light', box(8, 26, 48, 30, 4)],
    ['spark', 'M8 24l46-12 2 9L10 33z'],
    ['deep', 'M27 34l14 8-14 8z'],
  ),
  glyph(
    'leisure',
    'music sargam song',
    ['light', 'M24 14l28-6v34h-5V20l-18 4v24h-5z'],
    ['spark', circle(21, 48, 8)],
    ['spark', circle(44, 42, 8)],
  ),
  glyph(
    'leisure',
    'toys toy lattoo games',
    ['light', 'M10 26h44c0 14-12 20-19 30h-6c-7-10-19-16-19-30z'],
    ['spark', box(8, 20, 48, 8, 4)],
    ['deep', box(29, 6, 6, 14, 2)],
  ),
  glyph(
    'learning',
    'books book banyan reader',
    ['light', 'M6 14c10-4 18-2 25 3v37c-7-5-15-7-25-3z'],
    ['spark', 'M58 14c-10-4-18-2-25 3v37c7-5 15-7 25-3z'],
  ),
  glyph(
    'learning',
    'courses course vidya learn school',
    ['light', 'M32 12l28 13-28 13L4 25z'],
    ['spark', 'M16 34l16 8 16-8v12c-8 8-24 8-32 0z'],
    ['line', 'M55 28v18'],
  ),
  glyph(
    'travel',
    'fuel petrol highway',
    ['light', 'M32 6c10 14 18 22 18 32a18 18 0 0 1-36 0c0-10 8-18 18-32z'],
    ['spark', 'M24 38c0 8 5 12 11 12-2 3-13 2-15-8-1-5 2-10 5-14 1 4-1 6-1 10z'],
  ),
  glyph(
    'travel',
    'metro rail train',
    ['light', box(14, 8, 36, 42, 8)],
    ['deep', box(19, 15, 26, 15, 3)],
    ['spark', `${circle(22, 40, 3)}${circle(42, 40, 3)}`],
    ['line', 'M20 56l4-5M44 56l-4-5'],
  ),
  glyph(
    'travel',
    'travel yatra bus tours flights',
    ['light', box(6, 14, 52, 32, 6)],
    ['deep', `${box(11, 20, 12, 11, 2)}${box(26, 20, 12, 11, 2)}${box(41, 20, 12, 11, 2)}`],
    ['spark', `${circle(18, 47, 6)}${circle(46, 47, 6)}`],
  ),
  glyph(
    'travel',
    'stays haveli hotel stay',
    ['light', 'M10 56V28a22 22 0 0 1 44 0v28z'],
    ['deep', 'M22 56V38a10 10 0 0 1 20 0v18z'],
    ['spark', circle(32, 20, 4)],
  ),
  glyph(
    'wellbeing',
    'salon hair beauty',
    ['line', 'M26 40L48 8M38 40L16 8'],
    ['spark', 'M14 48a8 8 0 1 0 16 0a8 8 0 1 0-16 0zm4 0a4 4 0 1 1 8 0a4 4 0 1 1-8 0z'],
    ['light', 'M34 48a8 8 0 1 0 16 0a8 8 0 1 0-16 0zm4 0a4 4 0 1 1 8 0a4 4 0 1 1-8 0z'],
  ),
  glyph(
    'wellbeing',
    'yoga surya fitness gym',
    ['spark', circle(32, 14, 7)],
    ['light', 'M26 24h12l4 16 16 6-2 6H8l-2-6 16-6z'],
    ['deep', 'M30 30h4l3 16H27z'],
  ),
  glyph(
    'wellbeing',
    'spa chandan wellness',
    ['light', 'M32 10c10 10 10 30 0 42-10-12-10-32 0-42z'],
    ['spark', 'M8 26c12 0 20 10 24 26C18 52 8 42 8 26zM56 26c-12 0-20 10-24 26 14 0 24-10 24-26z'],
  ),
  glyph(
    'wellbeing',
    'pharmacy tulsi health medical',
    ['light', 'M24 8h16v16h16v16H40v16H24V40H8V24h16z'],
    ['spark', 'M42 22c2 12-4 20-18 20-4-10 4-20 18-20z'],
  ),
  glyph(
    'home',
    'cleaning saaf clean laundry',
    ['light', 'M14 28h36l-5 28H19z'],
    ['line', 'M16 28a16 16 0 0 1 32 0'],
    ['spark', 'M32 34l3 6 6 3-6 3-3 6-3-6-6-3 6-3z'],
  ),
  glyph(
    'home',
    'repairs jhatpat repair service',
    ['light', 'M44 8a14 14 0 0 0-13 19L10 48a6 6 0 0 0 8 8l21-21a14 14 0 0 0 18-17l-8 8-9-2-2-9 8-7z'],
    ['deep', circle(15, 51, 3)],
  ),
];

/** The picture of a brand whose name says nothing. */
export const gift: readonly Shape[] = [
  ['light', box(10, 30, 44, 26, 3)],
  ['spark', box(6, 20, 52, 12, 3)],
  ['deep', box(28, 20, 8, 36)],
  ['line', 'M32 20c-14 0-14-13-7-13 5 0 7 7 7 13 0-6 2-13 7-13 7 0 7 13-7 13z'],
];
