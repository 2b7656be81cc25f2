/** The page of what a client server has to do, from the list that the certification reads. */
import { loadRequirements, type Requirement } from '../../sandbox/certification/requirement.ts';
import { escaped } from './citations.ts';
import { badge } from './errors-page.ts';

/** Each requirement with an anchor of its own: `#crd-01`. */
export function requirementsInsert(): string {
  const groups = Map.groupBy(loadRequirements().list, ({ group }) => group);
  return [...groups]
    .map(([group, list]) =>
      [`## ${group.charAt(0).toUpperCase()}${group.slice(1)} {#${group}}`, ...list.map(section)].join('\n\n'),
    )
    .join('\n\n');
}

function section({ id, title, level, operation, basis, needs, how, change, unseen }: Requirement): string {
  const needed = needs.length === 0 ? '' : ` Needs ${needs.map((need) => `\`${need}\``).join(', ')}.`;
  return [
    `### ${id} ${escaped(title)} {#${id.toLowerCase()}}`,
    `**${level}**, ${operation === null ? 'all operations' : `\`${operation}\``}, ${badge(basis)}.${needed}`,
    unseen === undefined ? escaped(how) : `Not seen from outside: ${escaped(unseen)}`,
    `**Where it fails:** ${escaped(change)}`,
  ].join('\n\n');
}
