/** No recipe may make a package manager download the package by a name that a stranger could register (decision 111). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../harness/sources.ts';

const options = String.raw`(?:\s+-[\w=-]+)*`;
/** The name of the command or the package, without a path or file extension. Quotes and a version may surround it. */
const anyName = String.raw`\s+["']?(?:@rewards-sandbox\/sandbox|rewards-sandbox)(?![\w./-])`;
/** The name without its scope or without an exact version. */
const looseName = String.raw`\s+["']?(?:rewards-sandbox|@rewards-sandbox\/sandbox(?!@\d+\.\d+\.\d+))(?![\w./-])`;

/** Commands that run a package and download it by name if it is not installed. */
const run = new RegExp(
  String.raw`\b(?:npx|bunx|(?:npm|pnpm|yarn) (?:exec|x|dlx)|npm create|npm init)(${options}(?:\s+--)?)${anyName}`,
  'g',
);
/** Commands that install a package by a name without its scope or exact version. */
const install = new RegExp(String.raw`\b(?:npm|pnpm|yarn|bun) (?:install|i|add)${options}${looseName}`, 'g');

/** Returns all commands in the text that could download a stranger's package. */
function unsafeCommands(text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, ' ');
  const runs = [...joined.matchAll(run)].filter(([, flags = '']) => !flags.split(/\s+/).includes('--no-install'));
  return [...runs, ...joined.matchAll(install)].map(([command]) => command);
}

/** Returns the text files that git tracks, except this one. */
function trackedTexts(): { path: string; text: string }[] {
  const paths = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return paths
    .filter((path) => path !== 'test/docs/install-recipes.test.ts')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

it('recognizes the commands that would download a package of that name, and no others', () => {
  const unsafe = [
    'npx rewards-sandbox certify',
    'npx --yes rewards-sandbox',
    'npx -y rewards-sandbox@1.0.0',
    "npx 'rewards-sandbox' init",
    'npx \\\n  rewards-sandbox init',
    'npm exec -- rewards-sandbox certify',
    'pnpm dlx rewards-sandbox',
    'yarn dlx rewards-sandbox',
    'npm install rewards-sandbox',
    'npm i --save-dev rewards-sandbox',
    'yarn add rewards-sandbox',
    'npx @rewards-sandbox/sandbox',
    'npx --yes @rewards-sandbox/sandbox@0.1.0 start',
    'npm install @rewards-sandbox/sandbox',
    'npm install @rewards-sandbox/sandbox@latest',
  ];
  expect(unsafe.filter((command) => unsafeCommands(command).length !== 1)).toEqual([]);
  const safe = [
    'npx --no-install rewards-sandbox certify',
    'npx ./rewards-sandbox-sandbox-0.1.0.tgz',
    'npx --yes /package/rewards-sandbox.tgz',
    'npm install --global ./rewards-sandbox-sandbox-0.1.0.tgz',
    'npm install --no-save "$REWARDS_SANDBOX"',
    'npm install --save-dev @rewards-sandbox/sandbox@0.1.0',
    'npm ci --prefix rewards-sandbox',
    'npm --prefix rewards-sandbox run check',
    'rewards-sandbox certify',
  ];
  expect(safe.flatMap(unsafeCommands)).toEqual([]);
});

it('no file that git tracks downloads the package by a name that a stranger may own', () => {
  const texts = trackedTexts();
  expect(texts.filter(({ path }) => path.startsWith('examples/')).length).toBeGreaterThan(60);
  const commands = texts.flatMap(({ path, text }) => unsafeCommands(text).map((command) => `${path}: ${command}`));
  expect(commands).toEqual([]);
});

it('every README and CI file that runs the installed package first installs it from a file or an address', () => {
  const install = /npm install (?:--global|--no-save) (?:"\$\{?REWARDS_SANDBOX|\.\/rewards-sandbox-sandbox-[\d.]+tgz)/;
  const recipes = trackedTexts().filter(
    ({ path, text }) => /\.(md|ya?ml)$/.test(path) && /^ *npx --no-install rewards-sandbox /m.test(text),
  );
  expect(recipes.length).toBeGreaterThan(9);
  const early = recipes.filter(({ text }) => {
    const installIndex = text.search(install);
    return installIndex < 0 || installIndex > text.search(/^ *npx --no-install rewards-sandbox /m);
  });
  expect(early.map(({ path }) => path)).toEqual([]);
});
