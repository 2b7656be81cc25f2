/** A copy of the project that a test changes as a developer would, step by step. */
import { execFileSync, spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { copyOf, root } from '../harness/project-copy.ts';

/** The exit code of a developer's command, and everything that it printed. */
export interface CommandResult {
  readonly code: number | null;
  readonly text: string;
}

export class ChangedCopy {
  readonly #folder: string;
  readonly #changedFiles = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies the project. The copy is removed after the test. */
  static async create(): Promise<ChangedCopy> {
    const copy = await copyOf(root);
    onTestFinished(() => copy[Symbol.asyncDispose]());
    // Tests of the layout use git to list the files.
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all', '--', ':!node_modules'],
    ])
      execFileSync('git', args, { cwd: copy.folder });
    return new ChangedCopy(copy.folder);
  }

  /** The files that were changed by hand, sorted. */
  get changedFiles(): readonly string[] {
    return [...this.#changedFiles].toSorted();
  }

  /** Inserts a text after another one that occurs once in the file, or at the end if none is named. Creates a missing file. */
  async add(file: string, text: string, after?: string): Promise<void> {
    if (after !== undefined) return this.replace(file, after, `${after}${text}`);
    const path = join(this.#folder, file);
    this.#changedFiles.add(file);
    const before = await readFile(path, 'utf8').catch(() => '');
    await writeFile(path, before + text);
  }

  /** Replaces a text that occurs once in the file. Throws otherwise. */
  async replace(file: string, text: string, by: string): Promise<void> {
    const path = join(this.#folder, file);
    const parts = (await readFile(path, 'utf8')).split(text);
    if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times: ${text}`);
    this.#changedFiles.add(file);
    await writeFile(path, parts.join(by));
  }

  /** `npm run generate`. */
  generate(): Promise<CommandResult> {
    return this.#run('tools/generate/generate.ts');
  }

  /** `npm run typecheck`, of all but the browser's code. */
  typecheck(): Promise<CommandResult> {
    return this.#run('node_modules/typescript7/bin/tsc', '-p', '.');
  }

  /** `npm test` with files, or `npm run test:nightly`. */
  test(config: 'gate' | 'nightly', ...args: readonly string[]): Promise<CommandResult> {
    const file = config === 'gate' ? 'test/vitest.config.ts' : 'test/vitest.nightly.config.ts';
    return this.#run('node_modules/vitest/vitest.mjs', 'run', '--config', file, ...args);
  }

  #run(...args: readonly string[]): Promise<CommandResult> {
    const { FORCE_COLOR: _, VITEST: __, TEST_COUNTS_FILE: ___, ...env } = process.env;
    const child = spawn(process.execPath, args, { cwd: this.#folder, env: { ...env, NO_COLOR: '1' } });
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
    }
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
  }
}
