/** Reads the project's sources for tests: test titles, comments and contracts. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The package name from `package.json`, its only definition. */
export const packageName: string = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).name;

/** Returns the files of the project that match a pattern, without the packages that nightly tests install. */
export function projectFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] });
}

/** Returns the titles of all tests and groups, as written. */
export function titles(): string[] {
  const texts: string[] = [];
  for (const file of projectFiles('test/**/*.ts')) {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node)) return;
      const [title] = node.arguments;
      const tests = /^(it|test|describe)\b/.test(node.expression.getText(source));
      if (tests && title && ts.isStringLiteralLike(title)) texts.push(title.text);
    };
    visit(source);
  }
  return texts;
}

/** Returns the comments in each file, and the contracts as written. */
export function prose(): { file: string; text: string }[] {
  const generated = /^docs\/(site|\.build|\.vitepress\/(cache|dist))\//;
  const code = projectFiles('{sandbox,tools,test,docs}/**/*.{ts,tsx,js}').filter((file) => !generated.test(file));
  const comments = code.map((file) => {
    const matches = read(file).match(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g) ?? [];
    return { file, text: matches.join('\n') };
  });
  const contracts = projectFiles('openapi/**/*.yaml').map((file) => ({ file, text: read(file) }));
  return [...comments, ...contracts];
}

function read(file: string): string {
  return readFileSync(root + file, 'utf8');
}
