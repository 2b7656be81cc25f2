/** A data folder's sandbox time does not move back with the machine's clock (OP-236). */
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { type Clients, ok, testSandbox } from '../harness/sandbox.ts';

const hour = 3_600_000;
const timeOf = async ({ control }: Clients) => Date.parse(ok(await control.GET('/clock')).now);

it('OP-236: sandbox time continues when the clock of the machine is set back, and after a restart', async () => {
  const dataDir = await temporaryFolder();
  let real = Date.UTC(2026, 10, 27, 20);
  const start = () => testSandbox({ dataDir, clock: 'running', realTime: () => real });
  const sandbox = await start();
  const began = await timeOf(sandbox);
  real -= hour;
  expect(await timeOf(sandbox)).toBe(began);
  real += 1000;
  expect(await timeOf(sandbox)).toBe(began + 1000);
  await sandbox.close();
  expect(await timeOf(await start())).toBe(began + 1000);
});

it('OP-236: sandbox time continues from the newest entry of the log when the clock was set back while the sandbox was stopped', async () => {
  const dataDir = await temporaryFolder();
  let real = Date.UTC(2026, 10, 27, 20);
  const start = () => testSandbox({ dataDir, clock: 'running', realTime: () => real });
  const sandbox = await start();
  ok(await sandbox.control.POST('/customers', { body: { uid: 'CUST7001' } }));
  await sandbox.close();
  real -= hour;
  expect(await timeOf(await start())).toBe(real + hour);
});
