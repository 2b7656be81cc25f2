/** The listing of orders and of redemptions: filtered, and sorted by one of its columns. The address keeps both. */
import type { ComponentChildren } from 'preact';
import type { CallFailure, Schemas } from './api.ts';
import { figure, itemName } from './figures.tsx';
import { FilterChoice, Filters, ShowMore } from './filters.tsx';
import { Empty, Problem } from './parts.tsx';
import { go, withQuery } from './route.ts';

type Line = Schemas['PlacedOrder']['order']['lines'][number];

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
  /** What the rows are called, as in `3 of 7 orders`. */
  name: string;
  /** All rows, newest first; undefined until they are read. */
  all: readonly T[] | undefined;
  /** What `all` is a part of; undefined where nothing is left out. */
  part: string | undefined;
  failure: CallFailure | undefined;
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  stateOf: (row: T) => string;
  /** What a search looks in. */
  textOf: (row: T) => string;
  placeholder: string;
  /** Rows that are drawn at first, and with each request for more. */
  step: number;
  /** Shown while there are no rows. */
  first: ComponentChildren;
  /** Shown where no row matches. */
  clear: ComponentChildren;
}

/** A table with a search above it, and what to say where nothing is listed, or nothing matches the search. */
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

/** The heads of the columns, each a button that sorts. Without a choice the newest row is first. */
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

/** The item of a line of an order, with a link to its redemption. */
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
