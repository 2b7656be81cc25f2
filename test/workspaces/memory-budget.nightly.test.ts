/** Tests forks of a full workspace in processes with different amounts of memory (OP-244). */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ready } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { clientsOf, ok } from '../harness/sandbox.ts';

const key = { REWARDS_SANDBOX_KEY: 'cd'.repeat(32) };
const profile = { name: 'N'.repeat(200), address1: 'A'.repeat(200), address2: 'B'.repeat(200) };

type Workspace = Parameters<typeof clientsOf>[0];

/** Starts a sandbox with a heap of this size in megabytes. */
async function start(dataDir: string, heap: number, mebibytes: number) {
  const began = performance.now();
  const options = ['--no-proxy', '--data', dataDir, '--max-workspace-size', String(mebibytes)];
  const process = await ready(options, { ...key, NODE_OPTIONS: `--max-old-space-size=${heap}` });
  const seconds = (performance.now() - began) / 1000;
  const demo = (await (await fetch(`${process.urls.sandbox}/workspace`)).json()) as Workspace;
  const clientsFor = (tenant: Workspace & { readonly admin_token?: string }) =>
    clientsOf({ ...tenant, urls: demo.urls }, tenant.admin_token);
  return { ...process, demo, seconds, clientsFor };
}

/** Returns a process's resident memory in megabytes. */
async function residentOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

it.each([
  [150, 4],
  [400, 8],
  [1024, 16],
])(
  'OP-244: with a heap of %i MB, ten forks of a full workspace of %i MiB are made or refused; the process survives, is killed, and its data starts with every heap',
  async (heap, mebibytes) => {
    const dataDir = await temporaryFolder();
    const sandbox = await start(dataDir, heap, mebibytes);
    const tenant = ok(await clientsOf(sandbox.demo).control.POST('/workspaces', { body: {} }));
    const other = ok(await clientsOf(sandbox.demo).control.POST('/workspaces', { body: {} }));
    const { control } = sandbox.clientsFor(tenant);
    let refused: number[] = [];
    for (let at = 0; refused.length === 0; at += 32) {
      const uids = Array.from({ length: 32 }, (_, one) => `FILL${at + one}`);
      const answers = await Promise.all(uids.map((uid) => control.POST('/customers', { body: { uid, profile } })));
      refused = answers.flatMap(({ response }) => (response.ok ? [] : [response.status]));
    }
    expect(new Set(refused)).toEqual(new Set([409]));
    const { id } = ok(await control.POST('/snapshots', { body: {} }));
    const began = performance.now();
    const statuses: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      const { response } = await control.POST('/snapshots/{id}/fork', { params: { path: { id } } });
      statuses.push(response.status);
    }
    const seconds = (performance.now() - began) / 1000;
    const made = statuses.filter((status) => status === 201).length;
    expect(statuses).toEqual([...Array(made).fill(201), ...Array(10 - made).fill(409)]);
    expect([made > 0, made < 10, sandbox.child.exitCode]).toEqual([true, true, null]);
    ok(await sandbox.clientsFor(other).control.POST('/customers', { body: { uid: 'SERVED', profile } }));
    const figures = [`heap ${heap} MB, ${made} forks of ${mebibytes} MiB in ${seconds.toFixed(1)} s`];
    figures.push(`resident ${await residentOf(sandbox.child.pid)} MB`);
    sandbox.child.kill('SIGKILL');
    await sandbox.ended;

    for (const next of [heap, ...[150, 400, 1024].filter((one) => one !== heap)]) {
      const again = await start(dataDir, next, mebibytes);
      ok(await again.clientsFor(again.demo).control.POST('/customers', { body: { uid: `AFTER${next}` } }));
      const resident = await residentOf(again.child.pid);
      again.child.kill('SIGTERM');
      const { code, stderr } = await again.ended;
      const leftOut = stderr.split('Cannot use workspace').length - 1;
      figures.push(
        `start with ${next} MB: ${again.seconds.toFixed(1)} s, ${leftOut} left out, resident ${resident} MB`,
      );
      // With the original heap or a larger one, no workspace is left out.
      expect([code, next < heap || leftOut === 0]).toEqual([0, true]);
    }
    console.log(figures.join('\n'));
  },
  600_000,
);
