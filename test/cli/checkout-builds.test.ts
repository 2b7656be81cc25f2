/** Tests that a start in a checkout rebuilds the documentation and the dashboard if their sources changed. */
import { existsSync, globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, it, vi } from 'vitest';
import { buildDashboard, buildDocs } from '../../sandbox/cli/child-processes.ts';
import { root, sources } from '../../tools/docs/content.ts';
import { temporaryFolder } from '../harness/folders.ts';

/** Creates a build script that executes `then`, and that writes one file when it begins and another when it ends. */
async function builder(then: string) {
  const folder = await temporaryFolder();
  const [script, begun, ended] = ['build.mjs', 'begun', 'ended'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const lines = [
    "import { writeFileSync } from 'node:fs';",
    `process.once('exit', () => writeFileSync(${JSON.stringify(ended)}, ''));`,
    then,
    `writeFileSync(${JSON.stringify(begun)}, process.argv.slice(2).join(' '));`,
  ];
  await writeFile(script, lines.join('\n'));
  return { script, begun, ended };
}

const builds = [
  { part: 'documentation', command: 'npm run docs', build: buildDocs },
  { part: 'dashboard', command: 'npm run dashboard', build: buildDashboard },
];

it.each(builds)('a failed build prints a warning with what to do: $part', async ({ part, command, build }) => {
  const warn = vi.fn();
  const { script } = await builder('process.exit(1);');
  build(execPath, warn, script);
  const warning = `Could not build the ${part}. Run \`${command}\` to see why; everything else works without it.`;
  await vi.waitFor(() => expect(warn.mock.calls).toEqual([[warning]]), { timeout: 20_000 });
});

it('a successful build prints nothing, and a build that stops with the sandbox has not failed', async () => {
  const warn = vi.fn();
  const well = await builder('');
  buildDocs(execPath, warn, well.script);
  await vi.waitFor(() => expect(existsSync(well.ended)).toBe(true), { timeout: 20_000 });
  const long = await builder("process.once('SIGTERM', () => process.exit(1)); setInterval(() => {}, 1000);");
  const stop = buildDocs(execPath, warn, long.script);
  await vi.waitFor(() => expect(existsSync(long.begun)).toBe(true), { timeout: 20_000 });
  stop();
  await vi.waitFor(() => expect(existsSync(long.ended)).toBe(true), { timeout: 20_000 });
  // Exit events arrive in order, so this one arrives after both.
  const last = vi.fn();
  buildDocs(execPath, last, (await builder('process.exit(1);')).script);
  await vi.waitFor(() => expect(last).toHaveBeenCalled(), { timeout: 20_000 });
  expect(warn).not.toHaveBeenCalled();
});

it('every source of the documentation exists, so that a change to it is noticed', () => {
  const patterns = sources.flatMap((source) => {
    const choices = [...source.matchAll(/\{(.+?)\}/g)];
    const each = choices.flatMap(([choice, names = '']) =>
      names.split(',').map((name) => source.replace(choice, name)),
    );
    return each.length === 0 ? [source] : each;
  });
  expect(patterns.length).toBeGreaterThan(40);
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
});
