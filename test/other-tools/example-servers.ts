/** The client servers of `examples/` whose language a machine may lack: built, started, and held to the table of rules. */
import { join } from 'node:path';
import { version } from '../../sandbox/version.ts';
import { command, Fault, root, type Tool } from './tool.ts';

const languages = [
  ['go', ['go']],
  ['java', ['java', 'javac']],
  ['php', ['php']],
] as const;

export const exampleServers: readonly Tool[] = languages.map(([language, needs]) => ({
  name: `example-${language}`,
  version,
  needs,
  // Nothing is installed: a server needs its language and nothing else.
  file: '.',
  install: async () => {},
  async run() {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const file = `test/examples/${language}.tools.test.ts`;
    const args = [vitest, 'run', '--config', 'test/vitest.tools.config.ts', '--no-color', file];
    const printed = await command(process.execPath, args, { cwd: root });
    const [, passed] = /Tests +(\d+) passed/.exec(printed) ?? [];
    if (passed === undefined) throw new Fault(`vitest did not say how many tests passed:\n${printed}`);
    return `${passed} tests of the server in ${language}`;
  },
}));
