/** Tests the example servers in all other languages whose tools are installed. */
import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { readmeSteps } from './readme.ts';
import { folderOf, type RunnableLanguage, runnable } from './servers.ts';
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

/** Commands that fail if the packages of Spring Boot and FastAPI cannot be downloaded. */
const downloads: Partial<Record<RunnableLanguage, string>> = {
  spring: 'mvn -q -f pom.xml dependency:resolve',
  fastapi:
    'python3 -c "import ensurepip" && python3 -m pip install -q --dry-run --ignore-installed -r requirements-test.txt',
};

function resolves(language: RunnableLanguage): boolean {
  const command = downloads[language];
  return command === undefined || spawnSync('sh', ['-c', command], { cwd: folderOf(language) }).status === 0;
}

for (const language of here.filter((name) => name !== 'node' && resolves(name))) {
  exampleSuite(language);
  readmeSteps(language);
}
