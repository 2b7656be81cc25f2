/** Renders certificate badges as SVG, for a README or a web page. */
import { readFileSync } from 'node:fs';
import { renderToString } from 'preact-render-to-string';
import type { CheckedCertificate } from '../certificate-check.ts';
import { html } from './html.ts';

const tokens: Readonly<Record<string, string>> = { passed: 'good', failed: 'bad' };
const height = 20;
/** Average width of a character at this font size. `padding` is the horizontal padding of text. */
const character = 6.6;
const padding = 6;

/** Renders the badge of a certificate. It shows the API, the outcome, the date, and whether a witness signed it. */
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
  return renderToString(html`<svg
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

/** Returns the light colour of a design token. The SVG contains the value, because an image cannot load style sheets. */
export function colourOf(token: string): string {
  const css = readFileSync(new URL('../../sites/assets/pages/tokens.css', import.meta.url), 'utf8');
  const [value = ''] = css.split(`--${token}: `, 2)[1]?.split(';', 1) ?? [];
  const [colour] = /#\w{6}/.exec(value) ?? [];
  if (colour === undefined) throw new Error(`there is no colour ${token} among the design tokens`);
  return colour;
}
