/** Tests the colour palette that all pages share. All text must be readable in light and in dark colours. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { colourOf, reportStyle } from '../../sandbox/certification/reports/html.ts';

const sandbox = new URL('../../sandbox/', import.meta.url);
const tokens = await readFile(new URL('sites/assets/pages/tokens.css', sandbox), 'utf8');

/** Each colour's light and dark value, by name. */
const colours = new Map(
  [...tokens.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name = '', light = '', dark = '', both = '']) => [name, [light || both, dark || both] as const],
  ),
);

/** Returns the relative luminance of a colour, as defined by WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Text colours, and the backgrounds behind them. */
const text: readonly (readonly [ink: string, grounds: readonly string[]])[] = [
  ['ink', ['ground', 'surface', 'raised', 'accent-ground', 'good-ground', 'bad-ground', 'wait-ground']],
  ['quiet', ['ground', 'surface', 'raised', 'accent-ground', 'wait-ground', 'bad-ground']],
  ['accent', ['ground', 'surface', 'raised', 'accent-ground', 'wait-ground', 'bad-ground']],
  ['on-accent', ['accent']],
  ['good', ['ground', 'surface', 'good-ground']],
  ['bad', ['ground', 'surface', 'bad-ground']],
  ['wait', ['ground', 'surface', 'wait-ground']],
  ['value-text', ['raised', 'bad-ground', 'wait-ground']],
  ['value-number', ['raised', 'bad-ground', 'wait-ground']],
  ['on-ribbon', ['ribbon']],
];

it.each(text)('OP-182: text in %s has a contrast of at least 4.5 on all its backgrounds', (ink, grounds) => {
  const low = grounds.flatMap((ground) =>
    ['light', 'dark'].flatMap((look, index) => {
      const ratio = contrast(colours.get(ink)?.[index] ?? '', colours.get(ground)?.[index] ?? '');
      return ratio >= 4.5 ? [] : [`${ink} on ${ground}, ${look}: ${ratio.toFixed(2)}`];
    }),
  );
  expect(low).toEqual([]);
});

it('OP-182: the border of a field and the focus ring have a contrast of at least 3', () => {
  const edges = ['field-line', 'accent', 'bad'].flatMap((edge) =>
    ['ground', 'surface'].map((on) => [edge, on] as const),
  );
  const low = edges.filter(([edge, on]) =>
    [0, 1].some((look) => contrast(colours.get(edge)?.[look] ?? '', colours.get(on)?.[look] ?? '') < 3),
  );
  expect(low).toEqual([]);
});

it('OP-182: colours are defined only in the tokens file, and every token is used', async () => {
  const files = (await readdir(sandbox, { recursive: true })).filter((file) => file.endsWith('.css'));
  const all = await Promise.all(
    files.map(async (file) => [file, await readFile(new URL(file, sandbox), 'utf8')] as const),
  );
  const elsewhere = all.filter(([file, css]) => !file.endsWith('tokens.css') && /#[0-9a-f]{3,8}\b|rgb|hsl/i.test(css));
  expect(elsewhere.map(([file]) => file)).toEqual([]);
  const names = [...tokens.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name = '']) => name);
  const css = all.map(([, each]) => each).join('\n');
  expect(names.filter((name) => !css.includes(`var(${name})`))).toEqual([]);
  expect(names.length).toBeGreaterThan(30);
});

const root = new URL('../../', import.meta.url);
/** Paths of illustrations, and of a third-party logo that replaces a picture. */
const pictures = /^sandbox\/sites\/(portal\/art\/|assets\/icon\.svg)|^tools\/docs\/reference\.ts$/;
const colour = /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b(?=[;, )"'`])|\b(rgb|hsl|oklch)a?\(/i;

it('OP-182: docs, certificate report, badge and tools have no colours of their own either', async () => {
  const offenders: string[] = [];
  for (const folder of ['sandbox', 'tools', 'docs/.vitepress/theme']) {
    const files = await readdir(new URL(`${folder}/`, root), { recursive: true });
    for (const file of files) {
      const path = `${folder}/${file}`;
      if (!/\.(css|ts|js|vue)$/.test(path) || path.endsWith('tokens.css') || pictures.test(path)) continue;
      if (colour.test(await readFile(new URL(path, root), 'utf8'))) offenders.push(path);
    }
  }
  expect(offenders).toEqual([]);
});

it('OP-182: the report of a certification contains the tokens, and its badge uses their colours', () => {
  expect(reportStyle()).toContain(tokens);
  const names = new Set([...tokens.matchAll(/^ {2}(--[\w-]+):/gm)].map(([, name]) => name));
  const used = [...reportStyle().matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
  expect(colourOf('good')).toBe(colours.get('good')?.[0]);
  expect(colourOf('ribbon')).toBe(colours.get('ribbon')?.[0]);
  expect(() => colourOf('link')).toThrow('there is no colour link');
});
