/** Tests starting a sandbox that other machines can reach (OP-65, OP-55). */
import { expect, it } from 'vitest';
import { inProcess, readyInProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';

const reachable = ['--host', '0.0.0.0', '--insecure-http'];

it('OP-65: beyond loopback the start prints the admin token, which this machine needs too', async () => {
  const { urls, stop, ended } = await readyInProcess(['--data', await temporaryFolder(), ...reachable]);
  const url = `${urls.sandbox}/workspace`;
  expect((await fetch(url)).status).toBe(401);
  stop();
  const { stderr } = await ended;
  const notice = /requires the admin token, even from this machine: (at_sandbox_[0-9a-f]{48}) /.exec(stderr);
  expect(notice, stderr).not.toBe(null);
});

it('OP-65: a token from the command line is not printed', async () => {
  const token = 'at_sandbox_of_the_operator';
  const { urls, stop, ended } = await readyInProcess([
    '--data',
    await temporaryFolder(),
    '--admin-token',
    token,
    ...reachable,
  ]);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${urls.sandbox}/workspace`, { headers })).status).toBe(200);
  stop();
  const { stderr, stdout } = await ended;
  expect(stderr + stdout).not.toContain(token);
});

it('the start of a shared sandbox prints no company token, but where to get one', async () => {
  const { saw, stop, ended } = inProcess(['--port', '0', '--data', await temporaryFolder(), ...reachable]);
  await saw(/limit=2'\n/);
  stop();
  const { stdout } = await ended;
  expect(stdout).not.toContain('/w/');
  expect(stdout.trimEnd().split('\n').slice(-3)).toEqual([
    expect.stringMatching(/^Try it \(the company secret is in http:\S+\/sandbox\/v1\/workspace\):$/),
    expect.stringContaining('{"secret":"COMPANY_SECRET"}'),
    expect.stringMatching(/^ {2}curl -s -H "Authorization: \$TOKEN" 'http:\S+\/v1\/partner\/rewards\?limit=2'$/),
  ]);
});
