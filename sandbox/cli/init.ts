/** The `init` command, which copies a client server to start from. It has its own composition root, like `start.ts`. */

import { cp, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, Option } from 'commander';
import { writeLines } from '../runtime/terminal.ts';
import { replaceFile } from '../store/files.ts';
import { version } from '../version.ts';
import type { Act } from './command-line.ts';
import { failWith, type Io } from './io.ts';

/** A server to start from: the setup of its CI file, and its commands. */
interface Starter {
  /** The action that installs the language, with its inputs. Node is preinstalled. */
  readonly setup?: string;
  readonly test: string;
  readonly build?: string;
  readonly start: string;
  /** Additional files of the package that the server's build needs, by target path. */
  readonly files?: Readonly<Record<string, string>>;
}

const python =
  "actions/setup-python@a26af69be951a213d495a4c3e4e4022e16d87065 # v5.6.0\n        with: { python-version: '3.12' }";

const java =
  "actions/setup-java@c5195efecf7bdfc987ee8bae7a71cb8b11521c00 # v4.7.1\n        with: { distribution: temurin, java-version: '21' }";

/** The available servers by language. Each one is a folder of `examples/`. */
export const languages = {
  node: { test: 'node --test', start: 'node server.js' },
  python: {
    setup: python,
    test: 'python3 -m unittest',
    start: 'python3 server.py',
  },
  fastapi: {
    setup: python,
    test: '.venv/bin/pip install -q -r requirements-test.txt && .venv/bin/python -m pytest',
    build: 'python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt',
    start: '.venv/bin/python -m app',
  },
  spring: {
    setup: java,
    test: 'mvn -q test',
    build: 'mvn -q -DskipTests package',
    start: 'java -jar target/client-server-1.0.0.jar',
    files: {
      'src/main/openapi/client.generators.json': 'generated/client/generators.json',
      'src/main/openapi/v2-client.generators.json': 'generated/v2-client/generators.json',
      'src/test/java/com/example/rewards/RewardsSandbox.java':
        'examples/testing/java/src/main/java/com/example/rewards/RewardsSandbox.java',
    },
  },
  java: {
    setup: java,
    test: 'javac -d out src/*.java test/*.java && java -cp out ServerTest',
    build: 'javac -d out src/*.java',
    start: 'java -cp out Server',
  },
  go: {
    setup: 'actions/setup-go@d35c59abb061a4a6fb18e82ac0862c26744d6ab5 # v5.5.0\n        with: { go-version: stable }',
    test: 'go test ./...',
    build: 'go build -o server .',
    start: './server',
  },
  php: {
    setup:
      "shivammathur/setup-php@bf6b4fbd49ca58e4608c9c89fba0b8d90bd2a39f # 2.35.5\n        with: { php-version: '8.3', extensions: 'pdo_sqlite, pcntl, posix' }",
    test: 'php test/server_test.php',
    start: 'php serve.php',
  },
  csharp: {
    setup:
      "actions/setup-dotnet@67a3573c9a986a3f9c594539f4ab511d57bb3ce9 # v4.3.1\n        with: { dotnet-version: '8.0.x' }",
    test: 'dotnet test tests',
    start: 'dotnet run',
  },
} satisfies Readonly<Record<string, Starter>>;

const help = `
Examples:
  rewards-sandbox init --lang python            into the folder client-server (default)
  rewards-sandbox init --lang fastapi           FastAPI with pydantic models, SQLite and pytest
  rewards-sandbox init --lang spring            a Maven project with Spring Boot, JDBC and a JUnit test
  rewards-sandbox init --lang go points-api     into another folder, new or empty

Exit codes:
  0 copied   2 usage error, or the folder is not empty   3 environment: cannot write to the folder`;

