/** A table that is sorted by one of its columns. The address keeps which one. */
import type { ComponentChildren } from 'preact';
import { go, withQuery } from './route.ts';

export interface Column<T> {
  /** Its name in the address. */
  key: string;
  title: string;
  /** What it is sorted by. */
  by: (row: T) => string | number;
  /** What it shows. */
  cell: (row: T) => ComponentChildren;
  /** Numbers are to the right, and the largest comes first. */
  number?: boolean;
}

/** Rows in the order that the address asks for; without one as they are. */
export function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], query: URLSearchParams): readonly T[] {
  const { key, down } = orderOf(query);
  const column = columns.find((one) => one.key === key);
  if (column === undefined) return rows;
  return rows.toSorted((one, other) => {
    const [a, b] = [column.by(one), column.by(other)];
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
    return down ? -order : order;
  });
}

function orderOf(query: URLSearchParams) {
  const sort = query.get('sort') ?? '';
  return { key: sort.replace(/^-/, ''), down: sort.startsWith('-') };
}

/** A table that is sorted by `initial` unless the address has `sort`. */
export function SortedTable<T>({
  label,
  columns,
  rows,
  keyOf,
  query,
  initial,
}: {
  label: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  query: URLSearchParams;
  initial: string;
}) {
  const { key, down } = orderOf(query.has('sort') ? query : new URLSearchParams({ sort: initial }));
  return (
    <table class="listing" aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => {
            const isSorted = column.key === key;
            const next = isSorted ? !down : column.number === true;
            const sort = `${next ? '-' : ''}${column.key}`;
            return (
              <th
                scope="col"
                class={column.number ? 'number' : ''}
                aria-sort={isSorted ? (down ? 'descending' : 'ascending') : undefined}
              >
                <button type="button" onClick={() => go(withQuery({ sort }), { replace: true })}>
                  {column.title}
                </button>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} class="listed">
            {columns.map((column) => (
              <td class={column.number ? 'number' : ''} data-column={column.title}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
