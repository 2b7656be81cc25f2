import { readFileSync } from 'node:fs';
import { once } from './once.ts';

/**
 * The design tokens that all pages share, as a style sheet. It is read as a file, so that reports outside of the pages use
 * the same colours.
 */
export const designTokens = once(() => ({
  css: readFileSync(new URL('../sites/assets/pages/tokens.css', import.meta.url), 'utf8'),
}));

type Look = 'light' | 'dark';

/** The colour of a token, for pictures that stand alone and can load no style sheet. */
export function colourOf(token: string, look: Look = 'light'): string {
  const { css } = designTokens();
  const [, light, dark, both] =
    new RegExp(`--${token}: (?:light-dark\\((#\\w{6}), (#\\w{6})\\)|(#\\w{6}));`).exec(css) ?? [];
  const colour = both ?? (look === 'light' ? light : dark);
  if (colour === undefined) throw new Error(`there is no colour ${token} among the design tokens`);
  return colour;
}