/** Adds the `init` command to the program. */
export function addTo(program: Command, act: Act): void {
  program
    .command('init')
    .description(
      'Copy a client server to start from: small and readable, with a README, tests, certify.yaml and a CI file.',
    )
    .argument('[folder]', 'target folder', 'client-server')
    .addOption(
      new Option('--lang <language>', 'programming language').choices(Object.keys(languages)).makeOptionMandatory(),
    )
    .version(version)
    .addHelpText('after', help)
    .action(act(copyServer));
}

/** Exit codes of `init`. */
const exitCodes = { copied: 0, usage: 2, environment: 3 } as const;

type Language = keyof typeof languages;

/** In a checkout, the examples are next to `sandbox/`; in a package, they are next to `dist/`. */
const up = import.meta.url.endsWith('.ts') ? '../../' : '../../../';
const examples = fileURLToPath(new URL(`${up}examples/`, import.meta.url));

/** Returns the URL of a file in `examples/` or in `generated/`, which a package contains in `dist/`. */
function packageFile(path: string): URL {
  return new URL(path.startsWith('generated/') ? `../../${path}` : `${up}${path}`, import.meta.url);
}

/** Files that running an example creates in its folder. They are not copied. */
const leftovers = [
  ...[
    'node_modules',
    'target',
    '.venv',
    '.pytest_cache',
    '__pycache__',
    'out',
    'bin',
    'obj',
    'server',
    'server.log',
    'ledger.sqlite',
    'ledger.sqlite-shm',
    'ledger.sqlite-wal',
    'ledger.mv.db',
  ],
  ...['.sandbox-data', 'certify.json', 'certify.html', 'certificate.jws', 'certified.svg'],
];

/** Copies a client server into a folder. */
async function copyServer(io: Io, folder: string, { lang }: { readonly lang: Language }): Promise<number> {
  try {
    if (!(await isFree(folder))) {
      const problem = `${folder} is not empty, and existing files are never overwritten.`;
      return failWith(io, exitCodes.usage, `${problem} Choose another folder.`);
    }
    const filter = (path: string) => !leftovers.includes(basename(path));
    for (const name of [lang, 'starter']) await cp(join(examples, name), folder, { recursive: true, filter });
    const starter: Starter = languages[lang];
    for (const [target, source] of Object.entries(starter.files ?? {})) {
      await cp(packageFile(source), join(folder, target));
    }
    const workflow = join(folder, '.github/workflows/certify.yml');
    await replaceFile(workflow, filledIn(await readFile(workflow, 'utf8'), starter));
  } catch (error) {
    return failWith(io, exitCodes.environment, `Cannot write to ${folder}: ${(error as Error).message}`);
  }
  writeLines(io.stdout, ...nextSteps(languages[lang], folder));
  return exitCodes.copied;
}

/** Fills in the CI file of a server. Steps that the server does not need are removed. */
function filledIn(workflow: string, { setup, test, build, start }: Starter): string {
  const values = Object.entries({ SETUP: setup && `uses: ${setup}`, TEST: test, BUILD: build, START: start });
  const lines = workflow.split('\n').flatMap((line) => {
    const found = values.find(([name]) => line.includes(` ${name}`));
    if (found === undefined) return [line];
    const [name, value] = found;
    return value === undefined ? [] : [line.replace(name, () => value)];
  });
  return lines.join('\n');
}

/** Returns whether a folder is empty or does not exist. */
async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
}

function nextSteps({ build, start }: Starter, folder: string): readonly string[] {
  return [
    `Copied a client server to ${folder}. Start it:`,
    `  cd ${folder}`,
    '  export SERVICE_TOKEN=your-service-token BASIC_USER=microsite BASIC_PASSWORD=your-password',
    ...(build === undefined ? [] : [`  ${build}`]),
    `  ${start}`,
    'In another terminal, start a sandbox that calls it:',
    '  rewards-sandbox --client-url http://127.0.0.1:8080 --client-token your-service-token',
    'README.md explains how to test it, which file to replace with your own ledger, and how to certify it.',
    '`npx --no-install rewards-sandbox` in README.md needs the package installed: npm install --global ./rewards-sandbox-sandbox-VERSION.tgz',
  ];
}
