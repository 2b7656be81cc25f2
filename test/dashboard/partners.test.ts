/**
 * Tests the partner board in a real browser. The operator sees all rows, and a partner sees one. Also tests
 * certificates and trusted keys (OP-261, OP-262, OP-263).
 */
import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { issueCertificate, privateKey } from '../../sandbox/certification/certificate.ts';
import { inspect } from '../harness/inspecting.ts';
import { reported } from '../harness/reported.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { orderIn, workspaceOf } from '../harness/workspaces.ts';
import { fill, panel, reveal, row, screens } from './screens.ts';

const onScreen = screens();

it('shows all partners, trusts a key, takes a certificate by it and refuses a forged one, and saves the CSV', async () => {
  const sandbox = await testSandbox();
  const partner = await workspaceOf(sandbox, { name: 'Meadow Bank' });
  await orderIn(partner);
  const { publicKey, privateKey: secret } = generateKeyPairSync('ed25519');
  const key = await privateKey(secret.export({ type: 'pkcs8', format: 'pem' }).toString(), 'key.pem');
  const certificate = await issueCertificate(reported(), { key });
  await onScreen(sandbox, '/partners', async (page) => {
    const board = page.getByRole('table', { name: 'Partners' });
    const line = board.getByRole('row').filter({ hasText: 'Meadow Bank' }).first();
    await line.waitFor();
    const cells = await line.getByRole('cell').allInnerTexts();
    expect(cells).toEqual([expect.stringMatching(/^\d{4}-/), '2', '0', 'None', expect.stringMatching(/^\d+$/)]);
    await board.getByText('Day by day of Meadow Bank').click();
    await board.getByRole('img', { name: 'Calls of each day, and those with findings' }).waitFor();
    const keys = panel(page, 'Trusted keys');
    await fill(keys, { Name: 'Auditor', 'Public key (PEM)': 'none' });
    await reveal(keys, 'Add key', '/items/0/public_key is not the PEM of an Ed25519 public key');
    await keys.getByLabel('Public key (PEM)').fill(publicKey.export({ type: 'spki', format: 'pem' }).toString());
    await keys.getByRole('button', { name: 'Add key' }).click();
    await row(page, 'Auditor').waitFor();
    const form = page.getByRole('form', { name: 'Submit a certificate' });
    await form.getByLabel('Content of the file').fill(`${certificate.slice(0, -4)}AAAA`);
    await form.getByRole('button').click();
    await form.locator('.problem').filter({ hasText: 'is not valid.' }).waitFor();
    await form.getByLabel('Content of the file').fill(certificate);
    await form.getByRole('button').click();
    await row(page, 'CER-000001').getByText('trusted key Auditor').waitFor();
    await board.getByText('trusted key Auditor').waitFor();
    expect(await inspect(page, 'dashboard-partners')).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toMatch(/^id,name,.*\r\ndemo,.*trusted_key,Auditor,.*\r\nws_\w+,Meadow Bank,/s);
  });
}, 60_000);

it('shows a partner one row, and no trusted keys', async () => {
  const sandbox = await testSandbox();
  await workspaceOf(sandbox, { name: 'Other' });
  const { details } = await workspaceOf(sandbox, { name: 'Meadow Bank' });
  await onScreen(sandbox, '/partners', async (page) => {
    await page.evaluate((token) => sessionStorage.setItem('sandbox-admin-token', token), details.admin_token);
    await page.reload();
    const board = page.getByRole('table', { name: 'Partners' });
    await board.getByText('Meadow Bank', { exact: true }).waitFor();
    expect(await board.getByRole('rowheader').count()).toBe(1);
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Board', 'Submit a certificate']);
  });
}, 60_000);
