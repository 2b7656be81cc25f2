import { describe, expect, test } from 'vitest';
import type { Committed, Tx } from '../../sandbox/store/store.ts';
import { adapters, order } from './adapters.ts';
import type { Collections } from './schema.ts';

describe.each(Object.entries(adapters))('the %s store', (_name, openAdapter) => {
  test('adds under a new id only: an existing record, stored or staged, stays unchanged', async () => {
    const { store } = await openAdapter();
    await store.transact((tx) => tx.add('orders', 'o1', order('ann')));
    const again = store.transact((tx) => tx.add('orders', 'o1', order('bob')));
    await expect(again).rejects.toThrow('orders already has a record o1');
    const twice = store.transact((tx) => {
      tx.add('orders', 'o2', order('ann'));
      tx.add('orders', 'o2', order('bob'));
    });
    await expect(twice).rejects.toThrow('orders already has a record o2');
    expect(store.all('orders')).toEqual([order('ann')]);
  });

  test('a transaction sees its own writes; plain reads see none of them before it is durable', async () => {
    const { store } = await openAdapter();
    const done = store.transact((tx) => {
      tx.put('orders', 'o1', order('ann'));
      return [tx.get('orders', 'o1'), store.get('orders', 'o1'), tx.count('orders'), store.count('orders')];
    });
    expect(store.get('orders', 'o1')).toBeUndefined();
    expect(await done).toEqual([{ customer: 'ann', points: 1 }, undefined, 1, 0]);
    expect(store.get('orders', 'o1')).toEqual({ customer: 'ann', points: 1 });
  });

  test('a step between transactions runs immediately, or right after those being written, and before later ones', async () => {
    const { store } = await openAdapter();
    const states: unknown[] = [];
    const look = () => store.between(() => void states.push(store.ids('orders')));
    const steps: Promise<void>[] = [look()];
    expect(states).toEqual([[]]);
    await store.transact((tx) => {
      tx.put('orders', 'o1', order('ann'));
      steps.push(look());
      void store.transact((later) => later.put('orders', 'o2', order('bob')));
      return states.length;
    });
    await Promise.all(steps);
    expect(states).toEqual([[], ['o1']]);
    await store.flush();
  });

  test('a step that throws does not stop others', async () => {
    const { store } = await openAdapter();
    const fail = () => {
      throw new Error('no');
    };
    await expect(store.between(fail)).rejects.toThrow('no');
    let within: Promise<void> | undefined;
    await store.transact((tx) => {
      within = expect(store.between(fail)).rejects.toThrow('no');
      tx.put('orders', 'o1', order('ann'));
    });
    await within;
    expect(store.ids('orders')).toEqual(['o1']);
  });

  test('a change that throws writes nothing, rejects with its error and does not affect other changes', async () => {
    const { store } = await openAdapter();
    const thrown = new Error('no');
    const outcomes = await Promise.allSettled([
      store.transact((tx) => tx.put('counters', 'a', { value: 1 })),
      store.transact((tx) => {
        tx.put('counters', 'a', { value: 99 });
        tx.put('orders', 'o1', order('ann'));
        throw thrown;
      }),
      store.transact((tx) => {
        tx.put('counters', 'b', { value: (tx.get('counters', 'a')?.value ?? 0) + 1 });
        return tx.count('orders');
      }),
    ]);
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: undefined },
      { status: 'rejected', reason: thrown },
      { status: 'fulfilled', value: 0 },
    ]);
    expect([store.all('counters'), store.all('orders')]).toEqual([[{ value: 1 }, { value: 2 }], []]);
  });

  test('a change that returns a promise is refused and writes nothing, even after the promise settles', async () => {
    const { store, warnings } = await openAdapter();
    const asynchronous = async (tx: Tx<Collections>): Promise<void> => {
      tx.put('counters', 'a', { value: 1 });
      await undefined;
      tx.put('counters', 'a', { value: 2 });
    };
    await expect(store.transact(asynchronous)).rejects.toThrow('A change must be synchronous');
    await store.flush();
    expect(store.all('counters')).toEqual([]);
    expect(warnings).toEqual([
      'A rejected asynchronous change failed later: Error: This transaction has ended: use `tx` only until `change` returns',
    ]);
  });

  test('a thousand racing increments count to a thousand', async () => {
    const { store } = await openAdapter();
    const increment = (tx: Tx<Collections>): void =>
      tx.put('counters', 'hits', { value: (tx.get('counters', 'hits')?.value ?? 0) + 1 });
    await Promise.all(Array.from({ length: 1000 }, () => store.transact(increment)));
    expect(store.get('counters', 'hits')).toEqual({ value: 1000 });
  });

  test('listeners are notified of each commit with writes, once, in order, with its changes, when the store can already be read', async () => {
    const { store } = await openAdapter();
    const notifications: [Committed, number][] = [];
    const undo = store.onCommit((changes) => notifications.push([changes, store.count('counters')]));
    await Promise.allSettled([
      store.transact((tx) => {
        tx.put('counters', 'a', { value: 1 });
        tx.put('counters', 'b', { value: 2 });
      }),
      store.transact((tx) => tx.get('counters', 'a')),
      store.transact(() => Promise.reject(new Error('no'))),
      store.transact((tx) => {
        tx.remove('counters', 'a');
        tx.remove('counters', 'never there');
      }),
    ]);
    undo();
    await store.transact((tx) => tx.put('counters', 'c', { value: 3 }));
    expect(notifications).toEqual([
      [
        [
          { collection: 'counters', id: 'a', record: { value: 1 } },
          { collection: 'counters', id: 'b', record: { value: 2 } },
        ],
        2,
      ],
      [[{ collection: 'counters', id: 'a', record: undefined, before: { value: 1 } }], 1],
    ]);
  });

  test('a listener that throws causes a warning and stops neither the commit nor other listeners', async () => {
    const { store, warnings } = await openAdapter();
    const notifications: string[] = [];
    store.onCommit(() => {
      throw new Error('broken listener');
    });
    store.onCommit((committed) => notifications.push(JSON.stringify(committed)));
    await store.transact((tx) => tx.put('counters', 'a', { value: 1 }));
    expect([notifications, warnings, store.count('counters')]).toEqual([
      ['[{"collection":"counters","id":"a","record":{"value":1}}]'],
      ['A commit listener failed: Error: broken listener'],
      1,
    ]);
  });

  test('flush resolves once every earlier change is committed or refused', async () => {
    const { store } = await openAdapter();
    const decided: string[] = [];
    void store.transact((tx) => tx.put('counters', 'a', { value: 1 })).then(() => decided.push('first'));
    void store
      .transact(() => {
        throw new Error('no');
      })
      .catch(() => decided.push('second'));
    await store.flush();
    expect(decided).toEqual(['first', 'second']);
  });

  test('close waits for pending transactions and refuses later ones; it can be repeated', async () => {
    const { store } = await openAdapter();
    const pending = store.transact((tx) => tx.put('counters', 'a', { value: 1 }));
    const closed = Promise.all([store.close(), store.close()]);
    await expect(store.transact((tx) => tx.put('counters', 'b', { value: 2 }))).rejects.toMatchObject({
      name: 'StoreError',
      code: 'closed',
    });
    await Promise.all([pending, closed, store.flush()]);
    expect(store.all('counters')).toEqual([{ value: 1 }]);
  });
});
