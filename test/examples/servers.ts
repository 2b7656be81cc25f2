/** Builds and starts the client servers in `examples/`. Each is built once and starts as its README describes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { inProcess } from '../harness/command.ts';
import { execute, withoutTestRunner } from '../harness/shell.ts';
import { root } from '../harness/sources.ts';

/** Languages whose servers the tests can start. The C# server is not tested. */
export type RunnableLanguage = 'node' | 'python' | 'fastapi' | 'spring' | 'java' | 'go' | 'php';

/** A message sent to the message gateway. */
export interface Message {
  readonly channel: string;
  readonly to: string;
  readonly text: string;
  readonly customer_id: string;
  readonly reference_id: string;
}

/** A running example server. */
export interface ExampleServer {
  readonly url: string;
  readonly serviceToken: string;
  readonly basic: { readonly username: string; readonly password: string };
  /** The server's messages to the message gateway, each with its `Authorization` header. */
  readonly messages: (Message & { readonly authorization: string | undefined })[];
  /** Returns the server's output so far. */
  readonly printed: () => string;
  /** Stops the server and returns its exit code. */
  readonly stop: () => Promise<number | null>;
}

interface Toolchain {
  readonly needs: readonly string[];
  /** Set if the server is built and tested in a folder created by `init`, and not in the repository. */
  readonly assembled?: true;
  /** The exit code after SIGTERM, unless it is 0. */
  readonly terminated?: number;
  /** Commands that build the server into a folder. */
  readonly build: (folder: string) => readonly (readonly [string, ...string[]])[];
  readonly start: (folder: string) => readonly [string, ...string[]];
  /** The example's own tests, as its README runs them. */
  readonly test: (folder: string) => readonly (readonly [string, ...string[]])[];
}

const toolchains: Readonly<Record<RunnableLanguage, Toolchain>> = {
  node: {
    needs: ['node'],
    build: () => [],
    start: () => ['node', 'server.js'],
    test: () => [['node', '--test']],
  },
  python: {
    needs: ['python3'],
    build: () => [],
    start: () => ['python3', 'server.py'],
    test: () => [['python3', '-m', 'unittest']],
  },
  fastapi: {
    needs: ['python3'],
    assembled: true,
    build: () => [
      ['python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '-q', '-r', 'requirements-test.txt'],
    ],
    start: (folder) => [join(folder, '.venv/bin/python'), '-m', 'app'],
    test: () => [['.venv/bin/python', '-m', 'pytest']],
  },
  spring: {
    needs: ['java', 'javac', 'mvn'],
    assembled: true,
    // The JVM's exit code after an orderly shutdown on SIGTERM.
    terminated: 143,
    build: () => [['mvn', '-B', '-q', '-ntp', '-DskipTests', 'package']],
    start: (folder) => ['java', '-jar', join(folder, 'target/client-server-1.0.0.jar')],
    test: () => [['mvn', '-B', '-ntp', 'test']],
  },
  java: {
    needs: ['java', 'javac'],
    build: (folder) => [['javac', '-d', folder, ...javaSources]],
    start: (folder) => ['java', '-cp', folder, 'Server'],
    test: (folder) => [
      ['javac', '-d', folder, ...javaSources, 'test/ServerTest.java'],
      ['java', '-cp', folder, 'ServerTest'],
    ],
  },
  go: {
    needs: ['go'],
    build: (folder) => [['go', 'build', '-o', join(folder, 'server'), '.']],
    start: (folder) => [join(folder, 'server')],
    test: () => [['go', 'test', './...']],
  },
  php: {
    needs: ['php'],
    build: () => [],
    start: () => ['php', 'serve.php'],
    test: () => [['php', 'test/server_test.php']],
  },
};

/** Returns the languages whose tools are on a PATH. */
export function runnable(path = process.env.PATH ?? ''): RunnableLanguage[] {
  const has = (name: string) => path.split(delimiter).some((folder) => existsSync(join(folder, name)));
  const languages = Object.keys(toolchains) as RunnableLanguage[];
  return languages.filter((language) => toolchains[language].needs.every(has));
}

const javaSources = ['Json', 'Ledger', 'Operations', 'Otp', 'Refused', 'Server', 'Tokens'].map(
  (name) => `src/${name}.java`,
);

/** Returns a server's exit code after SIGTERM. */
export function terminated(language: RunnableLanguage): number {
  return toolchains[language].terminated ?? 0;
}

/** Settings that prevent downloads by Go. An example needs only its language, and with Maven or pip also a registry. */
export const offline = { GOPROXY: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod', PYTHONDONTWRITEBYTECODE: '1' };

const settings = { SERVICE_TOKEN: 'service-token-of-the-tests', BASIC_USER: 'microsite', BASIC_PASSWORD: 'p:ss word' };

/** Returns the path of a language's example folder. */
export function folderOf(language: string): string {
  return join(root, 'examples', language, '/');
}

/** Number of started servers, which gives each server its own ledger file. */
let started = 0;

const built = new Map<RunnableLanguage, Promise<string>>();

/** Builds a server on first use. Returns the build folder. */
function build(language: RunnableLanguage): Promise<string> {
  const before = built.get(language);
  if (before !== undefined) return before;
  const building = buildAnew(language);
  built.set(language, building);
  return building;
}

async function buildAnew(language: RunnableLanguage): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `example-${language}-`));
  const { assembled, build } = toolchains[language];
  if (assembled) await inProcess(['init', '--lang', language, folder]).ended;
  for (const command of build(folder)) await runIn(language, command, folder);
  return folder;
}

