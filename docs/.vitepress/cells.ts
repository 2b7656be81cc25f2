import type { MarkdownRenderer } from 'vitepress';

/** Labels each cell of a filterable table with its column name. On a phone, rows become stacks without a visible table head. */
export function nameCells(md: MarkdownRenderer): void {
  md.core.ruler.push('cells', ({ tokens }) => {
    if (!tokens.some(({ content }) => content.startsWith('<Filter '))) return;
    let columns: string[] = [];
    let column = 0;
    tokens.forEach(({ type }, index) => {
      if (type === 'thead_open') columns = [];
      else if (type === 'tr_open') column = 0;
      else if (type === 'th_open') columns.push(tokens[index + 1]?.content ?? '');
      else if (type === 'td_open') tokens[index]?.attrSet('data-column', columns[column++] ?? '');
    });
  });
}

/** Code blocks to exclude from the search index. Blocks of plain text stay, because they show the output of `--help`. */
const code = /<div class="language-(?!text)[\s\S]*?<\/pre>/g;

/**
 * Returns a page in the form the search indexes. Code is removed, and each row with an anchor becomes a section named
 * after its first cell or its operation.
 */
export function rowsAsSections(html: string): string {
  return html
    .replaceAll(code, '<div>')
    .replace(
      /<td[^>]*><a id="([\w-]+)" href="#\1">(.*?)<\/a>(.*?)<\/td>/g,
      '<h2>$2$3 <a href="#$1">&ZeroWidthSpace;</a></h2>',
    )
    .replace(/<a id="(\w+)"><\/a>(.*?)<\/td>/g, '<h2>$1 <a href="#$1">&ZeroWidthSpace;</a></h2>$2');
}
