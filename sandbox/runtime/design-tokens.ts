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
  const [, after = ''] = css.split(`--${token}: `, 2);
  const [value = ''] = after.split(';', 1);
  const [light, dark = light] = value.match(/#\w{6}/g) ?? [];
  const colour = look === 'light' ? light : dark;
  if (colour === undefined) throw new Error(`there is no colour ${token} among the design tokens`);
  return colour;
}
