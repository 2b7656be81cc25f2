/** The command line of `init`: copies a client server to start from. Its own composition root, as `start.ts` is another. */
import { cp, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { letReadersLeave, writeLines } from '../runtime/terminal.ts';
import { version } from '../version.ts';
import { parse } from './command-line.ts';
import { initCommand, languages } from './init-command.ts';
import { type Io, say } from './io.ts';

/** What the process ends with. */
const exitCodes = { copied: 0, usage: 2, environment: 3 } as const;

type Language = keyof typeof languages;

/** In a checkout the examples are beside `sandbox/`, in a package beside `dist/`. */
const up = import.meta.url.endsWith('.ts') ? '../../' : '../../../';
const examples = fileURLToPath(new URL(`${up}examples/`, import.meta.url));

/** What running an example leaves behind in its folder. */
const leftovers = [
  ...['node_modules', '__pycache__', 'out', 'bin', 'obj', 'server', 'server.log', 'ledger.sqlite'],
  ...['.sandbox-data', 'certify.json', 'certify.html', 'certificate.jws', 'certified.svg'],
];

/** Copies a client server into a folder. */
export async function main(io: Io): Promise<number> {
  letReadersLeave(io.stdout, io.stderr);
  const program = initCommand(version);
  const ended = await parse(program, io, io.args.slice(1));
  if (ended !== undefined) return ended;
  const [folder = ''] = program.processedArgs as string[];
  const { lang } = program.opts<{ lang: Language }>();
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
