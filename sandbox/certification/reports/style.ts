import { readFileSync } from 'node:fs';
import { once } from '../../runtime/once.ts';

/** The style of the report's page: phone first, light and dark, and for paper. The report is one file, with the tokens in it. */
export function reportStyle(): string {
  return designTokens().css + rules;
}

const rules = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 var(--font); }
header, main { max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 0; font-size: var(--text-title); overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.75rem; font-size: 1.25rem; }
h3 { margin: 0 0 0.5rem; font-size: 1rem; }
.kind { margin: 0; color: var(--quiet); }
a { color: var(--accent); }
.outcome { margin: 0.75rem 0 0; padding: 0.75rem 1rem; border-radius: var(--round-small); font-weight: 600; background: var(--wait-ground); color: var(--wait); }
.outcome.passed { background: var(--good-ground); color: var(--good); }
.outcome.failed, .outcome.suite_error { background: var(--bad-ground); color: var(--bad); }
.counts { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; padding: 0; list-style: none; }
.counts li { padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: var(--round-small); background: var(--surface); }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: var(--round-small); background: var(--surface); }
table { border-collapse: collapse; width: 100%; font-size: var(--text-note); }
th, td { position: relative; padding: 0.5rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
tr:last-child > * { border-bottom: 0; }
tbody th { position: sticky; left: 0; z-index: 1; background: var(--surface); font-weight: 600; }
.pass { color: var(--good); } td.pass { background: var(--good-ground); }
.fail, .suite_error { color: var(--bad); } td.fail, td.suite_error { background: var(--bad-ground); font-weight: 700; }
.blocked { color: var(--wait); } td.blocked { background: var(--wait-ground); }
td.not_applicable, td.not_selected { color: var(--quiet); }
.tag { margin-right: 0.375rem; padding: 0.0625rem 0.375rem; border: 1px solid currentColor; border-radius: 0.25rem; font-size: 0.75rem; white-space: nowrap; }
article { margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: var(--round-small); background: var(--surface); }
article p { margin: 0 0 0.75rem; }
dl { margin: 0 0 0.75rem; }
dl div { display: grid; grid-template-columns: minmax(6rem, 9rem) minmax(0, 1fr); gap: 0.5rem; padding: 0.125rem 0; }
dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0.5rem 0; padding: 0.75rem; overflow: auto; max-height: 24rem; border-radius: var(--round-small); background: var(--ground); }
code { font: var(--text-small)/1.5 var(--mono); }
summary { cursor: pointer; padding: 0.375rem 0; }
ul.all { margin: 0; padding-left: 1rem; } ul.all li { margin: 0.25rem 0; } small { color: var(--quiet); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media print { :root { color-scheme: light; } body { background: var(--surface); } article { break-inside: avoid; } .wide { overflow: visible; } pre { max-height: none; white-space: pre-wrap; } }
`;

/**
 * The design tokens that all pages share, as a style sheet. It is read as a file, so that reports outside of the pages use
 * the same colours.
 */
const designTokens = once(() => ({
  css: readFileSync(new URL('../../sites/assets/pages/tokens.css', import.meta.url), 'utf8'),
}));

type Look = 'light' | 'dark';

/** The colour of a token, for pictures that stand alone and can load no style sheet. */
export function colourOf(token: string, look: Look = 'light'): string {
  const { css } = designTokens();
  const [, after = ''] = css.split(`--${token}: `, 2);
  const [value = ''] = after.split(';', 1);
  const [light, dark = light] = value.match(/#\w{6}/g) ?? [];
  const colour = look === 'light' ? light : dark;
  if (colour === undefined) throw new Error(`there is no colour ${token} among the design tokens`);
  return colour;
}
