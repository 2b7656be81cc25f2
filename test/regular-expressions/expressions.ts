/** Finds every regular expression that may get external input. */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { root } from '../harness/sources.ts';

/** An expression with its file. */
export interface Expression {
  readonly file: string;
  /** As in JavaScript, such as `/a+/i`. */
  readonly text: string;
}

/** All expressions of the code in `sandbox/` and all patterns of the contracts, each once. */
export function allExpressions(): Expression[] {
  const code = globSync('sandbox/**/*.{ts,tsx,js}', { cwd: root }).flatMap((file) => expressionsIn(file, read(file)));
  const patterns = globSync('generated/*/bundle.json', { cwd: root }).flatMap((file) =>
    patternsIn(JSON.parse(read(file))).map((pattern) => ({ file, text: String(new RegExp(pattern, 'u')) })),
  );
  return [...new Map([...code, ...patterns].map((expression) => [expression.text, expression])).values()];
}

/** The expressions in a source file. Throws at one that is built from text. */
export function expressionsIn(file: string, code: string): Expression[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest);
  const expressions: Expression[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (ts.isRegularExpressionLiteral(node)) expressions.push({ file, text: node.text });
    const isBuilt = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (!isBuilt || node.expression.getText(source) !== 'RegExp') return;
    throw new Error(`${file} builds a regular expression that nothing proves linear: ${node.getText(source)}`);
  };
  visit(source);
  return expressions;
}

/** The patterns in a contract. A field of this name may also have a register row as its value. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === 'pattern' && typeof field === 'string' && !field.startsWith('OP-') ? [field] : patternsIn(field),
  );
}

function read(file: string): string {
  return readFileSync(root + file, 'utf8');
}
