import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openLowdbStore } from '../../sandbox/store/lowdb.ts';
import { openMemoryStore } from '../../sandbox/store/memory.ts';
import type { Store, Tx } from '../../sandbox/store/store.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { scaled } from '../harness/scale.ts';
import { type Collections, schema } from './schema.ts';

/** The simplest possible store: one map, copied for each transaction. */
class Model {
  orders = new Map<string, Collections['orders']>();

  run(steps: readonly Step[]): void {
    const draft = new Map(this.orders);
    for (const { id, record } of steps) {
      if (record) draft.set(id, record);
      else draft.delete(id);
    }
    this.orders = draft;
  }
}

interface Step {
  readonly id: string;
  readonly record: Collections['orders'] | undefined;
}

/** Returns the results of every kind of read as one value, to compare two stores. */
function readings(
  reader: Pick<Store<Collections>, 'all' | 'count' | 'ending' | 'find' | 'get' | 'ids' | 'range'>,
): unknown {
  return {
    all: reader.all('orders'),
    ids: reader.ids('orders'),
    count: reader.count('orders'),
    ending: reader.ending('orders'),
    each: ids.map((id) => reader.get('orders', id)),
    found: customers.map((key) => reader.find('orders', 'customer', key)),
    ranges: [undefined, ...ids].flatMap((after) =>
      [true, false].map((reverse) =>
        [0, 3, undefined].map((limit) =>
          reader.range('orders', {
            ...(after !== undefined && { after }),
            reverse,
            ...(limit !== undefined && { limit }),
          }),
        ),
      ),
    ),
  };
}

function readingsOfModel({ orders }: Model): unknown {
  const sorted = [...orders.keys()].sort();
  const slice = (after: string | undefined, reverse: boolean): unknown[] => {
    const beyond = sorted.filter((id) => after === undefined || (reverse ? id < after : id > after));
    const all = (reverse ? beyond.reverse() : beyond).map((id) => orders.get(id));
    return [0, 3, undefined].map((limit) => all.slice(0, limit));
  };
  const ends = sorted.flatMap((id) => ({ id, until: orders.get(id)?.points ?? 0 })).filter(({ until }) => until > 0);
  return {
    all: [...orders.values()],
    ids: [...orders.keys()],
    count: orders.size,
    ending: ends.toSorted((one, other) => one.until - other.until)[0],
    each: ids.map((id) => orders.get(id)),
    found: customers.map((key) => (key ? [...orders.values()].filter(({ customer }) => customer === key) : [])),
    ranges: [undefined, ...ids].flatMap((after) => [true, false].map((reverse) => slice(after, reverse))),
  };
}

const ids = ['a', 'b', '__proto__', 'B', 'é\n"', '\ud800'];
const customers = ['ann', 'constructor', ''];
const steps = fc.array(
  fc.record({
    id: fc.constantFrom(...ids),
    record: fc.option(fc.record({ customer: fc.constantFrom(...customers), points: fc.nat({ max: 9 }) }), {
      nil: undefined,
    }),
  }),
  { maxLength: 6 },
);
const histories = fc.array(fc.record({ steps, fails: fc.boolean(), waits: fc.boolean() }), { maxLength: 12 });

/** Runs a history on both stores, and also compares the reads within each transaction. A failing transaction must leave no trace. */
async function follow(
  store: Store<Collections>,
  history: readonly { steps: Step[]; fails: boolean; waits: boolean }[],
): Promise<Model> {
  const model = new Model();
  const results: unknown[] = [];
  const expected: unknown[] = [];
  const running: Promise<unknown>[] = [];
  for (const { steps, fails, waits } of history) {
    const before = model.orders;
    model.run(steps);
    expected.push(readingsOfModel(model));
    if (fails) model.orders = before;
    const change = (tx: Tx<Collections>): void => {
      for (const { id, record } of steps) {
        if (record) tx.put('orders', id, { ...record });
        else tx.remove('orders', id);
      }
      results.push(readings(tx));
      if (fails) throw new Error('meant to fail');
    };
    running.push(store.transact(change).then(String, String));
    if (waits) await running.at(-1);
  }
  const outcomes = await Promise.all(running);
  expect(outcomes).toEqual(history.map(({ fails }) => (fails ? 'Error: meant to fail' : 'undefined')));
  expect(results).toEqual(expected);
  expect(readings(store)).toEqual(readingsOfModel(model));
  return model;
}

test('model: after any history the memory store has the same content as plain Maps', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (history) => void (await follow(openMemoryStore(schema), history))),
    {
      numRuns: scaled(60, 300),
    },
  );
});

test('model: after any history the lowdb store has the same content as plain Maps, also after checkpoints and reopening', async () => {
  const root = await temporaryFolder();
  let run = 0;
  const settings = fc.record({
    checkpointAfterBytes: fc.constantFrom(1, 400, 1_000_000),
    key: fc.constantFrom(undefined, Buffer.alloc(32, 7)),
  });
  await fc.assert(
    fc.asyncProperty(histories, settings, async (history, options) => {
      run += 1;
      const all = { dir: join(root, String(run)), schema, warn: (message: string) => expect.fail(message), ...options };
      const store = await openLowdbStore(all);
      const model = await follow(store, history);
      await store.close();
      const reopened = await openLowdbStore(all);
      expect(readings(reopened)).toEqual(readingsOfModel(model));
      await reopened.close();
    }),
    { numRuns: scaled(15, 60) },
  );
});
