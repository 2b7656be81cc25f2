/** Tests how a restart restores calls and quota from a workspace folder, even if its files are damaged (OP-57, OP-74). */
import { appendFile, readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { CallEntry } from '../../sandbox/activity-log/activity-entry.ts';
import { CallFile } from '../../sandbox/activity-log/call-file.ts';
import type { Accepted } from '../../sandbox/activity-log/call-log.ts';
import type { FittedCall } from '../../sandbox/activity-log/entry-size.ts';
import { diskFiles } from '../../sandbox/store/files.ts';
import { Sealer, StoreSealer } from '../../sandbox/store/seal.ts';
import { systemError, withFaults } from '../harness/faulty-files.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, testSandbox } from '../harness/sandbox.ts';

const callOf = (seq: number): FittedCall => {
  const entry = { seq } as CallEntry;
  return { entry, text: JSON.stringify(entry), bytes: 0 };
};

/** Creates a folder with a configurable quota and a call file that the test can reopen. */
async function folder({ key, most }: { key?: Uint8Array; most?: { calls: number; bytes: number } } = {}) {
  const dir = await temporaryFolder();
  const warnings: string[] = [];
  let log = 0;
  let fails: string | undefined;
  const files = withFaults(diskFiles, ({ name }) => {
    if (name === fails) throw systemError('ENOSPC');
  });
  let changed: Accepted[] = [];
  const all: Accepted[] = [];
  const quota = {
    changed: () => changed.splice(0),
    all: () => {
      changed = [];
      return all;
    },
    reserve: 0,
  };
  const accept = (at: number) => {
    changed.push({ at, requests: 1 });
    all.push({ at, requests: 1 });
  };
  const open = async () => {
    const calls = await CallFile.open({
      ...{
        dir,
        files,
        sealer: new StoreSealer(new Sealer(key)),
        warn: (message: string) => warnings.push(message),
        log: () => log,
      },
      ...(most && { most }),
    });
    onTestFinished(() => calls.close());
    calls.follow({ activity: { save: () => {} }, quota });
    return calls;
  };
  return {
    dir,
    warnings,
    open,
    accept,
    path: join(dir, 'calls.jsonl'),
    fail: (call: string | undefined) => {
      fails = call;
    },
    beginLog: () => {
      log += 1;
    },
  };
}

/** Returns the numbers of the saved calls, and the instants of the saved quota. */
const savedIn = ({ saved }: CallFile) => {
  const [calls, accepted] = [saved.calls.map(({ seq }) => seq), saved.accepted.map(({ at }) => at)];
  return `calls ${calls}; quota ${accepted}`;
};

it('a restart reads every call, with the quota at that call', async () => {
  const { open, accept } = await folder();
  const first = await open();
  accept(10);
  await first.append(callOf(1));
  accept(20);
  await first.append(callOf(2));
  await first.close();
  const second = await open();
  expect(savedIn(second)).toBe('calls 1,2; quota 10,20');
  await second.append(callOf(3));
  expect(savedIn(await open())).toBe('calls 1,2,3; quota 10,20');
});

it('concurrent calls are written in one step, in order, with the quota of all of them', async () => {
  const { open, accept, path } = await folder();
  const calls = await open();
  const appended = [1, 2, 3].map((seq) => {
    accept(seq * 10);
    return calls.append(callOf(seq));
  });
  await Promise.all(appended);
  expect(savedIn(await open())).toBe('calls 1,2,3; quota 10,20,30');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => 'accepted' in JSON.parse(line))).toEqual([false, true, false, false]);
});

it('a call after a reset is stored although earlier calls were still waiting to be written', async () => {
  const { open, beginLog } = await folder();
  const calls = await open();
  const before = calls.append(callOf(1));
  beginLog();
  calls.restart();
  const after = calls.append(callOf(2));
  await Promise.all([before, after]);
  expect(savedIn(await open())).toBe('calls 2; quota ');
});

it('without a key each line is JSON; with one, only the first is', async () => {
  const plain = await folder();
  await (await plain.open()).append(callOf(1));
  expect(await readFile(plain.path, 'utf8')).toMatch(
    /^\{"kind":"calls","log":0,"store":"[0-9a-f]{32}","place":""\}\n\{"call":\{"seq":1\}\}\n$/,
  );
  const sealed = await folder({ key: new Uint8Array(32).fill(7) });
  await (await sealed.open()).append(callOf(1));
  const [header = '', line = ''] = (await readFile(sealed.path, 'utf8')).split('\n');
  expect(JSON.parse(header)).toMatchObject({ kind: 'calls', log: 0, key: expect.any(String) });
  expect(Buffer.from(line, 'base64').toString('base64')).toBe(line);
  expect(savedIn(await sealed.open())).toBe('calls 1; quota ');
});

it('with a key, the calls of one write are one line, and a damaged line does not affect the others', async () => {
  const { open, accept, path, warnings } = await folder({ key: new Uint8Array(32).fill(7) });
  const calls = await open();
  for (const seqs of [[1, 2, 3], [4, 5], [6]]) {
    accept((seqs[0] ?? 0) * 10);
    await Promise.all(seqs.map((seq) => calls.append(callOf(seq))));
  }
  await calls.close();
  expect(savedIn(await open())).toBe('calls 1,2,3,4,5,6; quota 10,40,60');
  const [header, first, second = '', third] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [header, first, `${second[0] === 'A' ? 'B' : 'A'}${second.slice(1)}`, third, ''].join('\n'));
  const damaged = await open();
  expect(savedIn(damaged)).toBe('calls 1,2,3,6; quota 10,60');
  expect(warnings).toEqual([`${path}: 1 lines cannot be read, and are left out of the activity log`]);
  await damaged.append(callOf(7));
  expect(savedIn(await open())).toBe('calls 1,2,3,6,7; quota 10,60');
});

