/** Where the search keeps its text while the tab is open. */
const textPlace = 'vitepress:local-search-filter';

/**
 * Opens the search where the address asks for it, with the text that it names, as links from the reference and the
 * dashboard do.
 */
export function openSearchAskedFor(): void {
  const address = new URL(location.href);
  const text = address.searchParams.get('search');
  if (text === null) return;
  if (text !== '') sessionStorage.setItem(textPlace, text);
  address.searchParams.delete('search');
  history.replaceState(history.state, '', address);
  document.querySelector<HTMLElement>('.DocSearch-Button')?.click();
}

/** Words of the field that mean the same: a search for one looks for the others, too. */
const synonyms: readonly (readonly string[])[] = [
  ['debit', 'deduct', 'deduction'],
  ['refund', 'reverse', 'reversal'],
  ['docker', 'container', 'image'],
  ['latency', 'delay'],
  ['sms', 'message'],
  ['duplicate', 'twice', 'repeat'],
  ['funds', 'points', 'balance'],
  ['iframe', 'embed', 'frame'],
  ['postgres', 'postgresql'],
  ['live', 'production'],
];

/** Words that the pages do not use, with what they call it. */
const translations: Readonly<Record<string, readonly string[]>> = {
  fake: ['frozen'],
  travel: ['clock', 'advance'],
  insufficient: ['insufficient', 'short'],
  enough: ['insufficient', 'short'],
  vs: ['differences'],
  stub: ['magic', 'outcome'],
  record: ['recorded', 'capture'],
  timeout: ['timeout', 'timeouts', 'pending'],
  ui: ['dashboard'],
  gui: ['dashboard'],
  history: ['history', 'traffic'],
  logs: ['log', 'activity', 'traffic'],
  key: ['key', 'token', 'secret'],
  charge: ['deduct', 'deduction'],
  many: ['quota', 'rate'],
  freeze: ['frozen', 'clock'],
  tenants: ['workspaces'],
  tenant: ['workspaces'],
  whitelist: ['allowlist'],
  login: ['login', 'sign'],
  cards: ['magic', 'values'],
};

const wordsFor = new Map<string, readonly string[]>([
  ...synonyms.flatMap((group) => group.map((word) => [word, group] as const)),
  ...Object.entries(translations),
]);

/** Words that say nothing about what is searched for. */
const stopWords = new Set([
  'a',
  'an',
  'the',
  'is',
  'are',
  'what',
  'how',
  'do',
  'i',
  'to',
  'of',
  'in',
  'not',
  'for',
  'my',
  'it',
  'on',
  'with',
  'and',
  'can',
  'run',
  'use',
  'get',
  'then',
  'when',
  'does',
  'too',
  'return',
  'api',
]);

/** Pages that are looked up, not read, rank last, so that one of their many rows does not hide the page that explains it. */
const lists = /\/(?:open-points|requirements|interface|security|workflows)(?:\.html)?#/;
/** A part of an id, such as `OP-21` or `CRD-01`, which names a row of a list; no status. */
const partOfId = /^(?:op|bas|cal|crd|ded|jrn|rob|shp|sta|tok|(?![45]\d\d$)\d+)$/;
const errors = /\/errors(?:\.html)?#/;
const reference = /\/reference\//;
/** The beginning of the page of an operation, and its parts. */
const hosted = /\/operations\/(\w+?)(?:\.html)?#\1/i;
const partOfHosted = /\/operations\//;
/** Most partners build version 1.0. */
const version2 = /\/operations\/(?:getCustomerPoints|redeemPoints|reversePoints)/;

/** How much each kind of page counts: guides first, then errors, then the reference. */
function weightOf(id: string): number {
  if (version2.test(id)) return 0.7;
  if (hosted.test(id)) return 1.5;
  if (partOfHosted.test(id)) return 0.6;
  if (errors.test(id)) return 1.2;
  return reference.test(id) ? 0.8 : 1.4;
}

/** How the search ranks its results. Functions cannot be part of the configuration: the policy forbids to evaluate text. */
export const ranking = {
  boost: { title: 4, titles: 1, text: 1 },
  /** A whole word counts much more than the beginning of one: `java` is not JavaScript. */
  weights: { prefix: 0.15, fuzzy: 0.1 },
  /** What is still being typed may be the beginning of a word; of the words before, only long ones. */
  prefix: (term: string, index: number, terms: readonly string[]): boolean =>
    index === terms.length - 1 || term.length > 3,
  fuzzy: (term: string): number | boolean => term.length > 4 && 0.2,
  processTerm(term: string): string | readonly string[] | null {
    const word = term.toLowerCase();
    return stopWords.has(word) ? null : (wordsFor.get(word) ?? word);
  },
  boostDocument(id: string, term: string): number {
    if (lists.test(id)) return partOfId.test(term) ? 1 : 0.25;
    return weightOf(id);
  },
};
