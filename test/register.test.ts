/** Each row of the register that says how something behaves has a test that names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const folder = fileURLToPath(new URL('.', import.meta.url));
const rows: { id: string }[] = parse(readFileSync(new URL('../docs/register.yaml', import.meta.url), 'utf8'));

/** The titles of all tests, and of what groups them, as they are written. */
function titles(): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  return files.flatMap((name) => {
    const source = ts.createSourceFile(name, readFileSync(folder + name, 'utf8'), ts.ScriptTarget.Latest, true);
    return [...calls(source)].flatMap(({ expression, arguments: [title] }) =>
      /^(it|test|describe)\b/.test(expression.getText()) && title && ts.isStringLiteralLike(title) ? [title.text] : [],
    );
  });
}

function* calls(node: ts.Node): Generator<ts.CallExpression> {
  if (ts.isCallExpression(node)) yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* calls(child);
}

test('every row of the register has a test whose title names it', () => {
  const named = new Set(titles().flatMap((title) => title.match(/OP-\d+/g) ?? []));
  const ids = rows.map(({ id }) => id);
  expect(ids.filter((id) => !named.has(id))).toEqual([]);
  expect([...named].filter((id) => !ids.includes(id))).toEqual([]);
});
