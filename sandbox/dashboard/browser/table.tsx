// @ts-check
/** A table that is sorted by one of its columns. The address keeps which one. */
import { html } from './html.js';
import { go, withQuery } from './route.js';

/**
 * @template T
 * @typedef {object} Column
 * @property {string} key Its name in the address.
 * @property {string} title
 * @property {(row: T) => string | number} by What it is sorted by.
 * @property {(row: T) => unknown} cell What it shows.
 * @property {boolean} [number] Numbers are to the right, and the largest comes first.
 */

/**
 * Rows in the order that the address asks for; without one as they are.
 * @template T
 * @param {readonly T[]} rows
 * @param {readonly Column<T>[]} columns
 * @param {URLSearchParams} query
 * @returns {readonly T[]}
 */
export function sorted(rows, columns, query) {
  const { key, down } = orderOf(query);
  const column = columns.find((one) => one.key === key);
  if (column === undefined) return rows;
  return rows.toSorted((one, other) => {
    const [a, b] = [column.by(one), column.by(other)];
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
    return down ? -order : order;
  });
}

/** @param {URLSearchParams} query */
function orderOf(query) {
  const sort = query.get('sort') ?? '';
  return { key: sort.replace(/^-/, ''), down: sort.startsWith('-') };
}

/**
 * @template T
 * @param {{ label: string, columns: readonly Column<T>[], rows: readonly T[], keyOf: (row: T) => string, query: URLSearchParams, initial: string }} given
 * `initial` is the order of the rows without `sort` in the address.
 */
export function SortedTable({ label, columns, rows, keyOf, query, initial }) {
  const { key, down } = orderOf(query.has('sort') ? query : new URLSearchParams({ sort: initial }));
  return html`
    <table class="listing" aria-label=${label}>
      <thead>
        <tr>
          ${columns.map((column) => {
            const isSorted = column.key === key;
            const next = isSorted ? !down : column.number === true;
            const sort = `${next ? '-' : ''}${column.key}`;
            return html`
              <th scope="col" class=${column.number ? 'number' : ''} aria-sort=${isSorted ? (down ? 'descending' : 'ascending') : undefined}>
                <button type="button" onClick=${() => go(withQuery({ sort }), { replace: true })}>${column.title}</button>
              </th>
            `;
          })}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`
            <tr key=${keyOf(row)} class="listed">
              ${columns.map((column) => html`<td class=${column.number ? 'number' : ''} data-column=${column.title}>${column.cell(row)}</td>`)}
            </tr>
          `,
        )}
      </tbody>
    </table>
  `;
}
