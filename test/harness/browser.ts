/** A real Chromium for the tests of pages: the machine's own, else the one that comes with an npm package. */
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

/** The font configuration of the machine. */
const fonts = '/etc/fonts';

/** The browsers of this worker, one for each list of arguments: all its test files share them, and they end with the worker. */
const browsers = new Map<string, Promise<Browser>>();
let restarts = 0;

/**
 * The browser for the tests of a file, with more arguments where they need them. Each worker starts it once. A browser that died is
 * started again once, with a line on stderr; vitest repeats the test that it died in (`retry` in `vitest.config.ts`). Where there is
 * none the tests fail and say what to install: they are never skipped.
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

/** The browser of the package, unpacked once for a checkout: all workers and runs share it. */
async function packaged(more: readonly string[]): Promise<Browser> {
  const before = env.TMPDIR;
  try {
    // With it the package adds the libraries that a bare machine does not have. It reads both variables when it loads.
    env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
    env.TMPDIR = await unpacked();
    // Its fonts are for machines without any; next to other fonts they crash the browser at the first character that they do not have.
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

/** The folder of the unpacked browser. Workers that start at the same time each unpack it, and one of them wins. */
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

/** A page and its complaints: blocked by its policy, failed in its script, or logged as an error. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

/** A page of a context. A reply with an error status is no complaint; 502 is one where the client did not answer. */
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

/** Blocks cookies in the page's frames of other sites, as many browsers do. */
export async function blockThirdPartyCookies(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  // In the protocol, but not yet in the types of the driver.
  const command = session.send as unknown as (method: string, parameters: object) => Promise<void>;
  await command.call(session, 'Network.setCookieControls', {
    enableThirdPartyCookieRestriction: true,
    disableThirdPartyCookieMetadata: true,
    disableThirdPartyCookieHeuristics: true,
  });
}
