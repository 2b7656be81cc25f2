import { box, circle, type Shape } from './shapes.ts';

/** The picture of a kind of product, in a square of 64, and the words in a product's name that mean it. */
export interface Product {
  readonly words: readonly string[];
  readonly shapes: readonly Shape[];
}

const product = (words: string, ...shapes: Shape[]): Product => ({ words: words.split(' '), shapes });

/** The first whose word is in the name counts. */
export const products: readonly Product[] = [
  product(
    'kettle',
    ['deep', 'M46 26h4a8 8 0 0 1 8 8v4a10 10 0 0 1-10 10v-5a5 5 0 0 0 5-5v-4a3 3 0 0 0-3-3h-4z'],
    ['spark', 'M16 22h30l4 32H12zM16 26L6 20l-2 4 10 14z'],
    ['deep', 'M18 22a13 9 0 0 1 26 0zM28 8h6v6h-6z'],
    ['light', box(20, 30, 5, 18, 2)],
  ),
  product(
    'cooker',
    ['deep', `${box(2, 30, 12, 6, 3)}${box(50, 30, 12, 6, 3)}`],
    ['spark', box(11, 28, 42, 28, 7)],
    ['deep', 'M11 27a21 11 0 0 1 42 0zM29 8h6v9h-6z'],
    ['light', box(17, 35, 5, 14, 2.5)],
  ),
  product(
    'tawa pan kadai',
    ['deep', 'M44 36l18-8 2 5-18 9z'],
    ['spark', 'M2 34h46c-1 12-10 18-23 18S3 46 2 34z'],
    ['light', 'M5 33a20 5 0 0 1 40 0 20 5 0 0 1-40 0z'],
  ),
  product(
    'tiffin lunch',
    ['deep', 'M12 56V22a20 16 0 0 1 40 0v34h-4V24a16 13 0 0 0-32 0v32z'],
    ['spark', `${box(15, 20, 34, 11, 3)}${box(15, 32, 34, 11, 3)}${box(15, 44, 34, 12, 3)}`],
    ['light', `${box(20, 23, 4, 5, 2)}${box(20, 35, 4, 5, 2)}${box(20, 47, 4, 5, 2)}`],
  ),
  product(
    'lamp light',
    ['deep', `${box(29, 26, 6, 26)}${box(18, 50, 28, 7, 3)}`],
    ['spark', 'M20 8h24l10 22H10z'],
    ['light', 'M24 12h6l-5 14h-7z'],
  ),
  product(
    'durrie rug carpet',
    ['deep', 'M4 14h4v36H4zM56 14h4v36h-4z'],
    ['spark', box(8, 12, 48, 40)],
    ['light', 'M8 20h48v4H8zM8 40h48v4H8zM32 25l8 7-8 7-8-7zM16 27l6 5-6 5-6-5zM48 27l6 5-6 5-6-5z'],
  ),
  product(
    'blanket quilt',
    ['spark', box(8, 14, 48, 40, 6)],
    ['deep', 'M8 30h48v5H8zM8 40h48v5H8z'],
    ['light', 'M14 14h36a6 6 0 0 1 6 6v4H8v-4a6 6 0 0 1 6-6z'],
  ),
  product(
    'bottle flask',
    ['deep', box(25, 4, 14, 9, 3)],
    ['spark', 'M26 12h12v6c6 3 8 6 8 12v24a5 5 0 0 1-5 5H23a5 5 0 0 1-5-5V30c0-6 2-9 8-12z'],
    ['light', box(23, 30, 5, 22, 2.5)],
  ),
  product(
    'speaker',
    ['spark', box(14, 6, 36, 52, 8)],
    ['deep', `${circle(32, 40, 12)}${circle(32, 18, 6)}`],
    ['light', `${circle(32, 40, 5)}${circle(32, 18, 2.5)}`],
  ),
  product(
    'bag backpack',
    ['deep', 'M20 26v-6a12 12 0 0 1 24 0v6h-5v-6a7 7 0 0 0-14 0v6z'],
    ['spark', box(6, 24, 52, 30, 6)],
    ['deep', 'M6 34h52v4H6z'],
    ['light', box(27, 31, 10, 10, 2)],
  ),
  product(
    'clock watch',
    ['deep', circle(32, 32, 27)],
    ['spark', circle(32, 32, 23)],
    ['light', circle(32, 32, 18)],
    ['deep', 'M30 18h4v13l9 6-2 4-11-8z'],
  ),
  product(
    'umbrella',
    ['deep', 'M30 30h4v20a7 7 0 0 1-14 0h4a3 3 0 0 0 6 0z'],
    ['spark', 'M4 34a28 26 0 0 1 56 0 9 7 0 0 0-14 0 14 8 0 0 0-28 0 9 7 0 0 0-14 0z'],
    ['light', 'M32 8c-9 6-13 14-14 24a14 8 0 0 1 6-5c1-8 3-14 8-19z'],
  ),
];

/** The picture of a product whose name says nothing. */
export const parcel: readonly Shape[] = [
  ['spark', 'M6 20l26-12 26 12-26 12z'],
  ['deep', 'M6 22l25 12v24L6 46z'],
  ['light', 'M58 22L33 34v24l25-12z'],
];

/** Colours that the name of a product can end in: ground, lightest, the product's own, and its shade. */
export const colours: ReadonlyMap<string, readonly [string, string, string, string]> = new Map([
  ['indigo', ['#e2e5fa', '#c3c9f3', '#4a4fb0', '#2c2f78']],
  ['marigold', ['#fdeecb', '#fff7e4', '#e79a16', '#9a5a05']],
  ['sandal', ['#f3e7d8', '#fbf4ea', '#c4905c', '#7b5330']],
  ['peacock', ['#d8eff1', '#eefafb', '#178496', '#0a4f5d']],
]);
