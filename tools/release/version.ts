/** Thrown for a version that cannot be released. The message describes the problem and the fix. */
export class NotReleasable extends Error {}

/**
 * Returns the version to release: the next `major`, `minor` or `patch`, or a given version. The current version is
 * allowed if it has not been released. Throws `NotReleasable` for an invalid version, or a version that is not higher.
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
 * Returns the changelog with the version and date as the heading of its newest section. Throws `NotReleasable` if that
 * section belongs to another version or is empty.
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
