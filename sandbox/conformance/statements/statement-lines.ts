/** Where statements and open points are written down, for reports that lead people there. */
import { readFileSync } from 'node:fs';
import { idsOf, isStated } from '../../contract/basis.ts';
import type { Finding } from '../finding.ts';

const root = new URL('../../../', import.meta.url);
const documents = {
  stated: { file: 'docs/interface.md', line: /^(?:- |\| )\*\*([A-Z]\d{1,2})\*\* / },
  open: { file: 'docs/register.yaml', line: /^- id: (OP-\d{2,3})$/ },
} as const;

const read = new Map<string, ReadonlyMap<string, number>>();

/** The line of the first statement, or of the open point, that a basis names. */
export function lineOf(basis: string): Finding['contract'] {
  const { file, line } = documents[isStated(basis) ? 'stated' : 'open'];
  const lines = read.get(file) ?? linesOf(file, line);
  read.set(file, lines);
  return { file, line: lines.get(idsOf(basis)[0] ?? '') ?? 1 };
}

function linesOf(file: string, form: RegExp): ReadonlyMap<string, number> {
  const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
  return new Map(
    lines.flatMap((text, index) => (form.exec(text)?.[1] ? [[form.exec(text)?.[1] ?? '', index + 1]] : [])),
  );
}
