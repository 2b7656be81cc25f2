/** A file is valid only in the store and at the path for which it was written (OP-33, OP-63). */
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../../sandbox/store/encoding.ts';
import { plainSeal } from '../../sandbox/store/seal.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { clientsOf, ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';

const remedy = 'Nothing was changed: put each file back where it was, or restore the folder from a backup';

/** A workspace in a data folder, and its token. */
interface Tenant {
  readonly id: string;
  readonly token: string;
  readonly folder: string;
}

/** Creates the data folder of a stopped sandbox with two workspaces, each with a customer and a snapshot. */
async function twoTenants(key: Uint8Array | undefined): Promise<{ dataDir: string; tenants: [Tenant, Tenant] }> {
  const dataDir = await temporaryFolder();
  const sandbox = await testSandbox({ dataDir, ...(key && { key }) });
  ok(await sandbox.control.POST('/snapshots', { body: {} }));
  const make = async (uid: string): Promise<Tenant> => {
    const { control, details } = await workspaceOf(sandbox);
    ok(await control.POST('/customers', { body: { uid } }));
    ok(await control.POST('/snapshots', { body: {} }));
    return { id: details.id, token: details.admin_token, folder: join(dataDir, 'workspaces', details.id) };
  };
  const tenants: [Tenant, Tenant] = [await make('CUST7001'), await make('CUST7002')];
  await sandbox.close();
  return { dataDir, tenants };
}

/** Starts a sandbox on a folder. Returns it with its warnings, in which the folder's path is replaced. */
async function startOn(dataDir: string, key: Uint8Array | undefined) {
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message.replaceAll(dataDir, '…'));
  return { sandbox: await testSandbox({ dataDir, ...(key && { key }), warn }), warnings };
}

const controlOf = ({ workspace }: TestSandbox, { token }: Tenant) => clientsOf(workspace, token).control;

async function swap(one: string, other: string): Promise<void> {
  await rename(one, `${one}.swapped`);
  await rename(other, one);
  await rename(`${one}.swapped`, other);
}

const refusalOf = (error: Error, dataDir: string) => error.message.replaceAll(dataDir, '…');

