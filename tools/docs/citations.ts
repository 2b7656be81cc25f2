/** The ids by which contracts, comments and pages say what they rest on, and where a reader finds them. */
import { read } from './content.ts';
import { behaviours, openPoints } from './register.ts';

/**
 * The ids of the statements in docs/interface.md, in their order. Each begins an item of a list, or a row of a table,
 * in bold.
 */
export const statementIds: readonly string[] = [
  ...read('docs/interface.md').matchAll(/^(?:- |\| )\*\*([A-Z]\d{1,2})\*\* /gm),
].map(([, id = '']) => id);

/** The page that explains each id, without base. */
const pages: ReadonlyMap<string, string> = new Map([
  ...statementIds.map((id) => [id, 'interface'] as const),
  ...openPoints.map(({ id }) => [id, 'open-points'] as const),
  ...behaviours.map(({ id }) => [id, 'behaviour'] as const),
]);

/** The address of a statement, an open point or a behaviour of the sandbox; undefined for anything else. */
export function pageOf(id: string): string | undefined {
  const page = pages.get(id);
  return page === undefined ? undefined : `/${page}#${id.toLowerCase()}`;
}

/**
 * Links each mention of a statement or open point, and keeps text that looks like a tag from being one. Code stays as
 * it is.
 */
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
