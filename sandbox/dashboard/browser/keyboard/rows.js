// @ts-check
/** Moves the focus from row to row of the list on a screen. */

/** What a row is opened by. */
const openers = 'a[href], button';

/**
 * Moves the focus one row on or back; from outside the list to the row that the tab key reaches.
 * @param {1 | -1} by
 */
export function moveInList(by) {
  const list = document.querySelector('#screen .windowed');
  if (list instanceof HTMLElement) moveInWindowed(list, by);
  else moveInTable(by);
}

/**
 * A windowed list draws only the rows in view, and its arrow keys know the others.
 * @param {HTMLElement} list @param {1 | -1} by
 */
function moveInWindowed(list, by) {
  if (!list.contains(document.activeElement)) {
    /** @type {HTMLElement | null} */ (list.querySelector('a:not([tabindex="-1"])'))?.focus();
    return;
  }
  const key = by === 1 ? 'ArrowDown' : 'ArrowUp';
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

/** @param {1 | -1} by */
function moveInTable(by) {
  const rows = [...document.querySelectorAll('#screen tbody tr')].flatMap((row) => {
    const opener = row.querySelector(openers);
    return opener instanceof HTMLElement ? [{ row, opener }] : [];
  });
  const at = rows.findIndex(({ row }) => row.contains(document.activeElement));
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
  rows[next]?.opener.focus();
}
