/**
 * Draws sentences from every source of text, for review by a reader who did not write them.
 * Usage: `node tools/lint/sample-sentences.ts SEED [COUNT]`. Prints source, file with line, and sentence, separated by
 * tabs. The same seed draws the same sentences.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

interface Sentence {
  readonly source: string;
  readonly place: string;
  readonly text: string;
}

type Kind = 'comments' | 'strings' | 'markdown' | 'descriptions';

/** Each source of text: its name, its files, and the kind of text they contain. */
const sources: readonly (readonly [name: string, files: readonly string[], kind: Kind])[] = [
  ['interface', ['docs/interface.md'], 'markdown'],
  ['guides', ['docs/guides/*.md', 'README.md'], 'markdown'],
  ['decisions', ['docs/decisions/*.md'], 'markdown'],
  ['changelog', ['docs/changelog.md'], 'markdown'],
  ['register', ['docs/register.yaml', 'docs/behaviour.yaml'], 'descriptions'],
  ['contracts', ['openapi/**/*.yaml'], 'descriptions'],
  ['comments of sandbox/', ['sandbox/**/*.{ts,tsx}'], 'comments'],
  ['comments of tools/', ['tools/**/*.ts'], 'comments'],
  ['comments of test/', ['test/**/*.ts'], 'comments'],
  ['messages of the CLI', ['sandbox/cli/*.ts'], 'strings'],
  ['messages over HTTP', ['sandbox/contract/*.ts', 'sandbox/platform/**/*.ts', 'sandbox/client/**/*.ts'], 'strings'],
  ['pages', ['sandbox/{dashboard,sites}/**/*.{ts,tsx}'], 'strings'],
];

/** Patterns that extract the text of each kind. The first matching group is the text. */
const patterns: Readonly<Record<Kind, RegExp>> = {
  comments: /\/\*\*?([\s\S]*?)\*\/|^[ \t]*\/\/ (.*)$/gm,
  strings: /'([A-Z][^'\n]*)'|`([A-Z][^`]*)`|>\s*([A-Z][^<>{}]+)</g,
  markdown: /^((?:- |\d+\. )?[A-Z*`][^|]*?)$(?=\n\n|\n-|\n?$)/gm,
  descriptions: /(?:description|choice|open|next|text|summary): (?:[>|]-?\n((?: +\S.*\n|\n)+)|(.+))$/gm,
};

function sentencesOf(source: string, file: string, kind: Kind): Sentence[] {
  const content = readFileSync(file, 'utf8');
  return [...content.matchAll(patterns[kind])].flatMap((match) => {
    const text = match.slice(1).find((group) => group !== undefined) ?? '';
    const place = `${file}:${content.slice(0, match.index).split('\n').length}`;
    const plain = text.replaceAll(/\n\s*\*? ?/g, ' ').trim();
    return plain
      .split(/(?<=[.!?]) (?=[A-Z`])/)
      .filter((sentence) => sentence.split(' ').length >= 4 && !/^(@|biome-ignore)/.test(sentence))
      .map((sentence) => ({ source, place, text: sentence }));
  });
}

/** Draws the same number of sentences from each source. The draw depends only on the seed. */
function draw(seed: string, count: number): Sentence[] {
  const rank = ({ place, text }: Sentence) => createHash('sha256').update(`${seed}\n${place}\n${text}`).digest('hex');
  return sources.flatMap(([source, files, kind], index) => {
    const paths = [...new Set(globSync([...files], { exclude: ['**/node_modules/**'] }))].sort();
    const all = paths.flatMap((path) => sentencesOf(source, path, kind));
    const share = Math.floor(((index + 1) * count) / sources.length) - Math.floor((index * count) / sources.length);
    return all.toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, share);
  });
}

const [seed = '1', count = '200'] = process.argv.slice(2);
for (const { source, place, text } of draw(seed, Number(count))) console.log([source, place, text].join('\t'));
