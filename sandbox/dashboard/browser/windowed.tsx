/** A virtual list of any length. Only the rows in view are in the page. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Number of rows drawn above and below the visible ones, so that scrolling shows no gap. */
const spare = 12;
/** Row height in pixels until a row is measured. */
const guess = 44;
/** Height in pixels of the elements that cover the top of the window: ribbon and column headers. */
const covered = 72;

interface WindowedProps<T extends { key: number }> {
  rows: readonly T[];
  label: string;
  draw: (row: T, tab: 0 | -1) => ComponentChildren;
  look: (row: T) => string;
  moved: (row: T) => void;
}

/**
 * A virtual list of rows of equal height, each with a link. The arrow keys, Page Up, Page Down, Home and End move
 * through all rows. `moved` is called with the row that a key selects.
 */
export function Windowed<T extends { key: number }>({ rows, label, draw, look, moved }: WindowedProps<T>) {
  const list = useRef<HTMLOListElement>(null);
  const wanted = useRef<number>(undefined);
  const [active, setActive] = useState<number | undefined>(undefined);
  const { height, first, last } = useWindow(list, rows.length);
  const visible = rows.slice(first, last);
  // The Tab key reaches one row, and the arrow keys move on from there.
  const reached =
    visible.find(({ key }) => key === active) ?? visible[first === 0 ? 0 : Math.min(spare, visible.length - 1)];

  useScrollAnchor(list, rows, height);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const link = list.current?.querySelector(`[data-key="${wanted.current}"] a`);
    if (!(link instanceof HTMLElement)) return;
    wanted.current = undefined;
    link.focus({ preventScroll: true });
  });

  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const from = (event.target as Element).closest('li')?.dataset.key;
    const at = rows.findIndex(({ key }) => `${key}` === from);
    const row = rows[after(event.key, at, rows.length, Math.floor(innerHeight / height) - 2)];
    if (row === undefined) return;
    event.preventDefault();
    wanted.current = row.key;
    setActive(row.key);
    if (list.current !== null) show(list.current, rows.indexOf(row) * height, height);
    moved(row);
  };
  const focused = (event: FocusEvent) => setActive(Number((event.target as Element).closest('li')?.dataset.key));

  const room = { paddingTop: `${first * height}px`, paddingBottom: `${(rows.length - last) * height}px` };
  return (
    <ol class="rows windowed" ref={list} aria-label={label} style={room} onKeyDown={press} onFocusIn={focused}>
      {visible.map((row, index) => (
        <li
          key={row.key}
          data-key={row.key}
          class={look(row)}
          aria-setsize={rows.length}
          aria-posinset={first + index + 1}
        >
          {draw(row, row === reached ? 0 : -1)}
        </li>
      ))}
    </ol>
  );
}

type List = { readonly current: HTMLOListElement | null };

/** Returns the visible range of rows and the row height. Re-renders when they change. */
function useWindow(list: List, count: number) {
  const [seen, setSeen] = useState({ height: guess, first: 0, last: Math.ceil(innerHeight / guess) + spare });
  const look = () => {
    if (list.current === null) return;
    const row = list.current.querySelector('li')?.getBoundingClientRect().height ?? 0;
    const height = row > 0 ? row : seen.height;
    const { top } = list.current.getBoundingClientRect();
    const first = Math.max(0, Math.floor(-top / height) - spare);
    const last = Math.max(0, Math.ceil((innerHeight - top) / height) + spare);
    setSeen((before) =>
      before.height === height && before.first === first && before.last === last ? before : { height, first, last },
    );
  };
  useLayoutEffect(look);
  useEffect(() => {
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  });
  const last = Math.min(seen.last, count);
  return { height: seen.height, first: Math.min(seen.first, last), last };
}

/** Keeps the visible rows in position while new rows arrive above them. At the top of the list, the new rows become visible. */
function useScrollAnchor(list: List, rows: readonly { key: number }[], height: number) {
  const read = useRef({ rows, at: 0 });
  useLayoutEffect(() => {
    const before = read.current;
    const key = before.rows[before.at]?.key;
    const moved = before.rows === rows ? 0 : rows.findIndex((row) => row.key === key) - before.at;
    if (before.at > 0 && moved > 0) scrollBy({ top: moved * height, behavior: 'instant' });
    const top = list.current?.getBoundingClientRect().top ?? 0;
    read.current = { rows, at: Math.floor(Math.max(0, -top) / height) };
  });
}

/** Returns the index of the row that a key selects, if a page has `page` rows; -1 for no row. */
function after(key: string, at: number, count: number, page: number) {
  if (at < 0) return -1;
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'PageDown') return Math.min(at + page, count - 1);
  if (key === 'PageUp') return Math.max(at - page, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : -1;
}

/** Scrolls the window just enough to show the row at an offset from the list's top. */
function show(list: Element, offset: number, height: number) {
  const top = list.getBoundingClientRect().top + offset;
  if (top < covered) scrollBy({ top: top - covered, behavior: 'instant' });
  else if (top + height > innerHeight) scrollBy({ top: top + height - innerHeight, behavior: 'instant' });
}
