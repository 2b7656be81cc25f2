/** The palette that all pages share: whatever text is set in can be read, in light colours and in dark ones. */
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const sandbox = new URL('../../sandbox/', import.meta.url);
const tokens = await readFile(new URL('sites/assets/pages/tokens.css', sandbox), 'utf8');

/** Each colour by its name, in light and in dark. */
const colours = new Map(
  [...tokens.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name = '', light = '', dark = '', both = '']) => [name, [light || both, dark || both] as const],
  ),
);

/** Relative luminance, as WCAG 2.2 defines it. */
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

/** Colours of text, and what it stands on. */
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

it.each(text)('OP-182: text in %s has a contrast of 4.5 at least on all that it stands on', (ink, grounds) => {
  const low = grounds.flatMap((ground) =>
    ['light', 'dark'].flatMap((look, index) => {
      const ratio = contrast(colours.get(ink)?.[index] ?? '', colours.get(ground)?.[index] ?? '');
      return ratio >= 4.5 ? [] : [`${ink} on ${ground}, ${look}: ${ratio.toFixed(2)}`];
    }),
  );
  expect(low).toEqual([]);
});

it('OP-182: the edge of a field, and the mark of the focus, have a contrast of 3 at least', () => {
  const edges = ['field-line', 'accent', 'bad'].flatMap((edge) =>
    ['ground', 'surface'].map((on) => [edge, on] as const),
  );
  const low = edges.filter(([edge, on]) =>
    [0, 1].some((look) => contrast(colours.get(edge)?.[look] ?? '', colours.get(on)?.[look] ?? '') < 3),
  );
  expect(low).toEqual([]);
});

it('OP-182: colours stand in the one file of tokens, and every token is used', async () => {
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

it('OP-182: guides and reference have no colours of their own either', async () => {
  const root = new URL('../../', import.meta.url);
  const reference = 'tools/docs/reference/';
  for (const path of ['docs/.vitepress/theme/style.css', `${reference}reference.css`, `${reference}frame.css`]) {
    const css = await readFile(new URL(path, root), 'utf8');
    expect([path, css.match(/#[0-9a-f]{3,8}\b|rgb|hsl/gi)]).toEqual([path, null]);
    // Light and dark are chosen by a switch there, which sets a class.
    if (path.endsWith('frame.css')) continue;
    for (const look of ['light', 'dark']) expect(css).toContain(`color-scheme: ${look};`);
  }
});
