/** Tests the font of all pages. It is one small file that every page loads from its own server, and that reports embed. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { reportStyle } from '../../sandbox/certification/reports/html.ts';
import { testSandbox } from '../harness/sandbox.ts';
import { root } from '../harness/sources.ts';
import { enter, look } from '../harness/visitor.ts';

const read = (path: string) => readFile(new URL(path, `file://${root}/`));
const ofPackage = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

it('every page preloads the font that its style names, and its policy allows it', async () => {
  const sandbox = await testSandbox();
  const { urls, origin } = sandbox;
  const addresses = [
    `${urls.dashboard}/`,
    `${urls.microsite}/`,
    `${await enter(sandbox, 'CUST0001')}rewards`,
    `${urls.portal}/ended`,
    `${origin}/`,
  ];
  for (const address of addresses) {
    const { text, headers } = await look(address, { headers: { Accept: 'text/html' } });
    const [, name] =
      /<link rel="preload" as="font" type="font\/woff2" href="\/assets\/([^"]+)" crossorigin/.exec(text) ?? [];
    const [, style] = /href="(\/assets\/pages-[^"]+)"/.exec(text) ?? [];
    expect([address, name]).toEqual([address, expect.stringMatching(/^inter-[0-9a-f]{12}\.woff2$/)]);
    expect(await (await fetch(origin + style)).text()).toContain(`src: url("${name}")`);
    expect(headers.get('content-security-policy')).toContain("; font-src 'self';");
  }
});

it('the font is the file of the package, under 60 KB, sent as it is and cached for good', async () => {
  const { urls, origin } = await testSandbox();
  const [path] = /\/assets\/inter-[^"]+/.exec((await look(`${urls.microsite}/`)).text) ?? [];
  const reply = await fetch(`${origin}${path}`, { headers: { 'Accept-Encoding': 'gzip' } });
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect(bytes.equals(await read(ofPackage))).toBe(true);
  expect(bytes.length).toBeLessThan(60_000);
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'font/woff2',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(reply.headers.has('content-encoding')).toBe(false);
});

it('the report of a certification contains the font, as it is one file', async () => {
  const font = (await read(ofPackage)).toString('base64');
  expect(reportStyle()).toContain(`src: url("data:font/woff2;base64,${font}")`);
  expect(reportStyle().match(/url\(/g)).toHaveLength(1);
});

it('guides and reference load the font of the documentation, and no other', async () => {
  const [frame, reference] = (
    await Promise.all([read('docs/.vitepress/config.ts'), read('tools/docs/reference/page.html')])
  ).map(String);
  for (const name of ['inter.woff2', 'font.css']) {
    expect(frame).toMatch(new RegExp(`href: .\\$\\{base\\}${name}`));
    expect(reference).toContain(`href="/docs/${name}"`);
  }
});
