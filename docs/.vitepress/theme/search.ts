/** The session storage key of the search text. VitePress keeps the text while the tab is open. */
const textPlace = 'vitepress:local-search-filter';

/**
 * Opens the search with the text of the `search` query parameter, if the address has one. The reference and the
 * dashboard link this way.
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

/** Groups of synonyms. A search for one word of a group also finds the others. */
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

/** Search words that the pages do not use, mapped to the words they use instead. */
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

/** Words that carry no meaning in a search. */
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

/** Lookup pages. They rank last, so that one of their many rows does not hide the page that explains it. */
const lists = /\/(?:open-points|requirements|interface|security|workflows)(?:\.html)?#/;
/** Part of an id that names a row of a list, such as `OP-21` or `CRD-01`. HTTP status codes do not match. */
const partOfId = /^(?:op|bas|cal|crd|ded|jrn|rob|shp|sta|tok|(?![45]\d\d$)\d+)$/;
const errors = /\/errors(?:\.html)?#/;
const reference = /\/reference\//;
/** The first section of an operation page. `partOfHosted` matches every section. */
const hosted = /\/operations\/(\w+?)(?:\.html)?#\1/i;
const partOfHosted = /\/operations\//;
/** Version 2.0 operations. They rank lower because most partners build version 1.0. */
const version2 = /\/operations\/(?:getCustomerPoints|redeemPoints|reversePoints)/;

/** Returns the ranking weight of a result by the kind of its page. */
function weightOf(id: string): number {
  if (version2.test(id)) return 0.7;
  if (hosted.test(id)) return 1.5;
  if (partOfHosted.test(id)) return 0.6;
  if (errors.test(id)) return 1.2;
  return reference.test(id) ? 0.8 : 1.4;
}

/**
 * The ranking options of the search. They are set at run time because functions cannot be part of the configuration:
 * the policy forbids evaluating text.
 */
export const ranking = {
  boost: { title: 4, titles: 1, text: 1 },
  /** Weights of partial matches. A whole word counts much more than a prefix: `java` is not JavaScript. */
  weights: { prefix: 0.15, fuzzy: 0.1 },
  /**
   * Matches the last word as a prefix, because the reader may still be typing it. Earlier words match as prefixes only
   * if they are long.
   */
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
