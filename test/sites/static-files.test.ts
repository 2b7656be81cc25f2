/** Tests the styles, scripts and icon of pages. These files are served by name, outside the contracts and the activity log (OP-98). */
import { expect, it } from 'vitest';
import { ok, testSandbox } from '../harness/sandbox.ts';
import { look } from '../harness/visitor.ts';

/** Starts a sandbox. Returns it with the path of the dashboard's entry script. */
async function startSandbox() {
  const sandbox = await testSandbox();
  const { text } = await look(`${sandbox.urls.dashboard}/`);
  const [path = ''] = /\/assets\/main-[^"]+/.exec(text) ?? [];
  return { ...sandbox, path };
}

it('a file is compressed for clients that accept gzip, and caches store both variants (RFC 9110, 12.5.3)', async () => {
  const { origin, path } = await startSandbox();
  const plain = await fetch(origin + path, { headers: { 'Accept-Encoding': 'identity' } });
  const small = await fetch(origin + path, { headers: { 'Accept-Encoding': 'gzip' } });
  const of = ({ headers }: Response) => [headers.get('content-encoding'), headers.get('vary')];
  expect([of(plain), of(small)]).toEqual([
    [null, 'Accept-Encoding'],
    ['gzip', 'Accept-Encoding'],
  ]);
  expect(await small.text()).toBe(await plain.text());
  const length = ({ headers }: Response) => Number(headers.get('content-length'));
  expect(length(small)).toBeLessThan((length(plain) * 2) / 3);
});

it('HEAD has the headers of GET; any other method is refused, with the allowed ones named', async () => {
  const { origin, path } = await startSandbox();
  const [get, head, post] = await Promise.all(
    ['GET', 'HEAD', 'POST'].map((method) => fetch(origin + path, { method })),
  );
  const of = (response: Response | undefined) =>
    ['cache-control', 'content-type', 'content-length', 'x-content-type-options', 'allow'].map((name) =>
      response?.headers.get(name),
    );
  expect([get?.status, head?.status, post?.status]).toEqual([200, 200, 405]);
  expect(of(head)).toEqual(of(get));
  expect(of(get)).toEqual([
    'public, max-age=31536000, immutable',
    'text/javascript; charset=utf-8',
    expect.stringMatching(/^\d+$/),
    'nosniff',
    null,
  ]);
  expect(of(post).slice(3)).toEqual(['nosniff', 'GET, HEAD']);
  expect(post?.headers.get('cache-control')).toBe('no-store');
});

it('a name is looked up and never read as a path: 404, which nothing caches', async () => {
  const { origin, control } = await startSandbox();
  for (const name of ['', 'manifest.json', '..%2fmanifest.json', 'pages.css', 'main.js.map']) {
    const { status, headers } = await fetch(`${origin}/assets/${name}`);
    expect([name, status, headers.get('cache-control')]).toEqual([name, 404, 'no-store']);
  }
  expect(ok(await control.GET('/activity')).items).toEqual([]);
});
