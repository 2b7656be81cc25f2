import type { Change } from './change.ts';
import { type ContractReport, type Report, shortened } from './report.ts';

const heading = '### Contracts';

/** Returns the changelog entry in Markdown, or `undefined` if nothing changed. */
export function changelogEntry({ against, contracts }: Report): string | undefined {
  const changed = contracts.filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return undefined;
  const since = against === null ? 'The first release of them' : `Changes since ${against}`;
  const intro = `${since}, as \`npm run contracts:diff -- --write\` finds them; it replaces what stands here.`;
  return `${heading}\n\n${intro}\n\n${changed.map(item).join('\n')}\n`;
}

/**
 * Returns the changelog with the entry at the end of its newest section, replacing any earlier entry. If that section
 * describes the version `released`, first adds a new section. Throws if the changelog has no section.
 */
export function withEntry(changelog: string, entry: string | undefined, released: string | undefined): string {
  const opened = openSection(changelog, entry !== undefined, released);
  const start = opened.search(/^## /m);
  if (start < 0) throw new Error('The changelog has no section: write a heading such as "## 0.2.0".');
  const next = opened.slice(start + 1).search(/^## /m);
  const end = next < 0 ? opened.length : start + 1 + next;
  const others = opened.slice(start, end).split(/^(?=### )/m);
  const section = others.filter((part) => !part.startsWith(`${heading}\n`)).join('');
  const newest = entry === undefined ? section : `${section.trimEnd()}\n\n${entry}${next < 0 ? '' : '\n'}`;
  return opened.slice(0, start) + newest + opened.slice(end);
}

function openSection(changelog: string, needed: boolean, released: string | undefined): string {
  const [newest, version] = /^## v?(\S+).*$/m.exec(changelog) ?? [];
  if (!needed || newest === undefined || version !== released) return changelog;
  return changelog.replace(newest, () => `## Unreleased\n\n${newest}`);
}

function item({ contract, from, into, before, after, changes }: ContractReport): string {
  const name = `**${contract}**`;
  if (before === undefined) return `- ${name} ${after}: new.`;
  if (after === undefined && into === undefined)
    return `- ${name} ${before}: removed. What you must do: do without it.`;
  const notable = changes.filter(({ rating }) => rating !== 'documentation');
  const lines = anywhere(notable).map(({ rating, sentence, must, operations }) => {
    const where = operations.length === 0 ? '' : ` (${shortened(operations)})`;
    const todo = must === undefined ? '' : ` What you must do: ${must}`;
    return `  - ${rating === 'breaking' ? '**Breaking**' : 'Additive'}: ${sentence.replace(/\.$/, '')}${where}.${todo}`;
  });
  const words = changes.length - notable.length;
  const last = words === 0 ? [] : [`  - Documentation: ${words} ${words === 1 ? 'change' : 'changes'} of wording.`];
  const origin = from === undefined ? '' : ` (from ${from})`;
  const versions = [...new Set([before, after])].filter((version) => version !== undefined).join(' to ');
  return [`- ${name}${origin} ${versions}`, ...lines, ...last].join('\n');
}

/** Merges equal changes, because readers look for a change and not for its location. */
function anywhere(changes: readonly Change[]): Change[] {
  const all = new Map<string, Change>();
  for (const change of changes) {
    const key = JSON.stringify([change.rating, change.sentence, change.must]);
    const operations = [...new Set([...(all.get(key)?.operations ?? []), ...change.operations])];
    all.set(key, { ...(all.get(key) ?? change), operations });
  }
  return [...all.values()];
}
