/** The path of a newcomer: a server with many mistakes, corrected in the order of the report until it is certified. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Report } from '../../sandbox/certification/verdict.ts';
import { inProcess } from '../harness/command.ts';
import { temporaryFolder } from '../harness/folders.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { type PythonMistake, pythonMistakes, pythonServer } from './python-server.ts';

/** The mistake that a reader of an entry would correct, by the requirement of the entry. */
const corrected: Readonly<Record<string, PythonMistake>> = {
  'SHP-11': 'answers a refusal as FastAPI does',
  'TOK-01': 'answers a bad token with 401',
  'SHP-05': 'writes the date of birth as ISO',
  'CRD-02': 'credits twice on a repeat',
  'DED-08': 'checks the balance before it writes',
  'STA-01': 'keeps the fee of a rejected order',
  'STA-11': 'forgets a rejection before its deduction',
  'TOK-08': 'lets a customer act for another',
  'TOK-07': 'accepts expired tokens',
  'OTP-10': 'tells the code in the reply',
  'V2-03': 'demands a customer at a reversal',
};

it('each mistake is one entry, and correcting the first entry each time leads to a certificate', {
  timeout: 1_800_000,
}, async () => {
  const folder = await temporaryFolder();
  const files = { json: join(folder, 'certify.json'), certificate: join(folder, 'certificate.jws') };
  const reports = ['--report', `json=${files.json}`, '--certificate', files.certificate, '--data', folder];
  const certify = async (mistakes: Iterable<PythonMistake>) => {
    const server = await pythonServer(await testSandbox(), mistakes);
    const { code, stdout } = await inProcess(['certify', ...server.flags, ...reports]).ended;
    await server.stop();
    const { failures }: Report = JSON.parse(await readFile(files.json, 'utf8'));
    const unexpected = failures.filter(({ requirement }) => corrected[requirement] === undefined);
    return { code, stdout, entries: failures.map(({ requirement }) => requirement), unexpected };
  };

  const mistakes = new Set(Object.keys(pythonMistakes) as PythonMistake[]);
  while (mistakes.size > 0) {
    const { code, stdout, entries, unexpected } = await certify(mistakes);
    expect(unexpected).toEqual([]);
    const [, first = ''] = /^FAIL (\S+)/m.exec(stdout) ?? [];
    expect([code, first]).toEqual([1, entries[0]]);
    expect(entries.map((id) => corrected[id] ?? id).toSorted()).toEqual([...mistakes].toSorted());
    mistakes.delete(corrected[first] as PythonMistake);
  }

  const { code, stdout, entries } = await certify([]);
  expect([code, entries, stdout.trimEnd().split('\n').at(-1)]).toEqual([
    0,
    [],
    'All applicable mandatory requirements passed.',
  ]);
  const verified = await inProcess(['certificate', 'verify', files.certificate, '--report', files.json]).ended;
  expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('PASSED') });
});
