/** Runs a copy of the guide's Python example as a partner's server, either correct or with mistakes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../harness/folders.ts';
import { closesWithTest } from '../harness/http-server.ts';
import type { TestSandbox } from '../harness/sandbox.ts';
import { root } from '../harness/sources.ts';

/** A file, a correct line in that file, and its faulty replacement. */
type Patch = readonly [file: string, right: string, wrong: string];

/** Typical newcomer mistakes. */
const pythonMistakes = {
  'credits twice on a repeat': ['ledger.py', 'if transaction_id in self._credits:', 'if False:'],
  'lets a customer act for another': ['operations.py', 'if caller is not None and caller != uid:', 'if False:'],
  'keeps the fee of a rejected order': [
    'ledger.py',
    '["redeemed"] -= redemption["points"]',
    '["redeemed"] -= int((redemption["values"][3:4] or [redemption["points"]])[0])',
  ],
} satisfies Readonly<Record<string, Patch>>;

export type PythonMistake = keyof typeof pythonMistakes;

/** Edits that reduce the server to the standard library's simplest one. Five connections can wait, and each serves one call. */
const plain: readonly Patch[] = [
  ['server.py', '    request_queue_size = 128\n', ''],
  ['server.py', '    protocol_version = "HTTP/1.1"\n', ''],
];

const secret = 'a-secret-of-the-tests-of-32-bytes-or-more';
const credentials = { SERVICE_TOKEN: 'your-service-token', BASIC_USER: 'microsite', BASIC_PASSWORD: 'your-password' };

/** A running server, with the `certify` inputs for it. */
export interface PythonServer {
  readonly url: string;
  /** The flags that the guide recommends. */
  readonly flags: readonly string[];
  readonly stop: () => Promise<void>;
}

/**
 * Starts the server with these mistakes on a free port, with a sandbox as its message gateway. The server stops after
 * the test. Rejects if the correct line of a mistake does not occur exactly once.
 */
export async function pythonServer(
  { origin, urls, credentials: { gateway_token } }: Pick<TestSandbox, 'origin' | 'urls' | 'credentials'>,
  mistakes: Iterable<PythonMistake> = [],
  { isPlain = false }: { readonly isPlain?: boolean } = {},
): Promise<PythonServer> {
  const folder = join(await temporaryFolder(), 'server');
  await cp(join(root, 'examples/python'), folder, { recursive: true });
  const patches = [...[...mistakes].map((mistake) => pythonMistakes[mistake]), ...(isPlain ? plain : [])];
  for (const patch of patches) await apply(folder, patch);
  const settings = {
    PORT: '0',
    OTP_LIMIT: '0',
    JWT_SECRET: secret,
    PYTHONDONTWRITEBYTECODE: '1',
    MESSAGE_GATEWAY_URL: `${urls.gateway}/v1/messages`,
    MESSAGE_GATEWAY_AUTHORIZATION: `Bearer ${gateway_token}`,
  };
  const env = { ...process.env, ...credentials, ...settings };
  const child = spawn('python3', ['server.py'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGKILL');
    return ended;
  };
  closesWithTest(stop);
  const url = await listening(child);
  const { SERVICE_TOKEN, BASIC_USER, BASIC_PASSWORD } = credentials;
  const flags = [
    ...['--client-url', url, '--service-token', SERVICE_TOKEN, '--basic', `${BASIC_USER}:${BASIC_PASSWORD}`],
    ...['--customer', 'CUST0001', '--customer', 'CUST0002', '--expired-token', expiredToken()],
    ...['--otp-gateway', '--sandbox', origin],
  ];
  return { url, flags, stop };
}

async function apply(folder: string, [name, right, wrong]: Patch): Promise<void> {
  const file = join(folder, name);
  const text = await readFile(file, 'utf8');
  if (text.split(right).length !== 2) throw new Error(`${name} does not have this once: ${right}`);
  await writeFile(
    file,
    text.replace(right, () => wrong),
  );
}

/** Resolves with the address that the server prints. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (line) => {
      const [, url] = /^listening on (\S+)/.exec(String(line)) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

/** Returns a long-expired token of the first customer, signed with the server's secret. */
function expiredToken(): string {
  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  const claims = { iss: 'client', aud: 'rewards-platform', sub: 'CUST0001', iat: 1_600_000_000, exp: 1_600_001_800 };
  // The server accepts only its own header, as Python serializes it.
  const signed = `${encoded('{"alg": "HS256", "typ": "JWT"}')}.${encoded(JSON.stringify(claims))}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}
