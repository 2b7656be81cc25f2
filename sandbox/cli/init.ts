/** The `init` command: copies a client server to start from. Its own composition root, as `start.ts` is another. */

import { cp, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { writeLines } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import type { Act } from './command-line.ts';
import { type Io, say } from './io.ts';

/** The languages there is a server in, each in its folder of `examples/`, and how it is started there. */
export const languages = {
  node: ['node server.js'],
  python: ['python3 server.py'],
  java: ['javac -d out src/*.java', 'java -cp out Server'],
  go: ['go build -o server .', './server'],
  php: ['php serve.php'],
  csharp: ['dotnet run'],
} as const;

const help = `
Examples:
  rewards-sandbox init --lang python            into the folder client-server (default)
  rewards-sandbox init --lang go points-api     into another folder, new or empty

Exit codes:
  0 copied   2 usage error, or the folder is not empty   3 environment: cannot write to the folder`;

/** Adds `init`. */
export function addTo(program: Command, act: Act): void {
  program
    .command('init')
    .description('Copy a client server to start from: small and readable, with a README, tests and a CI file.')
    .argument('[folder]', 'target folder', 'client-server')
    .addOption(
      new Option('--lang <language>', 'programming language').choices(Object.keys(languages)).makeOptionMandatory(),
    )
    .version(version)
    .addHelpText('after', help)
    .action(act(copyServer));
}

/** What the process ends with. */
const exitCodes = { copied: 0, usage: 2, environment: 3 } as const;

type Language = keyof typeof languages;

/** In a checkout the examples are next to `sandbox/`, in a package next to `dist/`. */
const up = import.meta.url.endsWith('.ts') ? '../../' : '../../../';
const examples = fileURLToPath(new URL(`${up}examples/`, import.meta.url));

/** What running an example leaves behind in its folder. */
const leftovers = [
  ...['node_modules', '__pycache__', 'out', 'bin', 'obj', 'server', 'server.log', 'ledger.sqlite'],
  ...['.sandbox-data', 'certify.json', 'certify.html', 'certificate.jws', 'certified.svg'],
];

/** Copies a client server into a folder. */
async function copyServer(io: Io, folder: string, { lang }: { readonly lang: Language }): Promise<number> {
  try {
    if (!(await isFree(folder))) {
      say(io, `${folder} is not empty, and existing files are never overwritten. Choose another folder.`);
      return exitCodes.usage;
    }
    const source = join(examples, lang);
    await cp(source, folder, { recursive: true, filter: (path) => !leftovers.includes(basename(path)) });
  } catch (error) {
    say(io, `Cannot write to ${folder}: ${(error as Error).message}`);
    return exitCodes.environment;
  }
  writeLines(io.stdout, ...nextSteps(lang, folder));
  return exitCodes.copied;
}

/** Whether nothing is there, or an empty folder. */
async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

function nextSteps(lang: Language, folder: string): readonly string[] {
  return [
    `Copied a client server to ${folder}. Start it:`,
    `  cd ${folder}`,
    '  export SERVICE_TOKEN=your-service-token BASIC_USER=microsite BASIC_PASSWORD=your-password',
    ...languages[lang].map((step) => `  ${step}`),
    'In another terminal, start a sandbox that calls it:',
    '  rewards-sandbox --client-url http://127.0.0.1:8080 --client-token your-service-token',
    'README.md explains how to test it, which file to replace with your own ledger, and how to certify it.',
    '`npx --no-install rewards-sandbox` in README.md needs the package installed: npm install --global ./rewards-sandbox-sandbox-VERSION.tgz',
  ];
}
