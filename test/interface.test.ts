/** At least one test names each statement of the interface, and each named statement exists. */
import { expect, test } from 'vitest';
import { statementIds } from '../tools/docs/citations.ts';
import { prose, titles } from './harness/sources.ts';

/** Returns text that looks like a statement id. */
const idsIn = (text: string): string[] => text.match(/\b[A-Z]\d{1,2}\b/g) ?? [];

const named = titles();
const citing = [...named.map((text) => ({ file: 'a title', text })), ...prose()];

test('the statements of each section are numbered from 1, without a gap', () => {
  expect(statementIds.length).toBeGreaterThan(130);
  const sections = Map.groupBy(statementIds, ([section]) => section);
  const wrong = [...sections.values()].filter((ids) => ids.some((id, index) => Number(id.slice(1)) !== index + 1));
  expect(wrong).toEqual([]);
});

test('every statement has a test whose title names it', () => {
  const namedIds = new Set(named.flatMap(idsIn));
  expect(statementIds.filter((id) => !namedIds.has(id))).toEqual([]);
});

test('every statement that a title, a comment or a contract names exists', () => {
  const cited = citing.flatMap(({ file, text }) => idsIn(text).map((id) => `${file}: ${id}`));
  expect(cited.length).toBeGreaterThan(300);
  expect(cited.filter((line) => !statementIds.includes(line.split(': ')[1] ?? ''))).toEqual([]);
});

test('no text cites a rule or a section of the interface: it has statements', () => {
  const old = /\(interface[ ,]|\binterface [A-F]\b|\brules? \d/;
  expect(citing.flatMap(({ file, text }) => text.match(old)?.map((words) => `${file}: ${words}`) ?? [])).toEqual([]);
});
