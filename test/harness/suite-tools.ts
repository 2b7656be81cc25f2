/** The tools that run the test suites of `examples/testing/`, by the name of the helper's folder. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './sources.ts';

type Command = readonly [tool: string, ...args: string[]];

/** For each tool: the command that runs a suite, and a command that succeeds if the tool is installed on this machine. */
const suiteTools = {
  python: [
    ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider'],
    ['python3', '-m', 'pytest', '--version'],
  ],
  go: [
    ['go', 'test', '-count=1', './...'],
    ['go', 'version'],
  ],
  // In addition to a JDK, Java needs packages from a registry.
  java: [
    ['mvn', '-B', '-ntp', 'test'],
    ['mvn', '-B', '-q', '-f', join(root, 'examples/testing/java/pom.xml'), 'dependency:resolve'],
  ],
  php: [['phpunit'], ['phpunit', '--version']],
  javascript: [
    [process.execPath, '--test'],
    [process.execPath, '--version'],
  ],
} as const satisfies Record<string, readonly [run: Command, check: Command]>;

export type SuiteTool = keyof typeof suiteTools;

/** Returns the command that runs a suite. */
export const suiteCommand = (name: SuiteTool): Command => suiteTools[name][0];

/** The tools that this machine has. */
export const installedSuiteTools = (Object.keys(suiteTools) as SuiteTool[]).filter((name) => {
  const [tool, ...args]: Command = suiteTools[name][1];
  return spawnSync(tool, args).status === 0;
});
