/**
 * A data folder has one writer, also among processes that share the folder and no kernel lock: containers, or machines.
 * Two reaches stand for two network namespaces here; test/cli/lock.nightly.test.ts has real ones.
 */
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type LockOptions, lockFolder } from '../../sandbox/store/lock.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { Hands, killIn, namespace } from './namespaces.ts';

/** Locks the folder from a namespace. Killed, it leaves its lock file; its kernel lock is gone. */
async function lockFrom(name: string, dir: string, options: Partial<LockOptions> = {}) {
  const warnings: string[] = [];
  const hands = (options.pauses as Hands) ?? new Hands();
  const lock = await lockFolder(dir, {
    newest: async () => 0,
    warn: (message) => warnings.push(message),
    kernelLock: namespace(name),
    ...options,
    pauses: hands,
  });
  let released = false;
  const release = async () => {
    released = true;
    await lock.release();
  };
  onTestFinished(() => (released ? undefined : lock.release()));
  return { lock, hands, warnings, release, killed: () => killIn(name, dir) };
}

const lockFiles = async (dir: string) => (await readdir(dir)).filter((name) => name.startsWith('lock'));
const who = `process ${process.pid} on ${hostname()} since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z`;

test('the lock file says who holds the folder, and is gone after the release: the next start waits for nothing', async () => {
  const dir = await temporaryFolder();
  const { lock, release } = await lockFrom('a', dir);
  expect([lock.term, lock.doubtful, lock.lost]).toEqual([1, false, undefined]);
  expect(JSON.parse(await readFile(join(dir, 'lock-1'), 'utf8'))).toEqual({
    pid: process.pid,
    host: hostname(),
    reach: `a ${dir}`,
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    doubtful: false,
  });
  await release();
  expect(await lockFiles(dir)).toEqual([]);
  const next = await lockFrom('b', dir);
  expect([next.hands.waited, next.lock.doubtful, next.warnings]).toEqual([0, false, []]);
});

test('in the namespace of the holder the kernel decides at once: locked while it lives, free when it was killed', async () => {
  const dir = await temporaryFolder();
  const first = await lockFrom('a', dir);
  const hands = new Hands();
  await expect(lockFrom('a', dir, { pauses: hands })).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringMatching(`^${dir} is in use by ${who}: stop it first, or choose another folder$`),
  });
  first.killed();
  const { lock, warnings } = await lockFrom('a', dir, { pauses: hands });
  expect([hands.waited, lock.term, lock.doubtful, warnings]).toEqual([0, 2, false, []]);
  expect(await lockFiles(dir)).toEqual(['lock-2']);
});

test('OP-79: in another namespace a sign of life decides: locked, with who holds it', async () => {
  const dir = await temporaryFolder();
  const holder = await lockFrom('a', dir);
  const hands = new Hands();
  const signed = new Promise<void>((resolve) => {
    hands.meanwhile = async (waited) => {
      if (waited === 2000) holder.hands.strike();
      // The sign is given by the file system, which takes its own time.
      if (waited >= 2000) await new Promise(setImmediate);
      if (waited === 2000) resolve();
    };
  });
  await expect(lockFrom('b', dir, { pauses: hands })).rejects.toMatchObject({
    code: 'locked',
    message: expect.stringMatching(`^${dir} is in use by ${who}: stop it first, or choose another folder$`),
  });
  await signed;
  await holder.lock.check();
  expect(await lockFiles(dir)).toEqual(['lock-1']);
});

test('OP-79: a holder that gives no sign for five seconds is taken over from, which the operator is told', async () => {
  const dir = await temporaryFolder();
  await lockFrom('a', dir);
  const { lock, hands, warnings } = await lockFrom('b', dir);
  expect([hands.waited, lock.term, lock.doubtful]).toEqual([5000, 2, true]);
  expect(warnings).toEqual([expect.stringMatching(`^${dir} was taken over from ${who}, which gave no sign of life$`)]);
});

test('whatever its clock shows, a change is a sign of life: a file time that goes back counts as well', async () => {
  const dir = await temporaryFolder();
  await lockFrom('a', dir);
  const hands = new Hands();
  hands.meanwhile = (waited) => waited === 4000 && utimes(join(dir, 'lock-1'), 5, 5);
  await expect(lockFrom('b', dir, { pauses: hands })).rejects.toMatchObject({ code: 'locked' });
});

test('OP-79: a holder that wakes up after a takeover may acknowledge nothing, and says who has the folder now', async () => {
  const dir = await temporaryFolder();
  const old = await lockFrom('a', dir);
  await old.lock.check();
  const { lock } = await lockFrom('b', dir);
  await expect(old.lock.check()).rejects.toMatchObject({
    code: 'gave_up',
    message: expect.stringMatching(
      `^${dir} is no longer held by this process: ${who} took it over\\. Stop it, or start it again$`,
    ),
  });
  expect(old.lock.lost).toMatchObject({ code: 'gave_up' });
  await old.release();
  // What it leaves behind takes nothing from the new holder.
  await lock.check();
  expect(await lockFiles(dir)).toEqual(['lock-2']);
});

