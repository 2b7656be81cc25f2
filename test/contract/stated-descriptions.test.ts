/** Descriptions under a `stated` basis only repeat the interface. Any additional claim names an open point. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { registerIds } from '../../tools/docs/register.ts';
import { frozenFile, frozenForm, type StatedDescription, statedDescriptions } from './stated-descriptions.ts';

const descriptions = statedDescriptions();
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns an instruction for each description that differs from its frozen form. */
function reviewSteps(all: readonly StatedDescription[], frozen: Readonly<Record<string, string>>): string[] {
  const now = frozenForm(all);
  const changed = all
    .filter(({ location }) => now[location] !== frozen[location])
    .map(
      ({ location, basis, text }) =>
        `${location in frozen ? 'Changed' : 'New'}: ${location}: "${text.trim()}" Re-read it against ${basis.replaceAll('stated', 'statements')} of docs/interface.md, name an open point behind whatever says more, then run \`npm run freeze:descriptions\`.`,
    );
  const removed = Object.keys(frozen).filter((location) => !(location in now));
  return [...changed, ...removed.map((location) => `Gone: ${location}. Run \`npm run freeze:descriptions\`.`)];
}

it('every description below a stated basis was reviewed against its statements in its current form', () => {
  const frozen = existsSync(frozenFile) ? parse(readFileSync(frozenFile, 'utf8')) : {};
  expect(descriptions.length).toBeGreaterThan(80);
  expect(reviewSteps(descriptions, frozen)).toEqual([]);
});

it('a changed, new or removed description requires a review', () => {
  const [first, second, ...rest] = descriptions as [StatedDescription, StatedDescription, ...StatedDescription[]];
  const frozen = frozenForm([first, second]);
  expect(reviewSteps([first, second], frozen)).toEqual([]);
  expect(reviewSteps([{ ...first, hash: 'other' }, second], frozen)).toEqual([
    expect.stringMatching(/^Changed: .* Re-read it against statements .* then run `npm run freeze:descriptions`\.$/),
  ]);
  expect(reviewSteps([{ ...first, basis: 'stated G1' }, second], frozen)).toHaveLength(1);
  expect(reviewSteps([first], frozen)).toEqual([`Gone: ${second.location}. Run \`npm run freeze:descriptions\`.`]);
  expect(reviewSteps([first, second, ...rest.slice(0, 1)], frozen)).toEqual([expect.stringMatching(/^New: /)]);
});

it('the statements and open points that those descriptions name exist', () => {
  const stated = [...read('docs/interface.md').matchAll(/^(?:- |\| )\*\*([A-Z]\d{1,2})\*\* /gm)].map(([, id]) => id);
  const citableIds = new Set([...registerIds, ...stated]);
  const named = descriptions.flatMap(({ text }) =>
    [...text.matchAll(/\(((?:(?:OP-\d+|[A-Z]\d{1,2})(?:, )?)+)\)/g)].flatMap(([, ids = '']) => ids.split(', ')),
  );
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((id) => !citableIds.has(id))).toEqual([]);
});
