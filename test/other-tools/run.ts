/**
 * Runs tools of others on what this project publishes and serves. They are written in other languages or are large, so
 * that they are no part of `npm test`: what the machine cannot run is named at the end, and is no failure.
 *
 * Usage: `npm run test:tools -- [--install] [--folder <dir>] [tool...]`. Ends with 1 where a tool found a fault, and
 * where none could run.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oapiCodegen } from './clients-go.ts';
import { pythonClients, pythonModels } from './clients-python.ts';
import { callCollections } from './collections.ts';
import { containerLinters } from './container.ts';
import { lighthouse } from './lighthouse.ts';
import { openapiGenerator } from './openapi-generator.ts';
import { sarifMultitool } from './sarif.ts';
import { schemathesis } from './schemathesis.ts';
import { testRunners } from './test-runners.ts';
import { Fault, has, type Tool, toolsFolder } from './tool.ts';
import { standardWebhooks } from './webhooks-python.ts';

const tools: readonly Tool[] = [
  openapiGenerator,
  oapiCodegen,
  pythonClients,
  pythonModels,
  schemathesis,
  standardWebhooks,
  sarifMultitool,
  ...callCollections,
  ...testRunners,
  ...containerLinters,
  lighthouse,
];

/** Known tools that no registry has: they load a program from elsewhere, or their language is one. */
const notToBeHad = ['vacuum: its module is on no Go proxy, and its npm package downloads a program from elsewhere'];

interface Result {
  readonly tool: string;
  readonly came: 'passed' | 'FAILED' | 'could not run';
  readonly seconds: number;
  readonly says: string;
}

/** What the machine lacks for a tool. */
function lacking({ needs }: Tool): string[] {
  return needs.filter((name) => !has(name));
}

async function result(tool: Tool, folder: string, install: boolean): Promise<Result> {
  const started = performance.now();
  const ended = (came: Result['came'], says: string): Result => {
    return { tool: `${tool.name} ${tool.version}`, came, seconds: (performance.now() - started) / 1000, says };
  };
  const lacks = lacking(tool);
  if (lacks.length > 0) return ended('could not run', `this machine has no ${lacks.join(', no ')}`);
  const installed = () => existsSync(join(folder, tool.file));
  if (!installed() && !install) return ended('could not run', 'not installed: run with --install');
  try {
    if (!installed()) await tool.install(folder);
  } catch (error) {
    return ended('could not run', `cannot be installed: ${(error as Error).message}`);
  }
  const work = mkdtempSync(join(tmpdir(), 'other-tools-'));
  try {
    const says = await tool.run(folder, work);
    rmSync(work, { recursive: true });
    return ended('passed', says);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return ended('FAILED', `${error.message}\nWhat it wrote is in ${work}`);
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
  const came = await result(tool, folder, values.install);
  console.log(`${came.came}: ${came.tool} (${came.seconds.toFixed(0)} s): ${came.says}`);
  results.push(came);
}
console.log(`\n${results.map(({ tool, came }) => `${tool.padEnd(34)} ${came}`).join('\n')}`);
for (const reason of notToBeHad) console.log(`not to be had: ${reason}`);
const passed = results.filter(({ came }) => came === 'passed').length;
const failed = results.filter(({ came }) => came === 'FAILED').length;
console.log(`\n${passed} passed, ${failed} failed, ${results.length - passed - failed} could not run`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
