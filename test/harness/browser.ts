/** Provides a real Chromium for page tests: the one installed on the machine, or the one from an npm package. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import process, { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { beforeEach } from 'vitest';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, 'node_modules/.cache/rewards-sandbox');

/** The machine's font configuration. */
const fonts = '/etc/fonts';

/** This worker's browsers, one per argument list. All test files of the worker share them, and they close when the worker ends. */
const browsers = new Map<string, Promise<Browser>>();
let restarts = 0;

/**
 * Returns a getter for the browser that a file's tests use, optionally started with extra arguments. Each worker starts a browser only
 * once. If the browser crashes, it is restarted once, with a line on stderr. vitest repeats the interrupted test (`retry` in
 * `vitest.config.ts`). Without a browser, the tests fail with installation instructions. They are never skipped.
 */
export function browserOfFile(...more: readonly string[]): () => Browser {
  let browser: Browser | undefined;
  beforeEach(async () => {
    browser = await connected(more);
  }, 120_000);
  return () => {
    if (browser === undefined) throw new Error('The browser exists only while the tests of its file run.');
    return browser;
  };
}

async function connected(more: readonly string[]): Promise<Browser> {
  const key = more.join(' ');
  const started = await browsers.get(key);
  if (started?.isConnected()) return started;
  if (started !== undefined) {
    restarts += 1;
    if (restarts > 1) throw new Error('Chromium died twice in this worker.');
    process.stderr.write('Chromium died. The test harness starts it once more.\n');
  }
  const starting = launch(more);
  browsers.set(key, starting);
  return starting;
}

async function launch(more: readonly string[]): Promise<Browser> {
  const own = [env.CHROME_PATH ?? '', ...onPath()].find((path) => path !== '' && existsSync(path));
  if (own !== undefined) return chromium.launch({ executablePath: own, args: [...args, ...more] });
  return packaged(more);
}

function onPath(): string[] {
  const folders = (env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** Launches the package's browser. It is unpacked once per checkout and shared by all workers and runs. */
async function packaged(more: readonly string[]): Promise<Browser> {
  const before = env.TMPDIR;
  try {
    // With this variable, the package adds libraries that are missing on a bare machine. The package reads both variables on load.
    env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
    env.TMPDIR = await unpacked();
    // The package's fonts are for machines without any. Alongside other fonts, they crash the browser at the first missing character.
    if (existsSync(join(fonts, 'fonts.conf'))) env.FONTCONFIG_PATH ??= fonts;
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    return await chromium.launch({ executablePath, args: [...args, ...more] });
  } catch (error) {
    throw new Error(
      'These tests need a Chromium. Install one (Debian: apt-get install chromium), or set CHROME_PATH to one.',
      { cause: error },
    );
  } finally {
    if (before === undefined) delete env.TMPDIR;
    else env.TMPDIR = before;
  }
}

/** Returns the folder of the unpacked browser. Workers that start concurrently each unpack a copy, and one copy wins. */
async function unpacked(): Promise<string> {
  const folder = join(cache, 'chromium');
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const own = await mkdtemp(join(cache, 'unpacking-'));
  const program = "import('@sparticuz/chromium').then(({ default: packed }) => packed.executablePath())";
  await promisify(execFile)(process.execPath, ['--eval', program], { cwd: root, env: { ...env, TMPDIR: own } });
  await rename(own, folder).catch(async (error) => {
    await rm(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}

/** A page and its complaints: policy violations, script failures and logged errors. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

/** Opens a page that records complaints. Replies with a 4xx status, or with 502 (no reply from the client), are not complaints. */
export async function watched(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    const failed = /^Failed to load resource: the server responded with a status of (4\d\d|502)/.test(message.text());
    if (message.type() === 'error' && !failed) complaints.push(message.text());
  });
  return { page, complaints };
}

/** Blocks third-party cookies in the page's frames, as many browsers do. */
export async function blockThirdPartyCookies(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  // The protocol has this command, but the driver's types do not yet.
  const command = session.send as unknown as (method: string, parameters: object) => Promise<void>;
  await command.call(session, 'Network.setCookieControls', {
    enableThirdPartyCookieRestriction: true,
    disableThirdPartyCookieMetadata: true,
    disableThirdPartyCookieHeuristics: true,
  });
}
