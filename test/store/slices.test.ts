/** Tests views of the whole content. Reads during changes must return unchanged rows. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkingSet } from '../../sandbox/store/working-set.ts';
import { scaled } from '../harness/scale.ts';
import { type Collections, schema } from './schema.ts';

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const changes = fc.array(
  fc.record({
    collection: fc.constant('counters'),
    id: fc.constantFrom(...ids),
    record: fc.option(fc.record({ value: fc.nat() }), { nil: undefined }),
  }),
  { maxLength: 12 },
);

const rowsOf = (working: WorkingSet<Collections>): unknown[] =>
  working.ids('counters').map((id) => [id, working.get('counters', id)]);

test('a view equals the content at its creation, order included, whatever changes before it is read', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (before, after) => {
      const working = new WorkingSet(schema);
      working.restore(before);
      const [view, expected] = [working.view(), rowsOf(working)];
      working.restore(after);
      const rows: unknown[] = [];
      for await (const slice of view) rows.push(...slice.rows.map(({ id, record }) => [id, record]));
      expect(rows).toEqual(expected);
    }),
    { numRuns: scaled(100, 1000) },
  );
});
