/** Tests several tenants, one of which fills its workspace, in a process with little memory (OP-229). */
import { expect, it } from 'vitest';
import { ready } from '../harness/command.ts';
import { flat, refusal } from '../harness/envelopes.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { clientsOf, ok } from '../harness/sandbox.ts';

const environment = { NODE_OPTIONS: '--max-old-space-size=110', REWARDS_SANDBOX_KEY: 'ab'.repeat(32) };
const profile = { name: '€'.repeat(200), address1: '€'.repeat(200), address2: '€'.repeat(200) };
const full = flat(409, 67, 'The workspace has reached its limit of 8 MiB: delete data, or reset the workspace');
/** Four times as many customers as fit. */
const most = 15_000;

type Workspace = Parameters<typeof clientsOf>[0];

async function start(dataDir: string) {
  const process = await ready(['--no-proxy', '--data', dataDir, '--max-workspace-size', '8'], environment);
  const demo = (await (await fetch(`${process.urls.sandbox}/workspace`)).json()) as Workspace;
  return {
    ...process,
    demo,
    clientsFor: (tenant: Workspace & { admin_token: string }) =>
      clientsOf({ ...tenant, urls: demo.urls }, tenant.admin_token),
  };
}

it('OP-229: with a heap of 110 MB, a tenant that fills its workspace is refused, the process survives and restarts, and another tenant is served', async () => {
  const dataDir = await temporaryFolder();
  const sandbox = await start(dataDir);
  const { control } = clientsOf(sandbox.demo);
  const [tenant, other] = [
    ok(await control.POST('/workspaces', { body: {} })),
    ok(await control.POST('/workspaces', { body: {} })),
  ];
  const add = async (at: number) =>
    sandbox.clientsFor(tenant).control.POST('/customers', { body: { uid: `FILL${at}`, profile } });
  let refused: unknown;
  for (let at = 0; refused === undefined && at < most; at += 16) {
    const answers = await Promise.all(Array.from({ length: 16 }, (_, one) => add(at + one)));
    refused = answers.filter(({ response }) => response.status === 409).map(refusal)[0];
  }
  expect(refused).toEqual(full);
  ok(await sandbox.clientsFor(other).control.POST('/customers', { body: { uid: 'BEFORE' } }));
  sandbox.child.kill('SIGKILL');
  await sandbox.ended;

  const again = await start(dataDir);
  ok(await again.clientsFor(other).control.POST('/customers', { body: { uid: 'AFTER' } }));
  expect(
    refusal(await again.clientsFor(tenant).control.POST('/customers', { body: { uid: 'MORE', profile } })),
  ).toEqual(full);
  again.child.kill('SIGTERM');
  expect((await again.ended).code).toBe(0);
}, 900_000);
