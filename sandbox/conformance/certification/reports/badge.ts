import type { CertificateClaims } from '../certificate.ts';

const colours: Readonly<Record<string, string>> = { passed: '#14663a', failed: '#a11d2f' };
const height = 20;
/** Width of a character at this size, on average, and what is left and right of a text. */
const character = 6.6;
const padding = 6;

/** A badge in SVG that says what a certificate says: the API, the outcome and the day. */
export function badge({ outcome, target, issued_at }: CertificateClaims): string {
  const label = `rewards client ${target.api === 'both' ? 'v1 + v2' : target.api}`;
  const value = outcome === 'passed' ? `certified ${issued_at.slice(0, 10)}` : `not certified (${outcome})`;
  const [left, right] = [label, value].map((text) => Math.ceil(text.length * character + 2 * padding)) as [
    number,
    number,
  ];
  const colour = colours[outcome] ?? '#7a4b00';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${height}" role="img" aria-label="${label}: ${value}">`,
    `<title>${label}: ${value}</title>`,
    `<rect width="${left + right}" height="${height}" rx="3" fill="${colour}"/>`,
    `<path d="M3 0h${left - 3}v${height}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#33303f"/>`,
    '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    `<text x="${padding}" y="14" textLength="${left - 2 * padding}">${label}</text>`,
    `<text x="${left + padding}" y="14" textLength="${right - 2 * padding}">${value}</text>`,
    '</g></svg>\n',
  ].join('');
}
