import { parse } from 'yaml';
import { escaped } from './citations.ts';
import { read } from './content.ts';

/** A row of docs/register.yaml. */
export interface OpenPoint {
  readonly id: string;
  readonly title: string;
  readonly open: string;
  readonly choice: string;
  readonly since: string;
}

/** All open points, in their order. */
export function openPoints(): readonly OpenPoint[] {
  return parse(read('docs/register.yaml'));
}

/** Each open point with an anchor of its own: `#op-05`. */
export function registerInsert(): string {
  return openPoints()
    .map(({ id, title, open, choice, since }) =>
      [
        `## ${id} ${escaped(title)} {#${id.toLowerCase()}}`,
        `**Open:** ${escaped(open)}`,
        `**What the sandbox does:** ${escaped(choice)}`,
        `<span class="basis assumed">Assumed since ${since}</span>`,
      ].join('\n\n'),
    )
    .join('\n\n');
}
