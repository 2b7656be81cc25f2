/** A real Chromium for the tests of pages: the machine's own, else the one that comes with an npm package. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';

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

/** Where a machine says which fonts it has. */
const fonts = '/etc/fonts';

/** A browser, and what it needs to be gone without a trace. */
interface Launched {
  readonly browser: Browser;
  close(): Promise<void>;
}

/**
 * The browser of a test file, with more arguments where its tests need them: it is there from its first test to its
 * last. They fail, saying what to install, where there is none: these tests are never skipped.
 */
export function browserOfFile(...more: readonly string[]): () => Browser {
  let launched: Launched | undefined;
  beforeAll(async () => {
    launched = await launch(more);
  }, 120_000);
  afterAll(() => launched?.close());
  return () => {
    if (launched === undefined) throw new Error('the browser is there only while the tests of its file run');
    return launched.browser;
  };
}

async function launch(more: readonly string[]): Promise<Launched> {
  const own = [env.CHROME_PATH ?? '', ...onPath()].find((path) => path !== '' && existsSync(path));
  if (own !== undefined) {
    const browser = await chromium.launch({ executablePath: own, args: [...args, ...more] });
    return { browser, close: () => browser.close() };
  }
  return packaged(more);
}

function onPath(): string[] {
  const folders = (env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** The package unpacks its browser into the temporary folder, so each process gives it one of its own. */
async function packaged(more: readonly string[]): Promise<Launched> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-'));
  const before = env.TMPDIR;
  try {
    env.TMPDIR = folder;
    // With it the package brings the libraries that a bare machine lacks.
    env.AWS_LAMBDA_JS_RUNTIME = 'nodejs24.x';
    // Its fonts are for machines without any; beside others they end the browser at the first character that they lack.
    if (existsSync(join(fonts, 'fonts.conf'))) env.FONTCONFIG_PATH ??= fonts;
    const { default: packed } = await import('@sparticuz/chromium');
    const executablePath = await packed.executablePath();
    const browser = await chromium.launch({ executablePath, args: [...args, ...more] });
    const close = async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    };
    return { browser, close };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new Error(
      'These tests need a Chromium. Install one (Debian: apt-get install chromium), or set CHROME_PATH to one.',
      { cause: error },
    );
  } finally {
    if (before === undefined) delete env.TMPDIR;
    else env.TMPDIR = before;
  }
}

/** A page, and everything that it complained of: blocked by its policy, failed in its script, or logged as an error. */
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

/** Has the page's frames of other sites get no cookies, as many browsers do it. */
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
