import type { RegisteredPoint } from '../../sandbox/conformance/open-points.ts';
import { escaped } from './citations.ts';
import { behaviourGroups, behaviours, openPoints } from './register.ts';

/** The open points as a table. Each row has an anchor, such as `#op-05`. */
export function registerInsert(): string {
  return [
    '| Open point | What the interface leaves open | What the sandbox does | What to ask |',
    '| --- | --- | --- | --- |',
    ...openPoints.map(row),
  ].join('\n');
}

/** The ids that belong to the sandbox's own behaviour, so that old links to the page of open points still lead there. */
export function movedPointsInsert(): string {
  return behaviours
    .map(({ id }) => `<a id="${id.toLowerCase()}"></a>[${id}](/behaviour#${id.toLowerCase()})`)
    .join(' ');
}

/** The behaviour of the sandbox in sections. Each has an anchor, such as `#op-63`. */
export function behaviourInsert(): string {
  return behaviourGroups
    .flatMap(({ group, rows }) => [
      `## ${group}`,
      ...rows.flatMap(({ id, title, text }) => [`### ${escaped(title)} (${id}) {#${id.toLowerCase()}}`, escaped(text)]),
    ])
    .join('\n\n');
}

/** Filters of the page read the marks in the first and last cell: `docs/.vitepress/theme/filter.ts`. */
function row({ id, title, open, choice, next, operations = [], blocks }: RegisteredPoint): string {
  const anchor = id.toLowerCase();
  const mark = blocks === true ? ' <span class="blocks">blocks going live</span>' : '';
  const concerned = operations.map((operation) => `\`${operation}\``).join(', ');
  const scope = operations.length === 0 ? '' : ` <span class="operations">${concerned}</span>`;
  const name = `<a id="${anchor}" href="#${anchor}">${id}</a> ${cell(title)}${mark}`;
  return `| ${[name, cell(open), cell(choice), `${cell(next)}${scope}`].join(' | ')} |`;
}

/** A text as one cell of a table. */
function cell(text: string): string {
  return escaped(text).replaceAll('|', '\\|');
}
