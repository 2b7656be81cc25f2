import { settingsOf } from '../../sandbox/conformance/answers.ts';
import type { RegisteredPoint } from '../../sandbox/conformance/open-points.ts';
import { defaultSettings } from '../../sandbox/runtime/settings.ts';
import { escaped } from './citations.ts';
import { behaviourGroups, behaviours, openPoints } from './register.ts';

/** Returns the open points as a table. Each row has an anchor, such as `#op-05`. */
export function registerInsert(): string {
  return [
    '| Open point | What the interface leaves open | What the sandbox does | What to ask |',
    '| --- | --- | --- | --- |',
    ...openPoints.map(row),
  ].join('\n');
}

/** Returns a table of the open points that settings can answer, with those settings and the reason for offering them. */
export function settableInsert(): string {
  const settable = openPoints.filter(({ id }) => settingsOf(id).length > 0);
  const rows = settable.map(({ id, title, settle = '' }) => {
    const settings = settingsOf(id).map((name) => `\`${name}\` (${shown(defaultSettings[name as never])})`);
    return `| [${id}](#${id.toLowerCase()}) ${cell(title)} | ${settings.join(', ')} | ${cell(settle)} |`;
  });
  return ['| Open point | Settings with defaults | Why |', '| --- | --- | --- |', ...rows].join('\n');
}

function shown(value: unknown): string {
  return Array.isArray(value) && typeof value[0] === 'string' ? 'loopback' : JSON.stringify(value);
}

/** Returns anchors for the ids of the sandbox's own behaviour, so that old links to the page of open points still work. */
export function movedPointsInsert(): string {
  return behaviours
    .map(({ id }) => `<a id="${id.toLowerCase()}"></a>[${id}](/behaviour#${id.toLowerCase()})`)
    .join(' ');
}

/** Returns the sandbox's behaviours in sections. Each behaviour has an anchor, such as `#op-63`. */
export function behaviourInsert(): string {
  return behaviourGroups
    .flatMap(({ group, rows }) => [
      `## ${group}`,
      ...rows.flatMap(({ id, title, text }) => [`### ${escaped(title)} (${id}) {#${id.toLowerCase()}}`, escaped(text)]),
    ])
    .join('\n\n');
}

/** Returns a table row. The page filter (`docs/.vitepress/theme/filter.ts`) reads the marks in the first and last cell. */
function row({ id, title, open, choice, next, operations = [], blocks }: RegisteredPoint): string {
  const anchor = id.toLowerCase();
  const mark = blocks === true ? ' <span class="blocks">blocks going live</span>' : '';
  const concerned = operations.map((operation) => `\`${operation}\``).join(', ');
  const scope = operations.length === 0 ? '' : ` <span class="operations">${concerned}</span>`;
  const name = `<a id="${anchor}" href="#${anchor}">${id}</a> ${cell(title)}${mark}`;
  return `| ${[name, cell(open), cell(choice), `${cell(next)}${scope}`].join(' | ')} |`;
}

/** Escapes text for a table cell. */
function cell(text: string): string {
  return escaped(text).replaceAll('|', '\\|');
}
