/** Tests that a command prints the same output in its own process and inside a test. It uses only the given streams and environment. */
import { expect, it, vi } from 'vitest';
import { inProcess, run } from '../harness/command.ts';

it.each<[args: readonly string[], code: number, env?: NodeJS.ProcessEnv]>([
  [['help'], 0],
  [['certify', '--list', '--only', 'credit'], 0],
  [['certificate', 'verify', '/nowhere/certificate.jws'], 3],
  [['--tls-cert', 'a.pem'], 2, { REWARDS_SANDBOX_PORT: 'none' }],
])('%j exits with %d and prints the same inside a process and in its own', async (args, code, env) => {
  const [within, alone] = await Promise.all([inProcess(args, env).ended, run(args, env).ended]);
  expect({ ...within, signal: null }).toEqual(alone);
  expect(within.code).toBe(code);
});

it('reads options from the given environment, and from no other', async () => {
  vi.stubEnv('REWARDS_SANDBOX_CLOCK', 'slow');
  vi.stubEnv('REWARDS_SANDBOX_ADMIN_TOKEN', 'short');
  try {
    expect(await inProcess(['--tls-cert', 'a.pem']).ended).toEqual({
      code: 2,
      stdout: '',
      stderr: '--tls-cert and --tls-key must be used together.\n',
    });
    expect(await inProcess(['--tls-cert', 'a.pem'], { REWARDS_SANDBOX_ADMIN_TOKEN: 'other' }).ended).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "error: option '--admin-token <token>' value 'other' from env 'REWARDS_SANDBOX_ADMIN_TOKEN' is invalid. It must have 16 to 256 visible characters.\n",
    });
    expect(await inProcess(['proxy', '--port', 'x'], { REWARDS_SANDBOX_ADMIN_TOKEN: 'other' }).ended).toEqual({
      code: 2,
      stdout: '',
      stderr: "error: option '--port <number>' argument 'x' is invalid. It must be a whole number from 0 to 65535.\n",
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

it('an argument overrides the environment, also for an option that can be repeated', async () => {
  const env = { REWARDS_SANDBOX_PORT: 'none', REWARDS_SANDBOX_TRUSTED_PROXY: 'none' };
  const args = ['--port', '0', '--trusted-proxy', '10.0.0.1', '--trusted-proxy', '10.0.0.2', '--tls-cert', 'a.pem'];
  expect(await inProcess(args, env).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: '--tls-cert and --tls-key must be used together.\n',
  });
});
