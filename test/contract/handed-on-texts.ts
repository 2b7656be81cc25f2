/** Strings that some protocol cannot carry. */

/** A string, both plain and as part of a URL. Only the URL can contain a byte that is not a complete character. */
export interface Odd {
  readonly text: string;
  readonly url: string;
}

export const asText = (text: string): Odd => ({ text, url: encodeURIComponent(text.toWellFormed()) });
const asByte = (byte: number): Odd => ({
  text: String.fromCharCode(byte),
  url: `%${byte.toString(16).padStart(2, '0')}`,
});

const whole = [
  ...['\r\nx-more: 1', '"', "'", '\\', '%', '%0', '%zz', '%00', '..'],
  ...['\u20ac', '\u2028', '\ufeff', '汉字', '😀'],
];
const broken = ['\ud800', '\udc00x', 'x\ud83d'];
const every = Array.from({ length: 256 }, (_, byte) => byte);

/** Every byte, alone and between others, and strings of several bytes. */
export const everyOdd: readonly Odd[] = [
  ...every.map(asByte),
  ...every.map((byte) => asText(`x${String.fromCharCode(byte)}y`)),
  ...[...whole, ...broken].map(asText),
];

/** One string of each kind. */
export const someOdd: readonly Odd[] = [
  ...[0x00, 0x01, 0x7f, 0x80].map(asByte),
  ...['x y', '\r\nx-more: 1', '%zz', '\u20ac', '\ud800'].map(asText),
];
