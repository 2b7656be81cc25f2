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

/** Words that readers search for, and the words that the pages use for the same thing. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  fake: ['frozen'],
  travel: ['clock', 'advance'],
  refund: ['refund', 'reversal'],
  insufficient: ['insufficient', 'short'],
  enough: ['insufficient', 'short'],
  sms: ['sms', 'message'],
  docker: ['docker', 'container'],
  vs: ['differences'],
};

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
]);

/** Long lists rank below guides, so that one of their many rows does not hide the page that explains it. */
const lists = /\/(?:open-points|behaviour|requirements|interface|security|workflows)(?:\.html)?#/;

const hosted = /\/operations\//;
/** Most partners build version 1.0. */
const version2 = /\/operations\/(?:getCustomerPoints|redeemPoints|reversePoints)/;

/** How the search ranks its results. Functions cannot be part of the configuration: the policy forbids to evaluate text. */
export const ranking = {
  boost: { title: 4, titles: 1, text: 1 },
  processTerm(term: string): string | readonly string[] | null {
    const word = term.toLowerCase();
    return stopWords.has(word) ? null : (synonyms[word] ?? word);
  },
  boostDocument(id: string, term: string): number {
    // An id such as `OP-21` or `CRD-01` names a row of a list.
    if (lists.test(id)) return /^(?:op|[a-z]{3}|\d+)$/.test(term) ? 1 : 0.3;
    if (version2.test(id)) return 0.6;
    return hosted.test(id) ? 1.4 : 1;
  },
};
