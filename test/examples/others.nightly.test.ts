/** The servers in those other languages that this machine has the tools for. */
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { readmeSteps } from './readme.ts';
import { runnable } from './servers.ts';
import { exampleSuite } from './suite.ts';

const here = runnable();

it(`this machine has the tools for: ${here.join(', ')}; Node is always among them, and the PATH decides`, async () => {
  expect(here).toContain('node');
  const [one, other] = [await temporaryFolder(), await temporaryFolder()];
  for (const tool of [join(one, 'go'), join(one, 'javac'), join(other, 'java')]) {
    await writeFile(tool, '');
    await chmod(tool, 0o755);
  }
  expect(runnable(one)).toEqual(['go']);
  expect(runnable([one, other].join(delimiter))).toEqual(['java', 'go']);
  expect(runnable('')).toEqual([]);
});

for (const language of here.filter((name) => name !== 'node')) {
  exampleSuite(language);
  readmeSteps(language);
}
