/** Finds every regular expression that may receive external input. */
import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { root } from '../harness/sources.ts';

/** A regular expression and its file. */
export interface Expression {
  readonly file: string;
  /** The expression as a JavaScript literal, such as `/a+/i`. */
  readonly text: string;
}

/** Returns all distinct expressions in the code below `sandbox/` and in the contracts' patterns. */
export function allExpressions(): Expression[] {
  const code = globSync('sandbox/**/*.{ts,tsx,js}', { cwd: root }).flatMap((file) => expressionsIn(file, read(file)));
  const patterns = globSync('generated/*/bundle.json', { cwd: root }).flatMap((file) =>
    patternsIn(JSON.parse(read(file))).map((pattern) => ({ file, text: String(new RegExp(pattern, 'u')) })),
  );
  return [...new Map([...code, ...patterns].map((expression) => [expression.text, expression])).values()];
}

/** Returns the expressions in a source file. Throws if the file builds one with `RegExp`. */
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

/** Returns the patterns in a contract. Skips `pattern` fields that contain a register id. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === 'pattern' && typeof field === 'string' && !field.startsWith('OP-') ? [field] : patternsIn(field),
  );
}

function read(file: string): string {
  return readFileSync(root + file, 'utf8');
}
