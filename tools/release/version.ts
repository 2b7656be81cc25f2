/** A version that cannot be released. The message says what is wrong and what to do. */
export class NotReleasable extends Error {}

/**
 * The version to release: the next `major`, `minor` or `patch` of the present one, or a given version. The present one
 * is allowed if it was not released yet. Throws NotReleasable for an invalid version, or one that is not higher.
 */
export function nextVersion(present: string, requested: string, isReleased: boolean): string {
  const [major = 0, minor = 0, patch = 0] = present.split('.').map(Number);
  const next = { major: `${major + 1}.0.0`, minor: `${major}.${minor + 1}.0`, patch: `${major}.${minor}.${patch + 1}` };
  if (Object.hasOwn(next, requested)) return next[requested as keyof typeof next];
  if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(requested))
    throw new NotReleasable(`${requested} is no version. Give major, minor, patch, or one such as ${next.minor}.`);
  const order = requested.localeCompare(present, 'en', { numeric: true });
  if (order < 0 || (order === 0 && isReleased))
    throw new NotReleasable(`${requested} is not above ${present}, which is there already. Give ${next.patch} or more.`);
  return requested;
}

/**
 * The changelog with its newest section under a version and a day. Throws NotReleasable where that section is of
 * another version, or says nothing.
 */
export function releasedChangelog(changelog: string, version: string, day: string): string {
  const [heading, name] = /^## (.+)$/m.exec(changelog) ?? [];
  if (heading === undefined || (name !== 'Unreleased' && name?.split(' - ')[0] !== version))
    throw new NotReleasable(`The newest section of docs/changelog.md is ${name}. Write one: ## Unreleased.`);
  const [, text = ''] = changelog.split(heading);
  if (text.split(/^## /m)[0]?.trim() === '')
    throw new NotReleasable(`The section ${name} of docs/changelog.md is empty.`);
  return changelog.replace(heading, () => `## ${version} - ${day}`);
}
