/** Runs a partner's server as a process in its own folder: the Node example, either correct or with one mistake. */
import { spawn } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../harness/folders.ts';
import { root } from '../harness/sources.ts';

/** The credentials in the guides. */
export const credentials = {
  SERVICE_TOKEN: 'your-service-token',
  BASIC_USER: 'microsite',
  BASIC_PASSWORD: 'your-password',
} as const;

/** For each mistake, the correct line in the ledger and its replacement. */
export const mistakes = {
  'writes the balance as text': ['balance: earned - redeemed,', 'balance: String(earned - redeemed),'],
  'credits twice on a repeat': [
    'if (before === values) return;',
    'if (before === values) return void (this.#customer(uid).earned += points);',
  ],
  'keeps the points of a rejected order': [
    "if (status === 'Rejected') this.#customer(redemption.uid).redeemed -= redemption.points;",
    '',
  ],
  'deducts beyond the balance': [
    "if (points > customer.earned - customer.redeemed) throw new Refused(422, 'User points have changed.');",
    '',
  ],
} as const;

export type Mistake = keyof typeof mistakes;

/** Copies the server into a folder, with the given mistake if any. Rejects if the example no longer contains the line to replace. */
export async function copyServer(folder: string, mistake?: Mistake): Promise<void> {
  await cp(join(root, 'examples/node'), folder, { recursive: true });
  if (mistake === undefined) return;
  const file = join(folder, 'ledger.js');
  const [right, wrong] = mistakes[mistake];
  const text = await readFile(file, 'utf8');
  if (text.split(right).length !== 2) throw new Error(`ledger.js does not have this line once: ${right}`);
  await writeFile(file, text.replace(right, wrong));
}

/** Starts the server for a test, on a free port. Resolves with its address. */
export async function ownServer(mistake?: Mistake): Promise<string> {
  const folder = await temporaryFolder();
  await copyServer(folder, mistake);
  const env = { ...process.env, ...credentials, PORT: '0' };
  const child = spawn(process.execPath, ['server.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  onTestFinished(() => {
    child.kill('SIGKILL');
    return ended;
  });
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (line) => {
      const [, url] = /^listening on (\S+)/.exec(String(line)) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
