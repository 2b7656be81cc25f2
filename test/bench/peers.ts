import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Processes } from './processes.ts';

/** What is measured beside ours, or calls it, and is no dependency of the project. */
const known = {
  mockoon: { name: '@mockoon/cli', version: '9.9.0', program: 'mockoon-cli' },
  autocannon: { name: 'autocannon', version: '9.0.0', program: 'autocannon' },
} as const;
type Peer = keyof typeof known;

/** Fetches peers into a temporary folder, each once in a run; no script of theirs runs at that. */
export class Peers {
  readonly #dir: string;
  readonly #processes: Processes;
  readonly #folders = new Map<Peer, Promise<string>>();

  constructor(dir: string, processes: Processes) {
    this.#dir = dir;
    this.#processes = processes;
  }

  /** The path of a peer's program. Rejects where it cannot be fetched. */
  async program(peer: Peer): Promise<string> {
    const folder = await this.module(peer);
    const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      bin: Record<string, string> | string;
    };
    return join(folder, typeof bin === 'string' ? bin : (bin[known[peer].program] ?? ''));
  }

  /** The folder of a peer's package. Rejects where it cannot be fetched. */
  module(peer: Peer): Promise<string> {
    const folder = this.#folders.get(peer) ?? this.#fetched(peer);
    this.#folders.set(peer, folder);
    return folder;
  }

  async #fetched(peer: Peer): Promise<string> {
    const { name, version } = known[peer];
    const dir = join(this.#dir, `peer-${peer}`);
    mkdirSync(dir, { recursive: true });
    const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--json'];
    const run = this.#processes.run('npm', ['install', '--prefix', dir, `${name}@${version}`, ...quiet]);
    const status = await run.ending();
    if (status !== 0) throw new Error(`${name} ${version} could not be fetched`);
    return join(dir, 'node_modules', name);
  }
}
