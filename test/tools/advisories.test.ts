/** Tests `npm run advisories`: npm's reports about the versions in the lock file, and missing reports. */
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execPath } from 'node:process';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { shell } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';

const advisory = {
  title: 'Request smuggling',
  url: 'https://advisories.example/GHSA-1',
  severity: 'high',
  range: '<2.0.1',
};
const used = { parser: { via: [advisory], nodes: ['node_modules/parser', 'node_modules/server/node_modules/parser'] } };
const others = {
  bundler: { via: [{ ...advisory, title: 'Path traversal', severity: 'low' }], nodes: ['node_modules/bundler'] },
  server: { via: ['parser'], nodes: ['node_modules/server'] },
};
const packages = {
  'node_modules/parser': { version: '2.0.0' },
  'node_modules/server/node_modules/parser': { version: '1.9.0' },
  'node_modules/server': { version: '3.0.0' },
  'node_modules/bundler': { version: '5.0.0' },
};

/** Runs the tool with a fake npm that prints one string for the installed dependencies and another for all dependencies. */
async function ask(ofUsed: string, ofAll: string, flags = '') {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  await writeFile(join(folder, 'used'), ofUsed);
  await writeFile(join(folder, 'all'), ofAll);
  const npm =
    '#!/bin/sh\n[ "$1 $2" = "audit --json" ] || exit 9\n[ "$3" = --omit=dev ] && cat used || cat all\nexit 1\n';
  await writeFile(join(folder, 'bin/npm'), npm, { mode: 0o755 });
  const script = `cd '${folder}' && '${execPath}' '${root}tools/advisories/advisories.ts' ${flags}`;
  return shell(script, { PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` });
}

const reportOf = (vulnerabilities: object) => JSON.stringify({ auditReportVersion: 2, vulnerabilities });

it('lists each advisory with severity, name and installed versions, and ends with 1', async () => {
  expect(await ask(reportOf(used), reportOf({ ...used, ...others }))).toEqual({
    code: 1,
    stdout: [
      'Advisories of what users install: 1',
      '  high  parser 2.0.0, 1.9.0: Request smuggling (<2.0.1)  https://advisories.example/GHSA-1',
      'Advisories of development dependencies: 1',
      '  low  bundler 5.0.0: Path traversal (<2.0.1)  https://advisories.example/GHSA-1',
      '',
    ].join('\n'),
    stderr: '',
  });
});

it('ends with 0 if none is known', async () => {
  expect(await ask(reportOf({}), reportOf({}))).toEqual({
    code: 0,
    stdout: 'Advisories of what users install: none known\nAdvisories of development dependencies: none known\n',
    stderr: '',
  });
});

it.each([
  ['npm reports an error', JSON.stringify({ message: '405 Method Not Allowed', error: {} }), '405 Method Not Allowed'],
  ['npm has a summary only', JSON.stringify({ error: { code: 'ENOLOCK', summary: 'No lock file' } }), 'No lock file'],
  ['npm prints no JSON', 'getaddrinfo ENOTFOUND', 'no report'],
])('says that there is no answer, and ends with 3: %s', async (_title, text, reason) => {
  const stderr = `The advisory service could not be asked, so nothing is known about advisories: ${reason}\nRun it again later.\n`;
  expect(await ask(text, text)).toEqual({ code: 3, stdout: '', stderr });
  expect(await ask(reportOf({}), text)).toEqual({ code: 3, stdout: '', stderr });
});

it('explains its exit codes, and ends with 2 for an unknown flag', async () => {
  expect(await ask('', '', '--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes:') });
  expect(await ask('', '', '--wrong')).toMatchObject({ code: 2, stdout: '' });
});
