/** Runs the collections with newman, Bruno and httpYac. Each makes all calls of its collection twice, and must report a refused call. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brunoFiles } from '../../tools/docs/collections/bruno.ts';
import { httpFile } from '../../tools/docs/collections/http-file.ts';
import { collection } from '../../tools/docs/collections/postman.ts';
import { withSandbox } from './running.ts';
import { command, Fault, outcome, type Tool } from './tool.ts';

/** A program that sends the calls of a collection. */
interface Sender {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** The path of the script inside its module. */
  readonly script: string;
  /** Returns the files of the collection. */
  readonly files: () => Readonly<Record<string, string>>;
  /** The script's arguments, which are relative to the folder of the files. */
  readonly options: readonly string[];
  /** Returns whether the output shows that all calls succeeded. */
  readonly allCarriedOut: (printed: string) => boolean;
}

/** The placeholder of the secret in each collection. The test replaces it with a wrong secret. */
const secret = '{{COMPANY_SECRET}}';

const senders: readonly Sender[] = [
  {
    name: 'newman',
    module: 'newman',
    version: '6.2.2',
    script: 'bin/newman.js',
    files: () => ({ 'calls.json': JSON.stringify(collection()) }),
    options: ['run', 'calls.json', '--color', 'off'],
    allCarriedOut: (printed) => /assertions │ +[1-9]\d+ │ +0 │/.test(printed),
  },
  {
    name: 'bruno',
    module: '@usebruno/cli',
    version: '4.1.0',
    script: 'bin/bru.js',
    files: brunoFiles,
    options: ['run', '-r', '.'],
    allCarriedOut: (printed) => /Requests +│ +([1-9]\d+) \(\1 Passed\)/.test(printed),
  },
  {
    name: 'httpyac',
    module: 'httpyac',
    version: '6.16.7',
    script: 'bin/httpyac.js',
    files: () => ({ 'calls.http': httpFile() }),
    options: ['send', 'calls.http', '--all', '--output', 'none', '--no-color'],
    allCarriedOut: (printed) => /([1-9]\d+) requests processed \(\1 succeeded\)/.test(printed),
  },
];

export const callCollections: readonly Tool[] = senders.map((sender) => ({
  name: sender.name,
  version: sender.version,
  needs: ['npm'],
  file: fileOf(sender),
  async install(tools) {
    const folder = join(tools, sender.name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-progress'];
    await command('npm', ['install', ...options, `${sender.module}@${sender.version}`], { cwd: folder });
  },
  run: (tools, work) => carriesOut(sender, join(tools, fileOf(sender)), work),
}));

function fileOf({ name, module, script }: Sender): string {
  return join(name, 'node_modules', module, script);
}

async function carriesOut(sender: Sender, script: string, work: string): Promise<string> {
  return await withSandbox({}, async ({ origin }) => {
    const at = (text: string) => text.replaceAll('http://127.0.0.1:4010', origin);
    const right = writeFiles(join(work, 'right'), sender, at);
    for (const run of ['first', 'second']) {
      const printed = await command(process.execPath, [script, ...sender.options], { cwd: right });
      if (!sender.allCarriedOut(printed)) throw new Fault(`the ${run} run does not say that all passed:\n${printed}`);
    }
    const wrong = writeFiles(join(work, 'wrong'), sender, (text) => at(text).replaceAll(secret, 'wrong'));
    const { code } = await outcome(process.execPath, [script, ...sender.options], { cwd: wrong });
    if (code === 0) throw new Fault('a run with a wrong secret passed');
    return 'all calls of its collection, twice; a refused one fails its run';
  });
}

/** Writes the changed files of a collection and returns their folder. */
function writeFiles(folder: string, { files }: Sender, change: (text: string) => string): string {
  for (const [name, text] of Object.entries(files())) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), change(text));
  }
  return folder;
}
