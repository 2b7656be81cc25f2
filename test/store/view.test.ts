/** A view of a collection: its rows as they were, read while it changes. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Collection } from '../../sandbox/store/collection.ts';
import { type RowsView, rowsOfSlice } from '../../sandbox/store/view.ts';
import { WorkingSet } from '../../sandbox/store/working-set.ts';
import { scaled } from '../harness/scale.ts';
import { spec } from './books-spec.ts';

/** A step of a history: a put (which adds or replaces), a removal, or a few rows read by each of the views. */
type Step =
  | { readonly put: string }
  | { readonly remove: string }
  | { readonly read: number }
  | { readonly open: true };

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const changes = [fc.record({ put: fc.constantFrom(...ids) }), fc.record({ remove: fc.constantFrom(...ids) })];
const before = fc.array(fc.oneof(...changes), { maxLength: 12 });
const during = fc.array(
  fc.oneof(...changes, fc.record({ read: fc.integer({ min: 1, max: 3 }) }), fc.constant({ open: true as const })),
  { maxLength: 40 },
);

/** What is stored, as pairs of id and record, in order. */
function rowsOf(collection: Collection): unknown[] {
  return Array.from(collection.rows(), ({ id, record }) => [id, record]);
}

function read(view: RowsView, most: number): unknown[] {
  const rows: unknown[] = [];
  for (let row = rows.length < most ? view.next() : undefined; row !== undefined; ) {
    rows.push([row.id, row.record]);
    row = rows.length < most ? view.next() : undefined;
  }
  return rows;
}

test('any view equals what was stored when it was opened, order included, whatever changes between its rows', () => {
  fc.assert(
    fc.property(before, during, (first, then) => {
      const collection = new Collection('rows', {});
      const views: { view: RowsView; expected: unknown[]; rows: unknown[] }[] = [];
      let version = 0;
      const take = (step: Step): void => {
        version += 1;
        if ('put' in step) collection.put(step.put, version);
        else if ('remove' in step) collection.remove(step.remove);
        else if ('read' in step) for (const { view, rows } of views) rows.push(...read(view, step.read));
        else views.push({ view: collection.open(), expected: rowsOf(collection), rows: [] });
      };
      first.forEach(take);
      take({ open: true });
      then.forEach(take);
      for (const { view, expected, rows } of views) expect([...rows, ...read(view, Infinity)]).toEqual(expected);
    }),
    { numRuns: scaled(300, 2000) },
  );
});

test('a collection tells a view of nothing once it is closed', () => {
  const collection = new Collection('rows', {});
  collection.put('a', 1);
  const view = collection.open();
  const told = [vi.spyOn(view, 'replaced'), vi.spyOn(view, 'removed')];
  collection.put('a', 2);
  view.close();
  collection.put('a', 3);
  collection.remove('a');
  expect(told.map(({ mock }) => mock.calls)).toEqual([[[{ id: 'a', record: 1, ordinal: 0 }]], []]);
});

test('a view hands out slices of a few rows, and others have a turn after each', async () => {
  const working = new WorkingSet(spec);
  const rows = Array.from({ length: 3 * rowsOfSlice + 1 }, (_, n) => ({ id: `o${n}`, record: { value: n } }));
  working.load({ collection: 'counters', rows });
  working.load({ collection: 'of another version', rows: rows.slice(0, 1) });
  const sizes: [string, number][] = [];
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  for await (const slice of working.view().slices()) sizes.push([slice.collection, slice.rows.length]);
  over = true;
  expect(sizes).toEqual([
    ['counters', rowsOfSlice],
    ['counters', rowsOfSlice],
    ['counters', rowsOfSlice],
    ['counters', 1],
    ['of another version', 1],
  ]);
  expect(turns).toBeGreaterThanOrEqual(sizes.length - 1);
});
