import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Node } from '../../sandbox/contract/document.ts';
import { order } from './versions.ts';

/** The bundles of one version of the contracts, by contract name. */
export type Bundles = ReadonlyMap<string, Node>;

/** The version to compare the contracts with. */
export interface Previous {
  /** A tag, another revision or a folder. `undefined` if there is no release yet. */
  readonly name: string | undefined;
  readonly bundles: Bundles;
}

/**
 * Thrown if there is nothing to compare with: git is missing, or the name does not resolve to a version with contracts.
 */
export class NothingToCompare extends Error {}

/**
 * File names for a contract's bundle, in order of preference: the interface, then our requirements for a partner.
 * Promises that only the sandbox makes do not bind partners (decision 053).
 */
const forms = ['interface.json', 'bundle.json'];

/**
 * Reads the bundles from `generated/` in a checkout of the project. Throws `NothingToCompare` if that folder contains
 * none.
 */
export function bundlesIn(root: string): Bundles {
  const folder = join(root, 'generated');
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  const present = names.flatMap((name) => {
    const file = forms.map((form) => join(folder, name, form)).find((path) => existsSync(path));
    return file === undefined ? [] : [[name, JSON.parse(readFileSync(file, 'utf8'))] as const];
  });
  if (present.length === 0) throw new NothingToCompare(`There is no generated/*/bundle.json in ${root}.`);
  return new Map(present);
}

/**
 * Returns the contracts of the last release, or of the folder or git revision `against`. Throws `NothingToCompare` if
 * they are unavailable.
 */
export function previous(root: string, against: string | undefined): Previous {
  if (against === undefined) {
    const name = lastRelease(root);
    return { name, bundles: name === undefined ? new Map() : bundlesAt(root, name) };
  }
  const folder = resolve(root, against);
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  return { name: against, bundles: isFolder ? bundlesIn(folder) : bundlesAt(root, against) };
}

/** Returns the highest release tag in the history of the current commit, such as v1.4.0. */
function lastRelease(root: string): string | undefined {
  const tags = git(root, 'tag', '--merged', 'HEAD', '--list', 'v*').split('\n');
  const releases = tags.filter((tag) => /^v\d+\.\d+\.\d+$/.test(tag));
  const [last] = releases.sort((one, other) => order(other.slice(1), one.slice(1)));
  if (last === undefined && git(root, 'rev-parse', '--is-shallow-repository') === 'true')
    throw new NothingToCompare(
      'This clone is shallow and has no release tag; get them with `git fetch --tags --unshallow`.',
    );
  return last;
}

function bundlesAt(root: string, name: string): Bundles {
  const commit = commitOf(root, name);
  const files = git(root, 'ls-tree', '-r', '--name-only', commit, 'generated/').split('\n');
  const bundles = new Map<string, Node>();
  const names = files.flatMap((file) => /^generated\/([^/]+)\/bundle\.json$/.exec(file)?.[1] ?? []);
  for (const name of names) {
    const form = forms.find((each) => files.includes(`generated/${name}/${each}`));
    bundles.set(name, JSON.parse(git(root, 'show', `${commit}:./generated/${name}/${form}`)));
  }
  if (bundles.size === 0) throw new NothingToCompare(`There is no generated/*/bundle.json in ${name}.`);
  return bundles;
}

function commitOf(root: string, name: string): string {
  const { status, stdout } = run(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  if (status !== 0) throw new NothingToCompare(`${name} is no folder, and git knows no commit of that name.`);
  // Some versions of git also print `--end-of-options` before the commit.
  return stdout.trim().split('\n').at(-1) ?? '';
}

function git(root: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = run(root, args);
  if (status !== 0) throw new NothingToCompare(`cannot run git here: ${stderr.trim().split('\n')[0]}`);
  return stdout.trim();
}

function run(root: string, args: readonly string[]) {
  const ended = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (ended.error !== undefined) throw new NothingToCompare(`git does not run: ${ended.error.message}`);
  return ended;
}
