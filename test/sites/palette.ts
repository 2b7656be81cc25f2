/** Writes a picture as a PNG file with at most 256 colours, which is a third of the size of a browser's PNG. */
import { crc32, deflateSync } from 'node:zlib';
import type { Browser } from 'playwright-core';

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly rgba: Buffer;
}

/** Reduces a PNG file to its most frequent colours. Every other colour is replaced by the nearest one. */
export async function reduceColours(browser: Browser, png: Buffer): Promise<Buffer> {
  const { width, height, rgba } = await pixelsOf(browser, png);
  const counts = new Map<number, number>();
  for (let at = 0; at < rgba.length; at += 4) {
    const colour = rgba.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 256)
    .map(([colour]) => colour);
  const indexes = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const filter = Math.floor(pixel / width) + 1;
    rows[pixel + filter] = indexes.get(rgba.readUIntBE(pixel * 4, 3)) ?? 0;
  }
  const colours = Buffer.alloc(palette.length * 3);
  for (const [index, colour] of palette.entries()) colours.writeUIntBE(colour, index * 3, 3);
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([signature, chunk('IHDR', head), chunk('PLTE', colours), chunk('IDAT', data), chunk('IEND')]);
}

/** Decodes a PNG file with the browser. */
async function pixelsOf(browser: Browser, png: Buffer): Promise<Pixels> {
  const page = await browser.newPage();
  const read = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    let text = '';
    for (const byte of data) text += String.fromCharCode(byte);
    return { width, height, base64: btoa(text) };
  }, png.toString('base64'));
  await page.close();
  return { width: read.width, height: read.height, rgba: Buffer.from(read.base64, 'base64') };
}

/** Returns the index of the nearest colour in the palette. */
function nearest(colour: number, palette: readonly number[]): number {
  const parts = (one: number) => [one >> 16, (one >> 8) & 255, one & 255] as const;
  const [red, green, blue] = parts(colour);
  const distances = palette.map((one) => {
    const [r, g, b] = parts(one);
    return (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
  });
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, data.length + 8)), data.length + 8);
  return whole;
}
