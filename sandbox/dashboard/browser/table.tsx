/** The table of orders or redemptions, with filters and sorting. The address stores both. */
import type { ComponentChildren } from 'preact';
import { newestOrders, type Schemas } from './api.ts';
import { figure, itemName } from './figures.tsx';
import { FilterChoice, Filters, ShowMore } from './filters.tsx';
import { useFresh } from './live.ts';
import { Empty, Note, Problem } from './parts.tsx';
import { go, redemptionAddress, withQuery } from './route.ts';

/**
 * The columns by their names, which the address and, capitalized, the header contain. The user can filter by `status`.
 */
export type Columns<T> = Readonly<Record<string, Column<T>> & { status: Column<T> }>;

export type OrderLine = Schemas['PlacedOrder']['order']['lines'][number];

interface Column<T> {
  /** Returns the sort key of a row. */
  by: (row: T) => string | number;
  /** Renders the cell of a row; by default, its sort key. */
  cell?: (row: T) => ComponentChildren;
  /** Whether the values are numbers, aligned right and sorted descending first. */
  number?: boolean;
}

/** Returns rows in the order that the address specifies; unchanged by default. */
function sorted<T>(rows: readonly T[], columns: Columns<T>, query: URLSearchParams): readonly T[] {
  const { key, down } = orderOf(query);
  const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
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
  /** Returns the rows of an order, newest first. */
  rowsOf: (placed: Schemas['PlacedOrder']) => readonly T[];
  /** Describes the set that the rows are from, if there are older orders than the `count` newest. */
  partOf: (count: string) => string;
  columns: Columns<T>;
  keyOf: (row: T) => string;
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
  const { query, name, rowsOf, partOf, columns, keyOf, textOf, placeholder, step, first, clear } = props;
  const { data, failure } = useFresh(newestOrders, []);
  const all = data?.orders.flatMap(rowsOf);
  const text = (query.get('q') ?? '').toLowerCase();
  const state = query.get('state') ?? '';
  const matching = (all ?? []).filter(
    (row) => (state === '' || columns.status.by(row) === state) && textOf(row).toLowerCase().includes(text),
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
        <Note>
          {figure(matching.length)} of {figure(all.length)} {name}
          {data?.isPart && `, ${partOf(figure(data.orders.length))}`}
        </Note>
      )}
      {all?.length === 0 && first}
      {all !== undefined && all.length > 0 && matching.length === 0 && <Empty title="No matches">{clear}</Empty>}
      {matching.length > 0 && (
        <table class="listing" aria-label={capitalized(name)}>
          <Heads columns={columns} query={query} />
          <tbody>
            {sorted(matching, columns, query)
              .slice(0, rows)
              .map((row) => (
                <tr key={keyOf(row)} class="listed">
                  {Object.entries(columns).map(([key, column]) => (
                    <td class={column.number ? 'number' : ''} data-column={capitalized(key)}>
                      {cellOf(column, row)}
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

function cellOf<T>({ by, cell }: Column<T>, row: T) {
  if (cell !== undefined) return cell(row);
  const value = by(row);
  return typeof value === 'number' ? figure(value) : value;
}

function capitalized(name: string) {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** The column headers, each a button that sorts. By default, the newest row is first. */
function Heads<T>({ columns, query }: Pick<ListingProps<T>, 'columns' | 'query'>) {
  const { key: sortKey, down } = orderOf(query.has('sort') ? query : new URLSearchParams({ sort: '-placed' }));
  const heads = Object.entries(columns).map(([key, { number = false }]) => {
    const isSorted = key === sortKey;
    const sort = `${(isSorted ? !down : number) ? '-' : ''}${key}`;
    const order = isSorted ? (down ? 'descending' : 'ascending') : undefined;
    return (
      <th scope="col" class={number ? 'number' : ''} aria-sort={order}>
        <button type="button" onClick={() => go(withQuery({ sort }), { replace: true })}>
          {capitalized(key)}
        </button>
      </th>
    );
  });
  return (
    <thead>
      <tr>{heads}</tr>
    </thead>
  );
}

/** The item of an order line, with a link to its redemption. */
export function LineItem({ line, remark }: { line: OrderLine; remark: string }) {
  return (
    <span class="what">
      <a href={redemptionAddress(line.redeemCode)}>
        <strong>{itemName(line)}</strong>
      </a>
      {remark !== '' && <span class="quiet remark">{remark}</span>}
    </span>
  );
}