/** Running servers and their resources. */
const underWay = new Map<ChildProcess, { readonly close: () => Promise<unknown> }>();

/** Stops all running servers and removes the builds. */
export async function cleanUp(): Promise<void> {
  for (const [child, gateway] of underWay) {
    child.kill('SIGKILL');
    await gateway.close();
  }
  underWay.clear();
  const folders = [...built.values()];
  built.clear();
  for (const folder of folders) await rm(await folder, { recursive: true, force: true });
}

/** Starts an example server on a free port, with additional settings in `more`. The limit on one-time passwords is off. */
export async function startExample(language: RunnableLanguage, more: NodeJS.ProcessEnv = {}): Promise<ExampleServer> {
  const folder = await build(language);
  started += 1;
  const gateway = await messageGateway();
  const [file, ...args] = toolchains[language].start(folder);
  const child = spawn(file, args, {
    cwd: folderOf(language),
    env: {
      ...process.env,
      ...offline,
      ...settings,
      PORT: '0',
      OTP_LIMIT: '0',
      LEDGER_FILE: join(folder, `ledger-${started}.sqlite`),
      MESSAGE_GATEWAY_URL: gateway.url,
      MESSAGE_GATEWAY_AUTHORIZATION: 'Bearer gateway-token',
      ...more,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  underWay.set(child, gateway);
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const stop = async () => {
    child.kill('SIGTERM');
    const code = await ended;
    underWay.delete(child);
    await gateway.close();
    return code;
  };
  const { SERVICE_TOKEN: serviceToken, BASIC_USER: username, BASIC_PASSWORD: password } = settings;
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  const url = await listening(child);
  return { url, printed: () => output, serviceToken, basic: { username, password }, messages: gateway.messages, stop };
}

/** Runs an example's own tests and returns their output. Rejects with that output if a test fails. */
export async function ownTests(language: RunnableLanguage): Promise<string> {
  const folder = await build(language);
  let printed = '';
  for (const command of toolchains[language].test(folder)) printed += await runIn(language, command, folder);
  return printed;
}

async function runIn(
  language: RunnableLanguage,
  [file, ...args]: readonly [string, ...string[]],
  built: string,
): Promise<string> {
  const cwd = toolchains[language].assembled ? built : folderOf(language);
  const REWARDS_SANDBOX_COMMAND = `${process.execPath} ${join(root, 'sandbox/bin.js')}`;
  const env = { ...withoutTestRunner(), ...offline, REWARDS_SANDBOX_COMMAND };
  const { code, stdout, stderr } = await execute(file, args, { cwd, env });
  if (code === 0) return stdout + stderr;
  throw new Error(`${[file, ...args].join(' ')} failed in examples/${language}:\n${stdout}${stderr}`);
}

/** Resolves with the URL that a server prints once it listens. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      const match = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(printed);
      if (match?.[1] !== undefined) resolve(match[1]);
    });
    child.once('exit', (code) => reject(new Error(`it ended with ${code} before it listened: ${printed}`)));
    child.once('error', reject);
  });
}

async function messageGateway() {
  const messages: ExampleServer['messages'] = [];
  const server = createServer(async (request, response) => {
    messages.push({ ...((await json(request)) as Message), authorization: request.headers.authorization });
    response.writeHead(202, { 'Content-Type': 'application/json' });
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`, messages, close };
}
