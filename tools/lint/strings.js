/**
 * A textlint plugin for code. Extracts the text of string literals and templates, so that the prose rules also cover
 * command output and pages. Skips names, paths and single words.
 */
import ts from 'typescript';

/** Two consecutive words, which distinguish prose from names. */
const prose = /[A-Za-z,:;]{2,} [A-Za-z`'"(]/;

const kinds = { '.js': ts.ScriptKind.JS, '.tsx': ts.ScriptKind.TSX };

/** Returns the text parts of a literal. For a template, these are the parts around its placeholders. Other nodes have none. */
function partsOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node];
  return ts.isTemplateExpression(node) ? [node.head, ...node.templateSpans.map(({ literal }) => literal)] : [];
}

function parse(text, file) {
  const kind = kinds[/\.\w+$/.exec(file)?.[0]] ?? ts.ScriptKind.TS;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
  const place = (offset) => {
    const { line, character } = source.getLineAndCharacterOfPosition(offset);
    return { line: line + 1, column: character };
  };
  const node = (type, start, end, more) => {
    const loc = { start: place(start), end: place(end) };
    return { type, raw: text.slice(start, end), range: [start, end], loc, ...more };
  };
  const children = [];
  const add = (start, end, value) =>
    children.push(node('Paragraph', start, end, { children: [node('Str', start, end, { value })] }));
  const visit = (found) => {
    for (const part of partsOf(found)) {
      const start = part.getStart(source) + 1;
      const end = part.end - (text.startsWith('${', part.end - 2) ? 2 : 1);
      const value = text.slice(start, end);
      if (!prose.test(value)) continue;
      add(start, end, value);
    }
    if (ts.isJsxText(found)) {
      const value = found.text.trim();
      const start = found.pos + found.text.indexOf(value);
      if (prose.test(value)) add(start, start + value.length, value);
    }
    if (!ts.isImportDeclaration(found)) ts.forEachChild(found, visit);
  };
  visit(source);
  return node('Document', 0, text.length, { children });
}

class Processor {
  availableExtensions() {
    return ['.ts', '.tsx', '.js'];
  }

  processor() {
    return {
      preProcess: (text, file = 'module.ts') => parse(text, file),
      postProcess: (messages, file = 'module.ts') => ({ messages, filePath: file }),
    };
  }
}

export default { Processor };
