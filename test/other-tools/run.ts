/**
 * Runs third-party tools on the contracts and servers of this project. They are large or written in other languages, so
 * `npm test` does not include them. The output ends with a list of tools that cannot run on this machine. These
 * are not failures.
 *
 * Usage: `npm run test:tools -- [--install] [--folder <dir>] [tool...]`. Exits with 1 if a tool found a fault, or if no
 * tool could run.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { callCollections } from './collections.ts';
import { openapiGenerator } from './openapi-generator.ts';
import { schemathesis } from './schemathesis.ts';
import { testRunners } from './test-runners.ts';
import { Fault, has, type Tool, toolsFolder } from './tool.ts';

const tools: readonly Tool[] = [openapiGenerator, schemathesis, ...callCollections, ...testRunners];

interface Result {
  readonly tool: string;
  readonly outcome: 'passed' | 'FAILED' | 'could not run';
  readonly seconds: number;
  readonly says: string;
}

/** Returns the programs that a tool needs but the machine does not have. */
function missingPrograms({ needs }: Tool): string[] {
  return needs.filter((name) => !has(name));
}

async function result(tool: Tool, folder: string, install: boolean): Promise<Result> {
  const started = performance.now();
  const resultOf = (outcome: Result['outcome'], says: string): Result => {
    return { tool: `${tool.name} ${tool.version}`, outcome, seconds: (performance.now() - started) / 1000, says };
  };
  const missing = missingPrograms(tool);
  if (missing.length > 0) return resultOf('could not run', `this machine has no ${missing.join(', no ')}`);
  const installed = () => existsSync(join(folder, tool.file));
  if (!installed() && !install) return resultOf('could not run', 'not installed: run with --install');
  try {
    if (!installed()) await tool.install(folder);
  } catch (error) {
    return resultOf('could not run', `cannot be installed: ${(error as Error).message}`);
  }
  const work = mkdtempSync(join(tmpdir(), 'other-tools-'));
  try {
    const says = await tool.run(folder, work);
    rmSync(work, { recursive: true });
    return resultOf('passed', says);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return resultOf('FAILED', `${error.message}\nIts output is in ${work}`);
  }
}

const { values, positionals } = parseArgs({
  options: { install: { type: 'boolean', default: false }, folder: { type: 'string' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !tools.some((tool) => tool.name === name));
if (unknown.length > 0)
  throw new Error(`no such tool: ${unknown.join(', ')}; ${tools.map(({ name }) => name).join(', ')}`);
const folder = resolve(values.folder ?? toolsFolder);
mkdirSync(folder, { recursive: true });

const results: Result[] = [];
for (const tool of tools.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const one = await result(tool, folder, values.install);
  console.log(`${one.outcome}: ${one.tool} (${one.seconds.toFixed(0)} s): ${one.says}`);
  results.push(one);
}
console.log(`\n${results.map(({ tool, outcome }) => `${tool.padEnd(34)} ${outcome}`).join('\n')}`);
const passed = results.filter(({ outcome }) => outcome === 'passed').length;
const failed = results.filter(({ outcome }) => outcome === 'FAILED').length;
console.log(`\n${passed} passed, ${failed} failed, ${results.length - passed - failed} could not run`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
