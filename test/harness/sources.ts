/** The sources of the project as tests read them: titles of tests, comments, contracts. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The name that the package has in `package.json`, the one place where it is chosen. */
export const packageName: string = JSON.parse(readFileSync(`${root}package.json`, 'utf8')).name;

/** The titles of all tests, and of what groups them, as they are written. */
export function titles(): string[] {
  const found: string[] = [];
  for (const file of globSync('test/**/*.ts', { cwd: root })) {
    const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (!ts.isCallExpression(node)) return;
      const [title] = node.arguments;
      const tests = /^(it|test|describe)\b/.test(node.expression.getText(source));
      if (tests && title && ts.isStringLiteralLike(title)) found.push(title.text);
    };
    visit(source);
  }
  return found;
}

/** The comments of a file each, and the contracts as they are written. */
export function prose(): { file: string; text: string }[] {
  const made = /^docs\/(site|\.build|\.vitepress\/(cache|dist))\//;
  const code = globSync('{sandbox,tools,test,docs}/**/*.{ts,tsx,js}', { cwd: root }).filter((file) => !made.test(file));
  const commented = code.map((file) => {
    const comments = read(file).match(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g) ?? [];
    return { file, text: comments.join('\n') };
  });
  const contracts = globSync('openapi/**/*.yaml', { cwd: root }).map((file) => ({ file, text: read(file) }));
  return [...commented, ...contracts];
}

function read(file: string): string {
  return readFileSync(root + file, 'utf8');
}