it('OP-57: there are at most two files, and the quota survives the removal of the older one', async () => {
  const { open, accept, dir } = await folder({ most: { calls: 2, bytes: 10_000 } });
  const calls = await open();
  for (let seq = 1; seq <= 7; seq += 1) {
    accept(seq * 10);
    await calls.append(callOf(seq));
  }
  expect((await readdir(dir)).toSorted()).toEqual(['calls.1.jsonl', 'calls.jsonl']);
  const { saved } = await open();
  expect(saved.calls.map(({ seq }) => seq)).toEqual([5, 6, 7]);
  expect([...new Set(saved.accepted.map(({ at }) => at))].toSorted()).toEqual([10, 20, 30, 40, 50, 60, 70]);
});

it('OP-57: a file that reaches its limit in bytes is followed by another', async () => {
  const { open, dir } = await folder({ most: { calls: 1000, bytes: 60 } });
  const calls = await open();
  for (let seq = 1; seq <= 6; seq += 1) await calls.append(callOf(seq));
  const sizes = await Promise.all((await readdir(dir)).map(async (name) => (await readFile(join(dir, name))).length));
  expect(sizes.map((size) => size < 100)).toEqual([true, true]);
});

it('OP-74: the next call overwrites a line that a crash tore', async () => {
  const { open, path, warnings } = await folder();
  const first = await open();
  await first.append(callOf(1));
  await first.append(callOf(2));
  await first.close();
  await truncate(path, (await readFile(path)).length - 5);
  const second = await open();
  expect(savedIn(second)).toBe('calls 1; quota ');
  await second.append(callOf(3));
  expect(savedIn(await open())).toBe('calls 1,3; quota ');
  expect(warnings).toEqual([]);
});

it('OP-74: damaged lines are left out with a warning, and all others are read', async () => {
  const { open, path, warnings } = await folder();
  const first = await open();
  await first.append(callOf(1));
  await first.close();
  await appendFile(path, 'no JSON\n');
  const second = await open();
  await second.append(callOf(2));
  expect(savedIn(await open())).toBe('calls 1,2; quota ');
  expect(new Set(warnings)).toEqual(new Set([`${path}: 1 lines cannot be read, and are left out of the activity log`]));
});

it('OP-74: a foreign file does not prevent a start', async () => {
  const { open, path, warnings } = await folder();
  await writeFile(path, '"something else"\n');
  const calls = await open();
  expect(warnings).toEqual([
    `${path} cannot be read, so its calls are left out of the activity log: it contains no calls`,
  ]);
  await calls.append(callOf(1));
  expect(savedIn(await open())).toBe('calls 1; quota ');
});

it('calls from before a reset are not read again, whether or not their files could be removed', async () => {
  const { open, path, beginLog, fail, warnings } = await folder();
  const first = await open();
  await first.append(callOf(1));
  beginLog();
  fail('remove');
  first.restart();
  await first.close();
  expect(savedIn(await open())).toBe('calls ; quota ');
  fail(undefined);
  const second = await open();
  await second.append(callOf(2));
  expect(savedIn(await open())).toBe('calls 2; quota ');
  expect(warnings).toEqual([`${path} could not be removed: ENOSPC: injected`]);
});

it('OP-94: a call that the disk refuses is missing after a restart, but its quota is not', async () => {
  const { open, accept, fail, path, warnings } = await folder();
  const calls = await open();
  await calls.append(callOf(1));
  fail('write');
  accept(10);
  await calls.append(callOf(2));
  fail(undefined);
  await calls.append(callOf(3));
  expect(savedIn(await open())).toBe('calls 1,3; quota 10');
  expect(warnings).toEqual([`calls were not written to ${path}, so a restart loses them: ENOSPC: injected`]);
});

it('OP-94: after the disk refuses a file, the next call creates it complete', async () => {
  const { open, accept, fail } = await folder();
  const calls = await open();
  fail('write');
  accept(10);
  await calls.append(callOf(1));
  fail(undefined);
  await calls.append(callOf(2));
  expect(savedIn(await open())).toBe('calls 2; quota 10');
});

it('OP-30, OP-57: a listing does not wait for a sync, and changes neither log nor document of the store', async () => {
  const dataDir = await temporaryFolder();
  let syncs = 0;
  const files = withFaults(diskFiles, ({ name }) => {
    if (name === 'sync') syncs += 1;
  });
  const sandbox = await testSandbox({ dataDir, files });
  const list = async (token: string) => ok(await sandbox.rewards(token).GET('/v1/partner/rewards'));
  const token = await sandbox.companyToken();
  const stored = () => Promise.all(['db.json', 'wal.log'].map((name) => readFile(join(dataDir, name)).catch(() => '')));
  const [before, beforeSyncs] = [await stored(), syncs];
  for (let times = 0; times < 5; times += 1) await list(token);
  expect(beforeSyncs).toBeGreaterThan(0);
  expect([await stored(), syncs]).toEqual([before, beforeSyncs]);
  const { items } = ok(await sandbox.control.GET('/activity'));
  expect(items.filter((item) => 'operation' in item && item.operation === 'listRewards')).toHaveLength(5);
});
