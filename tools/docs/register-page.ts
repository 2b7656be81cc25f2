import { parse } from 'yaml';
import { escaped } from './citations.ts';
import { read } from './content.ts';

/** A row of docs/register.yaml. */
export interface OpenPoint {
  readonly id: string;
  readonly title: string;
  readonly open: string;
  readonly choice: string;
  /** What a client has to settle, or `nothing` where production has no such thing. */
  readonly next: string;
  readonly since: string;
}

/** All open points, in their order. */
export function openPoints(): readonly OpenPoint[] {
  return parse(read('docs/register.yaml'));
}

/** The open points as a table: each row is a place of its own, `#op-05`. */
export function registerInsert(): string {
  return [
    '| Open point | What the interface leaves open | What the sandbox does | What to do |',
    '| --- | --- | --- | --- |',
    ...openPoints().map(row),
  ].join('\n');
}

function row({ id, title, open, choice, next, since }: OpenPoint): string {
  const place = id.toLowerCase();
  const name = `<a id="${place}" href="#${place}">${id}</a> ${cell(title)} <span class="since">(since ${since})</span>`;
  const action = next === 'nothing' ? 'Nothing: only the sandbox has this.' : cell(next);
  return `| ${[name, cell(open), cell(choice), action].join(' | ')} |`;
}

/** A text as one cell of a table. */
function cell(text: string): string {
  return escaped(text).replaceAll('|', '\\|');
}
