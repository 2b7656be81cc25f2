/** Tests `rewards-sandbox credentials`, which prints a running sandbox's credentials for people and scripts. */
import { expect, it } from 'vitest';
import { inProcess } from '../harness/command.ts';
import { testSandbox } from '../harness/sandbox.ts';

it('shows every credential of the workspace, with what it is for', async () => {
  const { origin, workspace } = await testSandbox();
  const { code, stdout, stderr } = await inProcess(['credentials', '--sandbox', origin]).ended;
  expect([code, stderr]).toEqual([0, '']);
  const { credentials, settings, admin_token } = workspace;
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/)),
  ).toEqual([
    ['NAME', 'VALUE', 'FOR'],
    ['company_secret', credentials.company_secret, 'companyAuth'],
    ['basic.username', credentials.basic.username, 'sign-in of customers'],
    ['basic.password', credentials.basic.password, 'sign-in of customers'],
    ['service_token', credentials.service_token, 'calls to the reference client'],
    ['client_token', settings.client_token, 'calls of the platform to the client in use'],
    ['general.password', credentials.general.password, 'general API, with the uid of a customer'],
    ['gateway_token', credentials.gateway_token, 'messages from your server to the gateway'],
    ['admin_token', admin_token, 'control API and dashboard'],
  ]);
});

it('prints one of them alone, and refuses an unknown name', async () => {
  const { origin, workspace } = await testSandbox();
  const field = async (name: string) => inProcess(['credentials', '--sandbox', origin, '--field', name]).ended;
  expect(await field('company_secret')).toEqual({
    code: 0,
    stdout: `${workspace.credentials.company_secret}\n`,
    stderr: '',
  });
  expect(await field('secret')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('Allowed choices are company_secret'),
  });
});
