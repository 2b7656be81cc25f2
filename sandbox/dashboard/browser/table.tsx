/** The table of orders or redemptions, with filters and sorting. The address stores both. */
import type { ComponentChildren } from 'preact';
import type { CallFailure, Schemas } from './api.ts';
import { figure, itemName } from './figures.tsx';
import { FilterChoice, Filters, ShowMore } from './filters.tsx';
import { Empty, Problem } from './parts.tsx';
import { go, withQuery } from './route.ts';

type Line = Schemas['PlacedOrder']['order']['lines'][number];

export interface Column<T> {
  /** The column's name in the address. */
  key: string;
  title: string;
  /** Returns the sort key of a row. */
  by: (row: T) => string | number;
  /** Renders the cell of a row. */
  cell: (row: T) => ComponentChildren;
  /** Whether the values are numbers, aligned right and sorted descending first. */
  number?: boolean;
}

/** Returns rows in the order that the address specifies; unchanged by default. */
function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], query: URLSearchParams): readonly T[] {
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

interface ListingProps<T> {
  query: URLSearchParams;
  /** The noun for the rows, as in `3 of 7 orders`. */
  name: string;
  /** All rows, newest first; `undefined` while loading. */
  all: readonly T[] | undefined;
  /** The set that `all` is a part of; `undefined` if `all` is complete. */
  part: string | undefined;
  failure: CallFailure | undefined;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  stateOf: (row: T) => string;
  /** Returns the searchable text of a row. */
  textOf: (row: T) => string;
  placeholder: string;
  /** Number of rows shown initially, and added by each request for more. */
  step: number;
  /** Shown if there are no rows at all. */
  first: ComponentChildren;
  /** Shown if no row matches. */
  clear: ComponentChildren;
}

/** A table with a search form above it, and messages for an empty table and an empty search result. */
export function Listing<T>(props: ListingProps<T>) {
  const { query, name, all, part, failure, columns, keyOf, stateOf, textOf, placeholder, step, first, clear } = props;
  const text = (query.get('q') ?? '').toLowerCase();
  const state = query.get('state') ?? '';
  const matching = (all ?? []).filter(
    (row) => (state === '' || stateOf(row) === state) && textOf(row).toLowerCase().includes(text),
  );
  const rows = Number(query.get('rows') ?? step);
  const titles = { Pending: 'Pending', Delivered: 'Delivered', Rejected: 'Rejected' };
  return (
    <>
      <Filters query={query} placeholder={placeholder}>
        <FilterChoice query={query} name="state" label="State" titles={titles} />
      </Filters>
      {failure && <Problem failure={failure} />}
      {all && (
        <p class="quiet" role="status">
          {figure(matching.length)} of {figure(all.length)} {name}
          {part && `, ${part}`}
        </p>
      )}
      {all?.length === 0 && first}
      {all !== undefined && all.length > 0 && matching.length === 0 && <Empty title="No matches">{clear}</Empty>}
      {matching.length > 0 && (
        <table class="listing" aria-label={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}>
          <Heads columns={columns} query={query} />
          <tbody>
            {sorted(matching, columns, query)
              .slice(0, rows)
              .map((row) => (
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
      )}
      {matching.length > rows && <ShowMore rows={rows + step} />}
    </>
  );
}

/** The column headers, each a button that sorts. By default, the newest row is first. */
function Heads<T>({ columns, query }: { columns: readonly Column<T>[]; query: URLSearchParams }) {
  const { key, down } = orderOf(query.has('sort') ? query : new URLSearchParams({ sort: '-placed' }));
  return (
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
  );
}

/** The item of an order line, with a link to its redemption. */
export function LineItem({ line, remark }: { line: Line; remark: string }) {
  return (
    <span class="what">
      <a href={`/dashboard/redemptions/${encodeURIComponent(line.redeemCode)}`}>
        <strong>{itemName(line)}</strong>
      </a>
      {remark !== '' && <span class="quiet remark">{remark}</span>}
    </span>
  );
}
