import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Processes } from './processes.ts';

/** Programs for comparison or load that are not dependencies of the project. */
const packages = {
  mockoon: { name: '@mockoon/cli', version: '9.9.0', program: 'mockoon-cli' },
  autocannon: { name: 'autocannon', version: '9.0.0', program: 'autocannon' },
} as const;
type Peer = keyof typeof packages;

/** Downloads peers into a temporary folder, each once per run, without running their install scripts. */
export class Peers {
  readonly #dir: string;
  readonly #processes: Processes;
  readonly #folders = new Map<Peer, Promise<string>>();

  constructor(dir: string, processes: Processes) {
    this.#dir = dir;
    this.#processes = processes;
  }

  /** Returns the path of a peer's program. Rejects if the peer cannot be downloaded. */
  async program(peer: Peer): Promise<string> {
    const folder = await this.module(peer);
    const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      bin: Record<string, string> | string;
    };
    return join(folder, typeof bin === 'string' ? bin : (bin[packages[peer].program] ?? ''));
  }

  /** Returns the folder of a peer's package. Rejects if the peer cannot be downloaded. */
  module(peer: Peer): Promise<string> {
    const folder = this.#folders.get(peer) ?? this.#fetch(peer);
    this.#folders.set(peer, folder);
    return folder;
  }

  async #fetch(peer: Peer): Promise<string> {
    const { name, version } = packages[peer];
    const dir = join(this.#dir, `peer-${peer}`);
    mkdirSync(dir, { recursive: true });
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--json'];
    const run = this.#processes.run('npm', ['install', '--prefix', dir, `${name}@${version}`, ...quiet]);
    const status = await run.ending();
    if (status !== 0) throw new Error(`${name} ${version} could not be fetched`);
    return join(dir, 'node_modules', name);
  }
}
