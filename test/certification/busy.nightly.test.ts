/** Tests that two concurrent runs against a minimal server, on a busy machine, return the same verdicts as separate runs. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { run } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { closesWithTest } from '../harness/http-server.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { type PythonMistake, pythonServer } from './python-server.ts';

/** The number of rounds. `BUSY_ROUNDS` overrides the default. */
const rounds = Number(process.env.BUSY_ROUNDS ?? 1);

/** Certifies a server with these mistakes. Returns each requirement's verdict and the causes of the failures. */
async function runCertify(mistakes: readonly PythonMistake[]) {
  const server = await pythonServer(await testSandbox(), mistakes, { isPlain: true });
  const json = join(await temporaryFolder(), 'certify.json');
  const ran = await run(['certify', ...server.flags, '--report', `json=${json}`]).ended;
  await server.stop();
  const { verdicts, failures }: Report = JSON.parse(await readFile(json, 'utf8'));
  return {
    code: ran.code,
    verdicts: Object.fromEntries(verdicts.map(({ id, verdict, blocked_by }) => [id, [verdict, blocked_by]])),
    causes: failures.map(({ requirement, breaks }) => [requirement, breaks]),
  };
}

/** Keeps the machine busy while `meanwhile` runs. */
async function withBusyLoops<T>(loops: number, meanwhile: () => Promise<T>): Promise<T> {
  const children = Array.from({ length: loops }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const end = async () => {
    for (const child of children) child.kill('SIGKILL');
  };
  closesWithTest(end);
  try {
    return await meanwhile();
  } finally {
    await end();
  }
}

/** Mistakes with deterministic effects. A race, in contrast, would depend on the speed of the machine. */
const wrong: readonly PythonMistake[] = [
  'credits twice on a repeat',
  'keeps the fee of a rejected order',
  'lets a customer act for another',
];

it('two concurrent runs next to four busy loops give the same verdicts as alone', { timeout: 3_600_000 }, async () => {
  const alone = [await runCertify([]), await runCertify(wrong)];
  expect(alone.map(({ code, causes }) => [code, causes.map(([cause]) => cause)])).toEqual([
    [0, []],
    [1, ['CRD-02', 'STA-01', 'TOK-08']],
  ]);
  for (let round = 1; round <= rounds; round += 1) {
    const busy = await withBusyLoops(4, () => Promise.all([runCertify([]), runCertify(wrong)]));
    expect({ round, busy }).toEqual({ round, busy: alone });
  }
});
