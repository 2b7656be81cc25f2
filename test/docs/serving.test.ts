/** Tests that `/docs` serves only static files from one folder, under a strict policy (OP-99). */
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { raw, testSandbox } from '../harness/sandbox.ts';

const policy =
  "default-src 'none'; script-src 'self'; " +
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docs-serving-'));
  const site = join(folder, 'site');
  await mkdir(join(site, 'reference'), { recursive: true });
  await Promise.all([
    writeFile(join(folder, 'secret.html'), 'outside'),
    writeFile(join(site, 'index.html'), 'start'),
    writeFile(join(site, '404.html'), 'no such page'),
    writeFile(join(site, 'errors.html'), 'errors'),
    writeFile(join(site, 'app.js'), 'script'),
    writeFile(join(site, '.key'), 'hidden'),
    writeFile(join(site, 'reference/index.html'), 'reference'),
    writeFile(join(site, 'reference/rewards.json'), '{}'),
    writeFile(join(site, 'large.json'), ' '.repeat(20_000_000)),
    writeFile(join(site, 'earn.arazzo.yaml'), 'arazzo: 1.0.1'),
    writeFile(join(site, 'errors.md'), '# Errors'),
    writeFile(join(site, 'llms.txt'), '# Pages'),
    writeFile(join(site, 'inter.woff2'), 'font'),
    writeFile(join(site, 'overview.webp'), 'picture'),
    writeFile(join(site, 'app.js.gz'), gzipSync('script')),
    symlink(join(folder, 'secret.html'), join(site, 'link.html')),
  ]);
});

afterAll(() => rm(folder, { recursive: true }));

const startWithDocs = () => testSandbox({ docs: join(folder, 'site') });

/** Requests a path exactly as written. `fetch` would normalize it. */
function requestPath(origin: string, path: string, method = 'GET'): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const { hostname, port } = new URL(origin);
  request({ hostname, port, path, method }, async (response) => {
    resolve({ status: response.statusCode ?? 0, body: (await response.toArray()).join('') });
  })
    .on('error', reject)
    .end();
  return promise;
}

it.each([
  ['/docs/', 'text/html; charset=utf-8', 'start', policy],
  ['/docs/errors', 'text/html; charset=utf-8', 'errors', policy],
  ['/docs/app.js', 'text/javascript; charset=utf-8', 'script', policy],
  ['/docs/earn.arazzo.yaml', 'application/yaml', 'arazzo: 1.0.1', policy],
  ['/docs/errors.md', 'text/markdown; charset=utf-8', '# Errors', policy],
  ['/docs/llms.txt', 'text/plain; charset=utf-8', '# Pages', policy],
  ['/docs/inter.woff2', 'font/woff2', 'font', policy],
  ['/docs/overview.webp', 'image/webp', 'picture', policy],
  ['/docs/reference/', 'text/html; charset=utf-8', 'reference', `${policy}; style-src-attr 'unsafe-inline'`],
  ['/docs/reference/rewards.json', 'application/json', '{}', `${policy}; style-src-attr 'unsafe-inline'`],
])('%s has its type and its policy, and forbids content sniffing', async (path, type, text, expectedPolicy) => {
  const { origin } = await startWithDocs();
  const answer = await fetch(origin + path);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe(text);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': type,
    'content-security-policy': expectedPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
});

it('OP-99: a file that the client has cached is not sent again', async () => {
  const { origin } = await startWithDocs();
  const etag = (await fetch(`${origin}/docs/errors`)).headers.get('etag') ?? '';
  // Node's fetch adds `Cache-Control: no-cache`, which applies to intermediate caches and not to the server.
  const again = await fetch(`${origin}/docs/errors`, { headers: { 'If-None-Match': etag } });
  expect({ status: again.status, body: await again.text() }).toEqual({ status: 304, body: '' });
});

