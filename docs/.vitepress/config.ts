/** The VitePress configuration: navigation, search, and the changes that a strict Content-Security-Policy requires. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformerStyleToClass } from '@shikijs/transformers';
import { defineConfig } from 'vitepress';
import { nameCells, rowsAsSections } from './cells.ts';
import { nav, sidebar } from './navigation.ts';

const base = '/docs/';
const codeColours = transformerStyleToClass({ classPrefix: 'code-' });
/** Inline scripts by name. The policy forbids inline scripts, so the build writes each to a file. */
const scripts = new Map<string, string>();

export default defineConfig({
  base,
  lang: 'en',
  title: 'Rewards sandbox',
  description: 'How to integrate a client with the rewards redemption interface, and try it on your own machine.',
  // Static hosts serve pages by file name.
  cleanUrls: false,
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }],
    ['link', { rel: 'preload', as: 'font', type: 'font/woff2', href: `${base}inter.woff2`, crossorigin: '' }],
    ['link', { rel: 'stylesheet', href: `${base}font.css` }],
    ['link', { rel: 'stylesheet', href: `${base}assets/code.css` }],
  ],
  // tools/docs/links.ts checks all links, including links into the reference and to anchors.
  ignoreDeadLinks: true,
  markdown: {
    image: { lazyLoading: true },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    codeTransformers: [codeColours],
    config(md) {
      nameCells(md);
      // Strip the anchor id (`{#id}`) from the heading text that screen readers announce.
      md.core.ruler.after('curly_attributes', 'anchor-words', ({ tokens }) => {
        for (const token of tokens)
          if (token.type === 'inline') token.content = token.content.replace(/ \{#[^}]+\}$/, '');
      });
      // Mark list items that begin with `[ ]` as checklist items.
      md.core.ruler.push('todo', ({ tokens }) => {
        tokens.forEach((token, index) => {
          const [first] = token.children ?? [];
          if (!first?.content.startsWith('[ ] ') || tokens[index - 2]?.type !== 'list_item_open') return;
          first.content = first.content.slice('[ ] '.length);
          tokens[index - 2]?.attrJoin('class', 'todo');
        });
      });
      // Add the dark variant after each light image. The theme shows one of the two.
      md.core.ruler.push('pictures', ({ tokens, Token }) => {
        for (const { children } of tokens) {
          const light = children?.find(({ type }) => type === 'image');
          const source = light?.attrGet('src') ?? '';
          if (light === undefined || !source.endsWith('-light.webp')) continue;
          const dark = Object.assign(new Token('image', 'img', 0), light, {
            attrs: light.attrs?.map(([...pair]) => pair),
          });
          dark.attrSet('src', source.replace('-light.webp', '-dark.webp'));
          light.attrJoin('class', 'in-light');
          dark.attrJoin('class', 'in-dark');
          children?.push(dark);
        }
      });
      md.core.ruler.push('files', ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const target = token.type === 'link_open' ? (token.attrGet('href') ?? '') : '';
          if (!/^\/(?:(?:reference|downloads)\/\w|llms\.txt)/.test(target)) continue;
          token.attrSet('href', base + target.slice(1));
          token.attrSet('target', '_self');
        }
      });
    },
  },
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        // Keep the changelog and the behaviour list out of the search, because their entries would crowd out the guides.
        _render: (text, env, md) =>
          /^(?:changelog|behaviour)\.md$/.test(env.relativePath) ? '' : rowsAsSections(md.render(text, env)),
      },
    },
    nav,
    sidebar,
    outline: { level: [2, 3] },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  transformHead({ pageData: { relativePath } }) {
    if (relativePath === '404.md') return [];
    return [['link', { rel: 'alternate', type: 'text/markdown', href: base + relativePath }]];
  },
  transformHtml(html) {
    return html
      .replace(/<script id="([\w-]+)">([\s\S]*?)<\/script>/g, (_, id: string, text: string) => {
        scripts.set(id, text);
        return `<script id="${id}" src="${base}assets/${id}.js"></script>`;
      })
      .replaceAll(/(<[a-z][^<>]*) style="[^"]*"/g, '$1');
  },
  async buildEnd({ outDir }) {
    const assets = join(outDir, 'assets');
    await mkdir(assets, { recursive: true });
    await writeFile(join(assets, 'code.css'), codeColours.getCSS());
    for (const [id, text] of scripts) await writeFile(join(assets, `${id}.js`), text);
  },
});
