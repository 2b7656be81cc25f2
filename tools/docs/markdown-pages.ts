/** Generates the documentation as text: each page as Markdown, and a list of all pages (llmstxt.org). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sidebar } from '../../docs/.vitepress/navigation.ts';
import { contractNames } from '../../sandbox/apis/registry.ts';
import { readBundle } from './bundles.ts';
import { catalogueFiles } from './catalogues.ts';

const base = '/docs/';

/** Writes `llms.txt` and the pages, under file names such as `errors.md`, into a built site. */
export function writeMarkdown(site: string, pages: ReadonlyMap<string, string>): void {
  const plain = new Map([...pages].map(([name, text]) => [name, markdownOf(text)]));
  for (const [name, text] of plain) writeFileSync(join(site, name), text);
  writeFileSync(join(site, 'llms.txt'), listOf(plain));
}

/** Converts a page to plain Markdown. Removes markup that only the HTML needs, and points links to Markdown pages. */
export function markdownOf(text: string): string {
  return text
    .replace(/^---\n.*?\n---\n+/s, '')
    .replace(/<svg\b.*?<title[^>]*>(.*?)<\/title>\s*<desc[^>]*>(.*?)<\/desc>.*?<\/svg>/gs, '*$1.* $2')
    .replace(/<(?:Filter|ChecklistSummary) [^>]*\/>\n\n/g, '')
    .replace(/<a id="[^"]*"><\/a>/g, '')
    .replace(/<a\b[^>]* href="([^"]*)"[^>]*>(.*?)<\/a>/g, '[$2]($1)')
    .replace(/<strong[^>]*>(.*?)<\/strong>/g, '**$1**')
    .replace(/<\/?(?:span|p|div|small)\b[^>]*>/g, '')
    .replace(/ \{#[^}]+\}$/gm, '')
    .replace(/\)\{download\}/g, ')')
    .replace(/\]\((\/[^)\s]*|\.\/[^)\s]*)\)/g, (_, address: string) => `](${addressOf(address)})`);
}

/** Returns the target of a link: the Markdown version of a page, or any other file unchanged. */
function addressOf(address: string): string {
  const { pathname, hash } = new URL(
    address.startsWith(base) ? address : `.${address.replace(/^\./, '')}`,
    `http://site${base}`,
  );
  if (pathname.endsWith('.html')) return `${pathname.replace(/html$/, 'md')}${hash}`;
  const isPage = !/^\/docs\/downloads\/.|\.\w+$/.test(pathname);
  if (!isPage) return `${pathname}${hash}`;
  return `${pathname.endsWith('/') ? `${pathname}index` : pathname}.md${hash}`;
}

/** Returns the text of `llms.txt`: all pages in reading order with their first sentences, and the machine-readable files. */
function listOf(pages: ReadonlyMap<string, string>): string {
  const sections = sidebar.map(({ text, items }) => {
    const lines = items.flatMap(({ text: title, link }) => {
      const name = `${link.slice(1)}${link.endsWith('/') ? 'index' : ''}.md`;
      const page = pages.get(name);
      return page === undefined ? [] : [`- [${title}](${base}${name}): ${firstSentence(page)}`];
    });
    return `## ${text}\n\n${lines.join('\n')}`;
  });
  const contracts = contractNames.map(
    (api) => `- [${readBundle(api).info.title}](${base}downloads/${api}.json): OpenAPI 3.1, one document`,
  );
  const catalogues = catalogueFiles.map(({ name, about }) => `- [${name}](${base}downloads/${name}): ${about}`);
  return `# Rewards sandbox

> A sandbox for a two-sided rewards redemption interface: the platform, a reference client with its ledger of points, and vendors, in
> one process. A partner's server is the client: it hosts profile and points, credits, redemptions and sign-in, and is certified here.

Pages are Markdown, at addresses relative to this file. A sandbox serves them under \`/docs/\`, and its control API under \`/sandbox/v1\`.

${sections.join('\n\n')}

## For programs

${[...catalogues, ...contracts].join('\n')}
`;
}

/** Returns the first sentence after the title of a page. */
function firstSentence(page: string): string {
  const paragraph = page
    .split(/\n{2,}/)
    .map((part) => part.replaceAll('\n', ' ').trim())
    .find((part) => /^[\w`"[].*[.:](?: |$)/.test(part));
  const text = (paragraph ?? '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}