it('a file with a compressed copy is sent compressed, but only to clients that accept gzip (RFC 9110, 12.5.3)', async () => {
  const { origin } = await startWithDocs();
  const fetchAs = async (accepted: string) => {
    const answer = await fetch(`${origin}/docs/app.js`, { headers: { 'Accept-Encoding': accepted } });
    const { headers } = answer;
    const of = (name: string) => headers.get(name);
    return { text: await answer.text(), encoding: of('content-encoding'), vary: of('vary'), etag: of('etag') };
  };
  const [plain, small, refused] = [await fetchAs('identity'), await fetchAs('gzip, br'), await fetchAs('gzip;q=0')];
  expect(plain).toMatchObject({ text: 'script', encoding: null, vary: 'Accept-Encoding' });
  expect(refused).toEqual(plain);
  expect(small).toMatchObject({ text: 'script', encoding: 'gzip', vary: 'Accept-Encoding' });
  expect(small.etag).not.toBe(plain.etag);
  expect((await fetch(`${origin}/docs/app.js.gz`)).status).toBe(404);
  const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': small.etag ?? '' };
  expect((await fetch(`${origin}/docs/app.js`, { headers })).status).toBe(304);
});

it('the not-found page is 404 even for a client that has it cached', async () => {
  const { origin } = await startWithDocs();
  const etag = (await fetch(`${origin}/docs/nothing`)).headers.get('etag') ?? '';
  const answer = await fetch(`${origin}/docs/nothing`, { headers: { 'If-None-Match': etag } });
  expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 404, body: 'no such page' });
});

it.each(['bytes=-3', 'bytes=0-0', 'bytes=5-2', 'lines=2-4', 'bytes=0-1,4-5', 'bytes=9-'])(
  'ranges are not supported: a request for %s gets the whole file',
  async (range) => {
    const { origin } = await startWithDocs();
    const answer = await fetch(`${origin}/docs/errors`, { headers: { range } });
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 200, body: 'errors' });
  },
);

it('a client that disconnects in the middle of a file leaves no file open', async () => {
  const { origin } = await startWithDocs();
  const { hostname, port } = new URL(origin);
  const open = async () => {
    const files = await Promise.all(
      (await readdir('/proc/self/fd')).map((id) => readlink(`/proc/self/fd/${id}`).catch(() => '')),
    );
    return files.filter((file) => file.endsWith('site/large.json')).length;
  };
  const socket = connect(Number(port), hostname);
  socket.write(`GET /docs/large.json HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  await once(socket, 'data');
  expect(await open()).toBe(1);
  socket.destroy();
  await vi.waitUntil(async () => (await open()) === 0);
});

it('no file outside the folder, no hidden file and no symbolic link is served', async () => {
  const { origin } = await startWithDocs();
  const paths = [
    '/docs/..%2fsecret.html',
    '/docs/..%5csecret.html',
    '/docs/%2fetc/passwd',
    '/docs/errors%00.html',
    '/docs/link',
    '/docs/.key',
    '/docs/reference',
    '/docs/nothing',
  ];
  const answers = await Promise.all(paths.map(async (path) => ({ path, ...(await requestPath(origin, path)) })));
  expect(answers).toEqual(paths.map((path) => ({ path, status: 404, body: 'no such page' })));
});

it('OP-67: an address that leaves the folder, has empty segments or is invalid is refused before a page is looked up', async () => {
  const { origin } = await startWithDocs();
  const paths = [
    '/docs/../secret.html',
    '/docs/%2e%2e/secret.html',
    '/docs/reference/../../secret.html',
    '/docs//etc/passwd',
    '/docs/%',
  ];
  const answers = await Promise.all(paths.map(async (path) => [path, (await requestPath(origin, path)).status]));
  expect(answers).toEqual(paths.map((path) => [path, 400]));
});

it('HEAD gets a response without a body, and any other method is not found', async () => {
  const { origin } = await startWithDocs();
  expect(await requestPath(origin, '/docs/errors', 'HEAD')).toEqual({ status: 200, body: '' });
  expect((await raw(`${origin}/docs/errors`, { method: 'POST' })).status).toBe(404);
});

it('the address without a trailing slash redirects to the one with it', async () => {
  const { origin } = await startWithDocs();
  const answer = await fetch(`${origin}/docs`, { redirect: 'manual' });
  expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
    status: 302,
    location: '/docs/',
  });
});

it('until a site is built, the start page says so and reloads itself', async () => {
  const { origin } = await testSandbox({ docs: join(folder, 'nothing-yet') });
  const answer = await fetch(`${origin}/docs/`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('refresh')).toBe('5');
  expect(await answer.text()).toContain('The documentation is being built');
});

it('a sandbox without documentation has no page there', async () => {
  const { origin } = await testSandbox();
  expect((await raw(`${origin}/docs/`)).status).toBe(404);
});
