/** Citation ids in contracts, comments and pages, and the addresses they refer to. */
import { read } from './content.ts';
import { behaviours, openPoints } from './register.ts';

/** Ids of the statements in docs/interface.md, in document order. Each id is in bold and starts a list item or table row. */
export const statementIds: readonly string[] = [
  ...read('docs/interface.md').matchAll(/^(?:- |\| )\*\*([A-Z]\d{1,2})\*\* /gm),
].map(([, id = '']) => id);

/** The page that explains each id, without the base path. */
const pages: ReadonlyMap<string, string> = new Map([
  ...statementIds.map((id) => [id, 'interface'] as const),
  ...openPoints.map(({ id }) => [id, 'open-points'] as const),
  ...behaviours.map(({ id }) => [id, 'behaviour'] as const),
]);

/** Returns the address of a statement, an open point or a sandbox behaviour, or `undefined` for any other id. */
export function pageOf(id: string): string | undefined {
  const page = pages.get(id);
  return page === undefined ? undefined : `/${page}#${id.toLowerCase()}`;
}

/** Links each mention of a statement or open point, and escapes text that looks like a tag. Leaves code unchanged. */
export function escaped(text: string): string {
  return text
    .trim()
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : linked(part.replaceAll('<', '&lt;'))))
    .join('');
}

function linked(text: string): string {
  return text.replace(/\b(OP-\d{2,3}|[A-Z]\d{1,2})\b/g, (id) => {
    const place = pageOf(id);
    return place === undefined ? id : `[${id}](${place})`;
  });
}