describe.each([
  ['encrypted', Buffer.alloc(32, 7)],
  ['unencrypted', undefined],
])('in an %s data folder,', (_, key) => {
  it.each(['db.json', 'wal.log'])(
    'two workspaces whose %s was swapped are unusable, and the file is named',
    async (name) => {
      const { dataDir, tenants } = await twoTenants(key);
      const [a, b] = tenants;
      await swap(join(a.folder, name), join(b.folder, name));
      const { sandbox, warnings } = await startOn(dataDir, key);
      const warning = ({ id }: Tenant, owner: Tenant) =>
        `Cannot use workspace ${id}: …/workspaces/${id}/${name} belongs to workspaces/${owner.id}, not to workspaces/${id}. ${remedy}`;
      expect(warnings.toSorted()).toEqual([warning(a, b), warning(b, a)].toSorted());
      for (const tenant of tenants)
        expect((await controlOf(sandbox, tenant).GET('/customers')).response.status).toBe(503);
    },
  );

  it('calls of another workspace are named and left out', async () => {
    const { dataDir, tenants } = await twoTenants(key);
    const [a, b] = tenants;
    await cp(join(a.folder, 'calls.jsonl'), join(b.folder, 'calls.jsonl'));
    const { sandbox, warnings } = await startOn(dataDir, key);
    expect(warnings).toEqual([
      `…/workspaces/${b.id}/calls.jsonl cannot be read, so its calls are left out of the activity log: …/workspaces/${b.id}/calls.jsonl belongs to workspaces/${a.id}, not to workspaces/${b.id}. ${remedy}`,
    ]);
    expect(ok(await controlOf(sandbox, b).GET('/activity')).items.filter(({ kind }) => kind === 'call_in')).toEqual([]);
  });

  it.each(['db.json', 'snapshots/SNP-000001/db.json'])(
    'the %s of another workspace is no snapshot: neither restore nor fork shows what is in it',
    async (name) => {
      const { dataDir, tenants } = await twoTenants(key);
      const [a, b] = tenants;
      await cp(join(a.folder, name), join(b.folder, 'snapshots/SNP-000001/db.json'));
      const { sandbox, warnings } = await startOn(dataDir, key);
      const control = controlOf(sandbox, b);
      const params = { path: { id: 'SNP-000001' } };
      expect((await control.POST('/snapshots/{id}/restore', { params })).response.status).toBe(409);
      expect((await control.POST('/snapshots/{id}/fork', { params })).response.status).toBe(409);
      const [file, from] = [`workspaces/${b.id}/snapshots/SNP-000001`, join('workspaces', a.id, name, '..')];
      const warning = `snapshot SNP-000001: …/${file}/db.json belongs to ${from}, not to ${file}. ${remedy}`;
      expect(warnings).toEqual([warning, warning]);
    },
  );

  it('workspaces whose folders were exchanged are named and left unchanged', async () => {
    const { dataDir, tenants } = await twoTenants(key);
    const [a, b] = tenants;
    await swap(a.folder, b.folder);
    const { sandbox, warnings } = await startOn(dataDir, key);
    const warning = ({ id }: Tenant, owner: Tenant) =>
      `Cannot use workspace ${id}: …/workspaces/${id}/db.json belongs to workspaces/${owner.id}, not to workspaces/${id}. ${remedy}`;
    expect(warnings.toSorted()).toEqual([warning(a, b), warning(b, a)].toSorted());
    for (const tenant of tenants)
      expect((await controlOf(sandbox, tenant).GET('/customers')).response.status).toBe(401);
    await sandbox.close();
    await swap(a.folder, b.folder);
    const again = await startOn(dataDir, key);
    expect(again.warnings).toEqual([]);
    expect(ok(await controlOf(again.sandbox, a).GET('/customers')).items.map(({ uid }) => uid)).toContain('CUST7001');
  });

  it("a workspace's files in place of the demo workspace's are refused at the start", async () => {
    const { dataDir, tenants } = await twoTenants(key);
    const [{ id, folder }] = tenants;
    for (const name of ['db.json', 'wal.log', 'calls.jsonl']) await cp(join(folder, name), join(dataDir, name));
    const error = await testSandbox({ dataDir, ...(key && { key }) }).catch((error) => error);
    expect([error.code, refusalOf(error, dataDir)]).toEqual([
      'damaged',
      `…/db.json belongs to workspaces/${id}, not to the demo workspace. ${remedy}`,
    ]);
  });

  it('files of another data folder with the same key are refused, also for the same place', async () => {
    const [{ dataDir }, other] = [await twoTenants(key), await twoTenants(key)];
    const own = await readFile(join(dataDir, 'wal.log'));
    await cp(join(other.dataDir, 'wal.log'), join(dataDir, 'wal.log'));
    const error = await testSandbox({ dataDir, ...(key && { key }) }).catch((error) => error);
    expect([error.code, refusalOf(error, dataDir)]).toEqual([
      'damaged',
      `…/wal.log belongs to another store than the files next to it. ${remedy}`,
    ]);
    await writeFile(join(dataDir, 'wal.log'), own);
    await cp(join(other.dataDir, 'snapshots'), join(dataDir, 'snapshots'), { recursive: true });
    const { sandbox, warnings } = await startOn(dataDir, key);
    const params = { path: { id: 'SNP-000001' } };
    expect((await sandbox.control.POST('/snapshots/{id}/restore', { params })).response.status).toBe(409);
    expect(warnings).toEqual([
      `snapshot SNP-000001: …/snapshots/SNP-000001/db.json belongs to another store than the files next to it. ${remedy}`,
    ]);
  });

  it('a data folder that was moved works as before, with its snapshots and forks', async () => {
    const { dataDir, tenants } = await twoTenants(key);
    const moved = join(await temporaryFolder(), 'moved');
    await mkdir(moved);
    await cp(dataDir, moved, { recursive: true });
    await rm(dataDir, { recursive: true });
    const { sandbox, warnings } = await startOn(moved, key);
    const params = { path: { id: 'SNP-000001' } };
    for (const control of [sandbox.control, ...tenants.map((tenant) => controlOf(sandbox, tenant))]) {
      ok(await control.POST('/snapshots/{id}/restore', { params }));
      ok(await control.POST('/snapshots/{id}/fork', { params }));
    }
    const [a] = tenants;
    expect(ok(await controlOf(sandbox, a).GET('/customers')).items.map(({ uid }) => uid)).toContain('CUST7001');
    expect(warnings).toEqual([]);
  });
});

it('a sealed file does not open elsewhere after its header was rewritten', async () => {
  const key = Buffer.alloc(32, 7);
  const { dataDir, tenants } = await twoTenants(key);
  const [a, b] = tenants;
  const [theirs = '', ...lines] = (await readFile(join(a.folder, 'db.json'), 'latin1')).split('\n');
  const [own = ''] = (await readFile(join(b.folder, 'snapshots/SNP-000001/db.json'), 'latin1')).split('\n');
  const salt = (header: string) => /"salt":"([0-9a-f]{32})"/.exec(header)?.[1] ?? '';
  const body = own.slice(18).replace(salt(own), salt(theirs));

  const forged = `${lineOf(plainSeal.close(body, 'header'))}${lines.join('\n')}`;
  await writeFile(join(b.folder, 'snapshots/SNP-000001/db.json'), forged, 'latin1');
  const { sandbox, warnings } = await startOn(dataDir, key);
  const params = { path: { id: 'SNP-000001' } };
  expect((await controlOf(sandbox, b).POST('/snapshots/{id}/restore', { params })).response.status).toBe(409);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^snapshot SNP-000001: …\/workspaces\/\w+\/snapshots\/SNP-000001\/db\.json is damaged \(byte \d+\)/,
    ),
  ]);
});
