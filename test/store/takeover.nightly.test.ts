import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { PowerCutFiles } from './power-cut-files.ts';
import { Process, takeovers } from './takeovers.ts';

takeovers(1);

test('a store that was overtaken says that it gave up before anybody asks it to store something', async () => {
  const [dir, disk] = [await temporaryFolder(), new PowerCutFiles()];
  const old = new Process('a', dir, disk);
  const store = await old.open();
  const next = await new Process('b', dir, disk).open();
  onTestFinished(() => Promise.all([store.close(), next.close()]).then(() => undefined));
  expect(store.gaveUp).toBeUndefined();
  old.hands.strike();
  await expect.poll(() => store.gaveUp?.code).toBe('gave_up');
  await expect(store.transact((tx) => tx.count('orders'))).rejects.toBe(store.gaveUp);
  expect(next.gaveUp).toBeUndefined();
});

test('one who is overtaken in the middle of its own takeover does not start, and harms nobody', async () => {
  const [dir, disk] = [await temporaryFolder(), new PowerCutFiles()];
  const first = new Process('a', dir, disk);
  const old = await first.open();
  await first.order(old, 3);
  // Stopped before its document, which would make its generation count, gets its name.
  const second = new Process('b', dir, disk, ({ name, path }) =>
    name === 'rename' && path.includes('db-') ? 'stop' : undefined,
  );
  const opening = second.open().catch((error: unknown) => error);
  await second.stopped();
  const third = new Process('c', dir, disk);
  const store = await third.open();
  await third.order(store, 3);
  second.wake();
  expect(await opening).toMatchObject({ code: 'locked', message: expect.stringContaining('took it over') });
  await third.order(store, 3);
  const ids = [...store.ids('orders')];
  expect(ids).toEqual(['a1', 'a2', 'a3', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']);
  await Promise.all([old.close(), store.close()]);
  const again = await new Process('d', dir, disk).open();
  onTestFinished(() => again.close());
  expect([...again.ids('orders')]).toEqual(ids);
});
