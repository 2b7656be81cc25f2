/** Tests snapshots and workspaces on the simulation screen in a real browser. */
import { expect, it } from 'vitest';
import { hostile } from '../harness/hostile.ts';
import { inspect } from '../harness/inspecting.ts';
import { redeem } from '../harness/orders.ts';
import { clientsOf, ok, testSandbox } from '../harness/sandbox.ts';
import { workspaceOf } from '../harness/workspaces.ts';
import { confirm, fill, panel, press, row, screens, statusMessage } from './screens.ts';

const onScreen = screens();

it('snapshots: created under any name, restored and deleted after a confirmation, forked (OP-64)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const names = async () => ok(await control.GET('/snapshots')).items.map(({ name }) => name);
  const [name = ''] = hostile;
  await onScreen(sandbox, '/simulation?view=snapshots', async (page) => {
    await page.getByText('No snapshots yet').waitFor();
    expect(await inspect(page, 'dashboard-snapshots-empty')).toEqual([]);
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Take snapshot' }).click();
    await row(page, name).waitFor();
    ok(await control.POST('/snapshots', { body: { name: 'from elsewhere' } }));
    await row(page, 'from elsewhere').waitFor();
    expect(await names()).toEqual([name, 'from elsewhere']);

    await redeem(sandbox);
    await page.getByRole('button', { name: 'Restore snapshot SNP-000001' }).click();
    await row(page, 'All later changes are lost.').waitFor();
    expect(ok(await control.GET('/orders')).items).toHaveLength(1);
    await press(page, 'Yes, restore snapshot SNP-000001', 'The workspace is back in the state of the snapshot.');
    expect(ok(await control.GET('/orders')).items).toEqual([]);

    await page.getByRole('button', { name: 'Fork snapshot SNP-000001' }).click();
    const workspacePanel = page.getByRole('region', { name: /^Workspace ws_/ });
    await workspacePanel.waitFor();
    expect(await inspect(page, 'dashboard-snapshots')).toEqual([]);
    await confirm(page, 'Delete snapshot SNP-000002');
    await row(page, 'from elsewhere').waitFor({ state: 'detached' });
    expect(await names()).toEqual([name]);
  });
}, 60_000);

it('workspaces: created with seed, clock and settings, opened in this tab, deleted; settings changed; reset to the seed (OP-63)', async () => {
  const sandbox = await testSandbox();
  const { control } = sandbox;
  const settings = async () => ok(await control.GET('/workspace')).settings;
  await onScreen(sandbox, '/simulation?view=workspaces', async (page) => {
    const form = page.getByRole('form', { name: 'settings' });
    await form.waitFor();
    await page.getByText('The demo workspace cannot be deleted.').waitFor();
    await press(form, 'Save settings', 'No changes.');
    const before = await settings();
    const patchRequest = page.waitForRequest((request) => request.method() === 'PATCH');
    await fill(form, {
      'Earned per 100 INR in points': '3',
      'Value of one point in INR': '0.50',
      'On timeout': 'reverse',
      'Sites that may frame the portal': 'https://client.example\nhttps://other.example',
    });
    await form.getByRole('button').click();
    const change = {
      points_per_100_inr: 3,
      point_value_inr: '0.50',
      on_timeout: 'reverse',
      frame_ancestors: ['https://client.example', 'https://other.example'],
    } as const;
    expect((await patchRequest).postDataJSON()).toEqual({ settings: change });
    await statusMessage(page, 'Saved: points_per_100_inr').waitFor();
    expect(await settings()).toEqual({ ...before, ...change });
    await form.getByLabel('Allowed callers').fill('no range');
    await form.getByRole('button').click();
    await form.locator('.problem').filter({ hasText: '/settings/allowlist/0' }).waitFor();

    const createForm = page.getByRole('form', { name: 'Create workspace' });
    await fill(createForm, { Seed: 'build-4711', Clock: 'frozen', Settings: 'these' });
    await createForm.getByRole('button').click();
    const workspacePanel = page.getByRole('region', { name: /^Workspace ws_/ });
    await workspacePanel.waitFor();
    expect(await inspect(page, 'dashboard-workspaces')).toEqual([]);
    const token = (await workspacePanel.locator('dd code').first().innerText()).trim();
    await workspacePanel.getByRole('button', { name: 'Open dashboard' }).click();
    await page.getByText('Live (admin token)').waitFor();
    const created = clientsOf(sandbox, token).control;
    const workspace = ok(await created.GET('/workspace'));
    expect(workspace.settings).toMatchObject(change);
    await panel(page, 'This workspace').getByText(workspace.id).waitFor();
    await press(page, 'Delete workspace', 'This also deletes its snapshots');
    await page.getByRole('button', { name: 'Yes, delete workspace' }).click();
    await panel(page, 'This workspace').getByText('demo', { exact: true }).waitFor();
    expect((await created.GET('/workspace')).response.status).toBe(401);

    await redeem(sandbox);
    // The second click of a double click does not confirm the reset.
    await page.getByRole('button', { name: 'Reset workspace' }).dblclick({ delay: 100 });
    await statusMessage(page, 'All changes since the start are lost.').waitFor();
    expect(ok(await control.GET('/orders')).items).toHaveLength(1);
    await press(page, 'Yes, reset workspace', 'The workspace has its initial data again.');
    expect(ok(await control.GET('/orders')).items).toEqual([]);
    await expect.poll(() => form.getByLabel('Earned per 100 INR in points').inputValue()).toBe('1');
    expect(await settings()).toEqual(before);
  });
}, 60_000);

it('all workspaces: found by name, renamed, extended, and deleted after a confirmation (OP-227)', async () => {
  const sandbox = await testSandbox();
  const [name = ''] = hostile;
  const named = await workspaceOf(sandbox, { name });
  for (let index = 0; index < 24; index += 1) await workspaceOf(sandbox, { name: `team ${index}` });
  const findWorkspaces = async (search: string) =>
    ok(await sandbox.control.GET('/workspaces', { params: { query: { search } } })).items;
  await onScreen(sandbox, '/simulation?view=workspaces', async (page) => {
    const all = panel(page, 'All workspaces');
    const lines = all.getByRole('listitem');
    await all.getByText('demo', { exact: true }).waitFor();
    await expect.poll(() => lines.count()).toBe(20);
    expect(await inspect(page, 'dashboard-all-workspaces')).toEqual([]);
    await all.getByRole('link', { name: 'Show more' }).click();
    await expect.poll(() => lines.count()).toBe(26);
    await all.getByLabel('Find').fill(named.details.id.toUpperCase());
    await expect.poll(() => lines.count()).toBe(1);
    await lines.first().getByText(name, { exact: true }).first().waitFor();
    await lines.first().locator('summary').click();
    const form = page.getByRole('form', { name: `workspace ${named.details.id}` });
    await fill(form, { Name: 'Meadow Bank', 'Expiry after last use': 'Until deleted' });
    await press(form, 'Save', 'Saved.');
    expect(await findWorkspaces(named.details.id)).toMatchObject([{ name: 'Meadow Bank', expires_at: null }]);
    await lines.first().getByText('no expiry', { exact: true }).waitFor();
    expect(await inspect(page, 'dashboard-all-workspaces-open')).toEqual([]);
    await confirm(page, 'Delete workspace Meadow Bank');
    await all.getByText('No matches').waitFor();
    expect(await findWorkspaces(named.details.id)).toEqual([]);
  });
}, 60_000);
