/** Tests the version that a rating requires, and the position of the changelog entry (OP-58). */
import { describe, expect, it } from 'vitest';
import type { Rating } from '../../../tools/contracts-diff/change.ts';
import { changelogEntry, withEntry } from '../../../tools/contracts-diff/changelog.ts';
import type { Report } from '../../../tools/contracts-diff/report.ts';
import { judge, order, wantedVersion } from '../../../tools/contracts-diff/versions.ts';

describe('the version that a rating requires', () => {
  it.each<[before: string, Rating, wanted: string]>([
    ['1.4.2', 'breaking', '2.0.0'],
    ['1.4.2', 'additive', '1.5.0'],
    ['1.4.2', 'documentation', '1.4.3'],
    ['0.4.2', 'breaking', '0.5.0'],
    ['0.4.2', 'additive', '0.4.3'],
    ['0.4.2', 'documentation', '0.4.3'],
    ['9.9.9', 'additive', '9.10.0'],
  ])('%s, %s: %s', (before, rating, wanted) => {
    expect(wantedVersion(before, rating)).toBe(wanted);
  });

  it('a lower version does not match, and the report names the one that would', () => {
    expect(judge('1.0.0', '1.1.0', 'breaking')).toEqual({
      matches: false,
      wanted: '2.0.0',
      reason: 'the changes are breaking',
    });
    expect(judge('1.0.0', '1.0.0', 'documentation')).toEqual({
      matches: false,
      wanted: '1.0.1',
      reason: 'the changes are documentation',
    });
    expect(judge('1.1.0', '1.0.9', undefined)).toEqual({ matches: false, wanted: '1.1.0', reason: 'it went back' });
  });

  it('a sufficient version matches; a higher one gets a note', () => {
    expect(judge('1.9.0', '1.10.0', 'additive')).toEqual({ matches: true });
    expect(judge('1.0.0', '1.0.0', undefined)).toEqual({ matches: true });
    expect(judge('1.0.0', '3.0.0', 'additive')).toEqual({
      matches: true,
      note: 'raised further than to 1.1.0, which is enough',
    });
    expect(judge('1.0.0', '1.0.1', undefined)).toEqual({ matches: true, note: 'raised without a change' });
  });

  it('compares numbers as numbers, and refuses an invalid version', () => {
    expect(['10.0.0', '1.10.0', '1.9.0', '1.9.10'].sort(order)).toEqual(['1.9.0', '1.9.10', '1.10.0', '10.0.0']);
    expect(() => order('1.0', '1.0.0')).toThrow('"1.0" is no version: write three numbers, such as 1.2.0.');
    expect(() => order('1.0.0-rc.1', '1.0.0')).toThrow('"1.0.0-rc.1" is no version');
  });
});

const location = { contract: 'small', pointer: '/paths', file: 'openapi/small.yaml', line: 7 };
const report: Report = {
  format: 1,
  against: 'v0.1.0',
  matches: true,
  contracts: [
    {
      contract: 'small',
      before: '1.0.0',
      after: '2.0.0',
      rating: 'breaking',
      version: { matches: true },
      changes: [
        {
          ...location,
          rating: 'breaking',
          sentence: 'Path `/b` was removed.',
          must: 'Do without it.',
          operations: ['a', 'b', 'c', 'd', 'e', 'f'],
        },
        { ...location, rating: 'additive', sentence: 'Property `x` was added.', operations: ['a'] },
        {
          ...location,
          pointer: '/elsewhere',
          rating: 'additive',
          sentence: 'Property `x` was added.',
          operations: ['a', 'b'],
        },
        { ...location, rating: 'documentation', sentence: '`description` of property `x` changed.', operations: ['a'] },
        { ...location, rating: 'documentation', sentence: '`title` of the contract changed.', operations: [] },
      ],
    },
    { contract: 'same', before: '1.0.0', after: '1.0.0', version: { matches: true }, changes: [] },
  ],
};

const entry = `### Contracts

Changes since v0.1.0, as \`npm run contracts:diff -- --write\` finds them; it replaces what stands here.

- **small** 1.0.0 to 2.0.0
  - **Breaking**: Path \`/b\` was removed (a, b, c, d and 2 more). What you must do: Do without it.
  - Additive: Property \`x\` was added (a, b).
  - Documentation: 2 changes of wording.
`;

describe('the entry of the changelog', () => {
  it('lists each change of each contract, and what you must do', () => {
    expect(changelogEntry(report)).toBe(entry);
    expect(changelogEntry({ ...report, contracts: [] })).toBeUndefined();
  });

  it('names a new contract, and a removed one', () => {
    const [change] = report.contracts[0]?.changes ?? [];
    const changes = change === undefined ? [] : [change];
    const contracts = [
      { contract: 'young', after: '1.0.0', version: { matches: true } as const, changes },
      { contract: 'old', before: '1.2.0', version: { matches: true } as const, changes },
    ];
    expect(changelogEntry({ ...report, against: null, contracts })).toBe(
      entry.slice(0, entry.indexOf('Changes')) +
        'The first release of them, as `npm run contracts:diff -- --write` finds them; it replaces what stands here.\n\n' +
        '- **young** 1.0.0: new.\n- **old** 1.2.0: removed. What you must do: do without it.\n',
    );
  });

  const older = '## 0.1.0\n\nFirst release.\n';
  const changelog = `# Changelog\n\n## 0.2.0\n\n- Something.\n\n${older}`;

  it('is at the end of the newest section, and is replaced there', () => {
    const once = withEntry(changelog, entry, '0.1.0');
    expect(once).toBe(`# Changelog\n\n## 0.2.0\n\n- Something.\n\n${entry}\n${older}`);
    expect(withEntry(once, entry, '0.1.0')).toBe(once);
    expect(withEntry(once, entry.replace('2.0.0', '3.0.0'), '0.1.0')).toBe(once.replace('2.0.0', '3.0.0'));
  });

  it('is removed when there is nothing to report', () => {
    expect(withEntry(withEntry(changelog, entry, '0.1.0'), undefined, '0.1.0')).toBe(changelog);
  });

  it('leaves other parts of the section alone, before and after it', () => {
    const parts = `# Changelog\n\n## 0.2.0\n\n### Contracts\n\nold\n\n### Fixes\n\n- One.\n\n${older}`;
    expect(withEntry(parts, entry, '0.1.0')).toBe(
      `# Changelog\n\n## 0.2.0\n\n### Fixes\n\n- One.\n\n${entry}\n${older}`,
    );
  });

  it('opens a section when the newest one is released', () => {
    const once = withEntry(`# Changelog\n\n${older}`, entry, '0.1.0');
    expect(once).toBe(`# Changelog\n\n## Unreleased\n\n${entry}\n${older}`);
    expect(withEntry(once, entry, '0.1.0')).toBe(once);
  });

  it('refuses a changelog without sections', () => {
    expect(() => withEntry('# Changelog\n', entry, undefined)).toThrow('The changelog has no section');
  });
});
