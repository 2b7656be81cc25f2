import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, PartResult } from '../bench.ts';
import { figureOf, interleaved, row } from '../figures.ts';
import { answering, freePort, pathOf } from '../processes.ts';
import { startSubject } from '../sandbox.ts';

const path = '/v1/partner/rewards?limit=50';
const [rounds, seconds, warming, connections] = [3, 2, 2, 10];
/** The measured servers: the bare one, our proxy with and without Prism's second opinion, and Prism's. */
const servers = 4;

/** The seconds of load of this part. */
export const loadSeconds = servers * (warming + rounds * seconds);

/** Our proxy and Prism's, both validating, in front of a bare server. */
export async function proxy(bench: Bench): Promise<PartResult> {
  const { processes, dir } = bench;
  const sandbox = await startSubject(bench, bench.folder());
  const { token } = sandbox;
  const headers = { Authorization: token };
  const file = join(dir, 'page.json');
  const page = await fetch(sandbox.page, { headers });
  await writeFile(file, await page.text());
  // The contract requires these headers, and Prism's proxy refuses a reply without them.
  const names = ['etag', 'ratelimit', 'ratelimit-policy', 'x-trace-id'];
  const values = JSON.stringify(Object.fromEntries(names.map((name) => [name, page.headers.get(name) ?? ''])));
  const upstream = await processes.node(pathOf('test/bench/servers/bare.ts'), file, values).json<{ url: string }>();
  const origin = new URL(sandbox.urls.sandbox).origin;
  const flags = ['--port', '0', '--json', '--quiet', '--sandbox', origin, '--upstream', `rewards=${upstream.url}`];
  const start = (...more: string[]) =>
    processes.node(pathOf('sandbox/bin.js'), 'proxy', ...flags, ...more).json<{ url: string }>();
  const [ours, alone] = [await start(), await start('--no-prism')];
  const port = await freePort();
  const cli = pathOf('node_modules/@stoplight/prism-cli/dist/index.js');
  const contract = pathOf('generated/rewards/bundle.json');
  const others = ['proxy', contract, upstream.url, '--port', String(port), '--errors', '-v', 'error'];
  const prism = processes.node(cli, ...others);
  const urls = new Map([
    ['bare upstream', upstream.url + path],
    ['our proxy', `${ours.url}/rewards${path}`],
    ['our proxy, --no-prism', `${alone.url}/rewards${path}`],
    ["Prism's proxy", `http://127.0.0.1:${port}${path}`],
  ]);
  await answering(urls.get("Prism's proxy") ?? '', headers, prism);
  const run = (url: string, length: number) => async () =>
    (await bench.load({ url, token, connections, seconds: length })).rate;
  for (const url of urls.values()) await run(url, warming)();
  const rates = await interleaved(
    [...urls].map(([name, url]) => ({ name, run: run(url, seconds) })),
    rounds,
  );
  const rows = [...rates].map(([name, values]) => row(name, ...values));
  return {
    figures: {
      'proxy/prism': figureOf(rows, 'our proxy') / figureOf(rows, "Prism's proxy"),
      'proxy/alone': figureOf(rows, 'our proxy, --no-prism') / figureOf(rows, "Prism's proxy"),
    },
    tables: [{ title: 'Proxies, validating, 10 connections', unit: '/s', against: "Prism's proxy", rows }],
  };
}
