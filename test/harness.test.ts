/** Shared test code belongs in `harness/`. A test folder must not import from other test folders (harness/README.md). */
import { readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { projectFiles } from './harness/sources.ts';

const root = fileURLToPath(new URL('.', import.meta.url));
const files = projectFiles('test/**/*.ts').map((path) => path.replaceAll('\\', '/').slice('test/'.length));

/** Returns the folder of a file, or the file itself if it is not in a folder. */
const folderOf = (path: string) => path.split('/', 1)[0] ?? '';

/** Returns the test files that a file refers to: imports and re-exports, including types, and files started by URL. */
function named(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.Latest, true);
  const references: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    const declared = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    const typed = ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
    const loaded = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const address = ts.isNewExpression(node) && node.expression.getText(source) === 'URL';
    const from = declared ?? typed ?? (loaded || address ? node.arguments?.[0] : undefined);
    if (from === undefined || !ts.isStringLiteralLike(from)) return;
    if (address || from.text.startsWith('.')) references.push(posix.join(dirname(path), from.text));
  };
  visit(source);
  return references.filter((target) => files.includes(target));
}

const graph = files.flatMap((path) => named(path).map((target) => ({ path, target })));

/** Returns the folders that use a harness file, directly or through other harness files. */
function foldersOf(file: string, visited = new Set<string>()): Set<string> {
  visited.add(file);
  const users = graph.filter(({ path, target }) => target === file && !visited.has(path)).map(({ path }) => path);
  return new Set(
    users.flatMap((path) => (folderOf(path) === 'harness' ? [...foldersOf(path, visited)] : [folderOf(path)])),
  );
}

test('a test imports from its own folder and harness/ only, types included', () => {
  expect(graph.length).toBeGreaterThan(500);
  const across = graph.filter(({ path, target }) => ![folderOf(path), 'harness'].includes(folderOf(target)));
  // The suites share their settings.
  const settings = [
    'vitest.alone.config.ts -> vitest.config.ts',
    'vitest.instances.config.ts -> vitest.config.ts',
    'vitest.mutants.config.ts -> vitest.config.ts',
    'vitest.nightly.config.ts -> vitest.config.ts',
    'vitest.config.ts -> harness/counts-reporter.ts',
  ];
  const edges = across.map(({ path, target }) => `${path} -> ${target}`);
  expect(edges.filter((edge) => !settings.includes(edge))).toEqual([]);
});

test('at least two folders of tests use each file of harness/', () => {
  const harness = files.filter((path) => folderOf(path) === 'harness');
  expect(harness.length).toBeGreaterThan(20);
  const ownFolderOnly = harness.filter((path) => foldersOf(path).size < 2);
  expect(ownFolderOnly.map((path) => `${path} <- ${[...foldersOf(path)]}`)).toEqual([]);
});
