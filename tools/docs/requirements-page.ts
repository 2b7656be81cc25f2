/** Generates the requirements page for client servers from the list that the certification uses. */
import { loadRequirements, type Requirement } from '../../sandbox/certification/requirement.ts';
import { escaped } from './citations.ts';
import { badge } from './errors-page.ts';

/**
 * Returns a table for each group. Each requirement has an anchor, such as `#crd-01`. The certification report describes
 * the required change.
 */
export function requirementsInsert(): string {
  const groups = Map.groupBy(loadRequirements().list, ({ group }) => group);
  return [...groups]
    .map(([group, list]) =>
      [
        `## ${group.charAt(0).toUpperCase()}${group.slice(1)} {#${group}}`,
        ['| Requirement | Level | Operation | How it is tested |', '| --- | --- | --- | --- |', ...list.map(row)].join(
          '\n',
        ),
      ].join('\n\n'),
    )
    .join('\n\n');
}

/** Inputs that the page does not repeat in each row: the service token, and the API version, which the operation determines. */
const usual: readonly string[] = ['service', 'v1', 'v2'];

function row({ id, title, level, operation, basis, needs, how, unseen }: Requirement): string {
  const anchor = id.toLowerCase();
  const others = needs.filter((need) => !usual.includes(need));
  const needed = others.length === 0 ? '' : ` Needs ${others.map((need) => `\`${need}\``).join(', ')}.`;
  const tested = unseen === undefined ? how : `Not seen from outside: ${unseen}`;
  return `| ${[
    `<a id="${anchor}" href="#${anchor}">${id}</a> ${cell(title)}`,
    `**${level}** ${badge(basis)}`,
    operation === null ? 'all' : `\`${operation}\``,
    `${cell(tested)}${needed}`,
  ].join(' | ')} |`;
}

/** Escapes text for a table cell. */
function cell(text: string): string {
  return escaped(text).replaceAll('|', '\\|');
}
