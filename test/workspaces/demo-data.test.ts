/** Tests optional demo customers that pass a partner's own validation (OP-163). */
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { ok, type TestSandbox, testSandbox } from '../harness/sandbox.ts';
import { opened, workspaceOf } from '../harness/workspaces.ts';

const plausible = { mobileNo: /^[6-9]\d{9}$/, pan: /^[A-Z]{3}P[A-Z]\d{4}[A-Z]$/ };
const impossible = { mobileNo: /^5\d{9}$/, pan: /^[A-Z]{3}X[A-Z]\d{4}[A-Z]$/ };

async function profiles({ control }: Pick<TestSandbox, 'control'>) {
  return ok(await control.GET('/customers')).items.map(({ profile }) => profile);
}

function expectForm(all: Awaited<ReturnType<typeof profiles>>, form: typeof plausible): void {
  expect(all.length).toBe(31);
  const odd = all.filter(({ mobileNo, pan }) => !form.mobileNo.test(mobileNo) || !form.pan.test(pan));
  expect(odd).toEqual([]);
}

it('OP-163: a workspace with plausible demo data keeps it through a reset and a fork; other workspaces have impossible data', async () => {
  const sandbox = await testSandbox();
  expectForm(await profiles(sandbox), impossible);
  const workspace = await workspaceOf(sandbox, { demo_data: 'plausible' });
  const before = await profiles(workspace);
  expectForm(before, plausible);
  ok(await workspace.control.POST('/reset'));
  expect(await profiles(workspace)).toEqual(before);
  const snapshot = ok(await workspace.control.POST('/snapshots', { body: { name: 'one' } }));
  const path = { id: snapshot.id };
  const fork = opened(ok(await workspace.control.POST('/snapshots/{id}/fork', { params: { path } })));
  ok(await fork.control.POST('/reset'));
  expect(await profiles(fork)).toEqual(before);
  expectForm(await profiles(await workspaceOf(sandbox, {})), impossible);
});

it('OP-163: --demo-data applies to new data, and a start warns if the data folder has the other kind', async () => {
  const dataDir = await temporaryFolder();
  const first = await testSandbox({ dataDir, demoData: 'plausible' });
  expectForm(await profiles(first), plausible);
  await first.close();
  const warnings: string[] = [];
  const again = await testSandbox({ dataDir, demoData: 'impossible', warn: (text) => warnings.push(text) });
  expectForm(await profiles(again), plausible);
  expect(warnings).toContain('This data was created with plausible demo data; --demo-data impossible is ignored.');
});
