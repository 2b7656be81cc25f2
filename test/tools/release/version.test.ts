/** Tests the version and the changelog of a release. */
import { describe, expect, it } from 'vitest';
import { NotReleasable, nextVersion, releasedChangelog } from '../../../tools/release/version.ts';

describe('the next version', () => {
  it.each([
    ['major', '1.0.0'],
    ['minor', '0.2.0'],
    ['patch', '0.1.10'],
    ['0.1.10', '0.1.10'],
    ['0.10.0', '0.10.0'],
  ])('%s after 0.1.9 is %s', (argument, next) => expect(nextVersion('0.1.9', argument, true)).toBe(next));

  it('is the current one if it is not released yet', () => {
    expect(nextVersion('0.1.0', '0.1.0', false)).toBe('0.1.0');
  });

  it.each(['0.1.9', '0.1.8', '0.0.99', '1.0', 'v1.0.0', '01.0.0', '1.0.0-beta', ''])('is never %j', (argument) => {
    expect(() => nextVersion('0.1.9', argument, true)).toThrow(NotReleasable);
  });
});

describe('the changelog', () => {
  const text = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 - 2026-01-01\n\n- First.\n';

  it('has the unreleased changes under the version and the date', () => {
    expect(releasedChangelog(text, '0.2.0', '2026-02-03')).toBe(text.replace('Unreleased', '0.2.0 - 2026-02-03'));
  });

  it('may name the version before it is released', () => {
    const namedText = text.replace('Unreleased', '0.2.0');
    expect(releasedChangelog(namedText, '0.2.0', '2026-02-03')).toBe(text.replace('Unreleased', '0.2.0 - 2026-02-03'));
  });

  it.each([
    ['a section of another version', text.replace('Unreleased', '0.3.0')],
    ['an empty section', text.replace('- New.\n\n', '')],
    ['no section', '# Changelog\n'],
  ])('is refused with %s', (_what, wrong) => {
    expect(() => releasedChangelog(wrong, '0.2.0', '2026-02-03')).toThrow(NotReleasable);
  });
});