test('a holder that nobody asks for anything sees the takeover by itself, and is told of once', async () => {
  const dir = await temporaryFolder();
  const old = await lockFrom('a', dir);
  await lockFrom('b', dir);
  old.hands.strike();
  await expect.poll(() => old.lock.lost?.code).toBe('gave_up');
  expect(old.warnings).toEqual([old.lock.lost?.message]);
});

test('a lock file that somebody removed by hand is no longer held, also when another start made one of that name', async () => {
  const dir = await temporaryFolder();
  const old = await lockFrom('a', dir);
  await rm(join(dir, 'lock-1'));
  const next = await lockFrom('b', dir);
  expect(next.lock.term).toBe(1);
  await expect(old.lock.check()).rejects.toMatchObject({ code: 'gave_up' });
  await old.release();
  await next.lock.check();
});

test('a file system that gives the file another number now and then does not cost the holder its folder', async () => {
  const dir = await temporaryFolder();
  const { lock } = await lockFrom('a', dir);
  const path = join(dir, 'lock-1');
  await writeFile(`${path}.copy`, await readFile(path));
  await rename(`${path}.copy`, path);
  await lock.check();
});

test('of several who take over at the same time, one gets the folder', async () => {
  const dir = await temporaryFolder();
  await lockFrom('a', dir);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, (_, n) => {
      const hands = new Hands();
      const later = new Promise<void>(setImmediate);
      hands.meanwhile = () => later;
      return lockFrom(`b${n}`, dir, { pauses: hands });
    }),
  );
  const got = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.lock] : []));
  const kept = await Promise.all(
    got.map((lock) =>
      lock.check().then(
        () => true,
        () => false,
      ),
    ),
  );
  expect(kept.filter((kept) => kept).length).toBe(1);
  expect((await lockFiles(dir)).length).toBe(1);
});

test('one who looked long ago gives way to a generation and to a lock that are newer', async () => {
  const dir = await temporaryFolder();
  // Looks, then sees a folder that others took over, worked in, and left.
  const generations = [0, 2, 2];
  const { lock } = await lockFrom('a', dir, { newest: async () => generations.shift() ?? 2 });
  expect(lock.term).toBe(3);
  expect(await lockFiles(dir)).toEqual(['lock-3']);
});

test('a doubt that was not settled is left to the next start, although the doubter itself is certainly dead', async () => {
  const dir = await temporaryFolder();
  await lockFrom('a', dir);
  const doubter = await lockFrom('b', dir);
  await doubter.release();
  expect(await lockFiles(dir)).toEqual(['lock-2']);
  const { lock, hands } = await lockFrom('b', dir);
  expect([hands.waited, lock.term, lock.doubtful]).toEqual([0, 3, true]);
  lock.settle();
  await lock.release();
  expect(await lockFiles(dir)).toEqual([]);
  // Where it was settled, the generation is there.
  const next = await lockFrom('b', dir, { newest: async () => 3 });
  expect([next.lock.term, next.lock.doubtful]).toEqual([4, false]);
});

test.each([
  ['empty', ''],
  ['full of zeros', '\0'.repeat(80)],
])('a lock file that a power cut left %s names nobody, and is watched like another', async (_what, left) => {
  const dir = await temporaryFolder();
  await writeFile(join(dir, 'lock-4'), left);
  const { lock, hands, warnings } = await lockFrom('a', dir);
  expect([lock.term, lock.doubtful, hands.waited]).toEqual([5, true, 5000]);
  expect(warnings).toEqual([`${dir} was taken over from an unknown process, which gave no sign of life`]);
});

test('a holder that ends properly while it is watched is not taken over from', async () => {
  const dir = await temporaryFolder();
  const holder = await lockFrom('a', dir);
  const hands = new Hands();
  hands.meanwhile = (waited) => (waited === 1000 ? holder.release() : undefined);
  const { lock, warnings } = await lockFrom('b', dir, { pauses: hands });
  expect([hands.waited, lock.doubtful, warnings]).toEqual([1000, false, []]);
});

test('signs go on as long as the lock is held, and end with it', async () => {
  const dir = await temporaryFolder();
  const { lock, hands, release } = await lockFrom('a', dir);
  const times = new Set<bigint>();
  for (let sign = 0; sign < 5; sign += 1) {
    const before = (await stat(join(dir, 'lock-1'), { bigint: true })).mtimeNs;
    times.add(before);
    hands.strike();
    await expect.poll(async () => (await stat(join(dir, 'lock-1'), { bigint: true })).mtimeNs).not.toBe(before);
    await lock.check();
    await new Promise(setImmediate);
  }
  expect(times.size).toBe(5);
  await release();
  hands.strike();
  expect(await lockFiles(dir)).toEqual([]);
});
