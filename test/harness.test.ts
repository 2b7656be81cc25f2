/** What tests share lies in `harness/`; a folder of tests knows no other folder of tests (harness/README.md). */
import { globSync, readFileSync } from 'node:fs';
import { dirname, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('.', import.meta.url));
const files = globSync('**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'));

/** The folder that a file belongs to; a file that lies in no folder stands for itself. */
const folderOf = (path: string) => path.split('/', 1)[0] ?? '';

/**
 * The files of these tests that one of them names: what it imports or exports again, types too, and what it starts by
 * its address.
 */
function named(path: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(root + path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    const declared = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    const typed = ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
    const loaded = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const address = ts.isNewExpression(node) && node.expression.getText(source) === 'URL';
    const from = declared ?? typed ?? (loaded || address ? node.arguments?.[0] : undefined);
    if (from === undefined || !ts.isStringLiteralLike(from)) return;
    if (address || from.text.startsWith('.')) found.push(posix.join(dirname(path), from.text));
  };
  visit(source);
  return found.filter((target) => files.includes(target));
}

const graph = files.flatMap((path) => named(path).map((target) => ({ path, target })));

/** The folders that use a file of the harness, by way of other files of it too. */
function foldersOf(file: string, seen = new Set<string>()): Set<string> {
  seen.add(file);
  const users = graph.filter(({ path, target }) => target === file && !seen.has(path)).map(({ path }) => path);
  return new Set(
    users.flatMap((path) => (folderOf(path) === 'harness' ? [...foldersOf(path, seen)] : [folderOf(path)])),
  );
}

test('a test imports what tests share from harness/, and nothing else from the folder of other tests, types included', () => {
  expect(graph.length).toBeGreaterThan(500);
  const across = graph.filter(({ path, target }) => ![folderOf(path), 'harness'].includes(folderOf(target)));
  // The suites share their settings.
  const settings = [
    'vitest.alone.config.ts -> vitest.config.ts',
    'vitest.instances.config.ts -> vitest.config.ts',
    'vitest.nightly.config.ts -> vitest.config.ts',
    'vitest.config.ts -> harness/counts-reporter.ts',
  ];
  const edges = across.map(({ path, target }) => `${path} -> ${target}`);
  expect(edges.filter((edge) => !settings.includes(edge))).toEqual([]);
});

test('what lies in harness/ is used by two folders of tests at least', () => {
  const harness = files.filter((path) => folderOf(path) === 'harness');
  expect(harness.length).toBeGreaterThan(20);
  const ownFolderOnly = harness.filter((path) => foldersOf(path).size < 2);
  expect(ownFolderOnly.map((path) => `${path} <- ${[...foldersOf(path)]}`)).toEqual([]);
});

test('each file of harness/ says at its head what it is for', () => {
  const silent = files.filter(
    (path) => folderOf(path) === 'harness' && !readFileSync(root + path, 'utf8').startsWith('/**'),
  );
  expect(silent).toEqual([]);
});
