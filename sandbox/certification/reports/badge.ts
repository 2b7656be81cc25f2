/** A badge of a certificate: an SVG for a README or a page. */
import htm from 'htm';
import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { CheckedCertificate } from '../certificate-check.ts';
import { colourOf } from './style.ts';

/** A template of SVG. Every value put into it becomes text or an attribute's value, never markup. */
const svg = (htm as unknown as { bind(make: typeof h): (text: TemplateStringsArray, ...of: unknown[]) => VNode }).bind(
  h,
);

const tokens: Readonly<Record<string, string>> = { passed: 'good', failed: 'bad' };
const height = 20;
/** Width of a character at this size, on average, and what is left and right of a text. */
const character = 6.6;
const padding = 6;

/** A badge with the content of a certificate: the API, the outcome, the day, and whether the key is verified. */
export function badge({ claims, signer }: Pick<CheckedCertificate, 'claims' | 'signer'>): string {
  const { outcome, target, issued_at, coverage } = claims;
  const label = `rewards client ${target.api === 'both' ? 'v1 + v2' : target.api}`;
  const certified = signer === 'witnessed' ? 'certified' : 'self-certified';
  const { judged, of } = coverage.mandatory;
  const why = outcome === 'partial' ? `partial, ${judged} of ${of}` : outcome;
  const value = outcome === 'passed' ? `${certified} ${issued_at.slice(0, 10)}` : `not certified (${why})`;
  const [left, right] = [label, value].map((text) => Math.ceil(text.length * character + 2 * padding)) as [
    number,
    number,
  ];
  const colour = colourOf(tokens[outcome] ?? 'wait');
  return renderToString(svg`<svg
    xmlns="http://www.w3.org/2000/svg"
    width=${left + right}
    height=${height}
    role="img"
    aria-label=${`${label}: ${value}`}
  >
    <title>${`${label}: ${value}`}</title>
    <rect width=${left + right} height=${height} rx="3" fill=${colour} />
    <path d=${`M3 0h${left - 3}v${height}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z`} fill=${colourOf('ink')} />
    <g fill=${colourOf('surface')} font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
      <text x=${padding} y="14" textLength=${left - 2 * padding}>${label}</text>
      <text x=${left + padding} y="14" textLength=${right - 2 * padding}>${value}</text>
    </g>
  </svg>`);
}
