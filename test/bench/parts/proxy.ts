import { closedPort } from '../../harness/http-server.ts';
import type { Bench, PartResult } from '../bench.ts';
import { figureOf } from '../figures.ts';
import { answering, pathOf } from '../processes.ts';
import { measureInTurn, reads } from '../rounds.ts';
import { savePage, startSubject } from '../sandbox.ts';

const path = '/v1/partner/rewards?limit=50';
const rounds = 3;

/** Compares our proxy with Prism's, both validating, in front of a bare server. */
export async function proxy(bench: Bench): Promise<PartResult> {
  const { processes, dir } = bench;
  const sandbox = await startSubject(bench, bench.folder());
  const { token } = sandbox;
  const headers = { Authorization: token };
  const page = await savePage(sandbox, dir);
  // The contract requires these headers, and Prism's proxy refuses a reply without them.
  const names = ['etag', 'ratelimit', 'ratelimit-policy', 'x-trace-id'];
  const values = JSON.stringify(Object.fromEntries(names.map((name) => [name, page.headers.get(name) ?? ''])));
  const upstream = await processes
    .node(pathOf('test/bench/servers/bare.ts'), page.file, values)
    .json<{ url: string }>();
  const origin = new URL(sandbox.urls.sandbox).origin;
  const flags = ['--port', '0', '--json', '--quiet', '--sandbox', origin, '--upstream', `rewards=${upstream.url}`];
  const start = (...more: string[]) =>
    processes.node(pathOf('sandbox/bin.js'), 'proxy', ...flags, ...more).json<{ url: string }>();
  const [ours, alone] = [await start(), await start('--no-prism')];
  const peer = await closedPort();
  const cli = pathOf('node_modules/@stoplight/prism-cli/dist/index.js');
  const contract = pathOf('generated/rewards/bundle.json');
  const others = ['proxy', contract, upstream.url, '--port', new URL(peer).port, '--errors', '-v', 'error'];
  const prism = processes.node(cli, ...others);
  const urls = new Map([
    ['bare upstream', upstream.url + path],
    ['our proxy', `${ours.url}/rewards${path}`],
    ['our proxy, --no-prism', `${alone.url}/rewards${path}`],
    ["Prism's proxy", `${peer}${path}`],
  ]);
  await answering(urls.get("Prism's proxy") ?? '', headers, prism);
  const loads = [...urls].map(([name, url]) => reads(bench, name, { url, token }));
  const { rates: rows, notes } = await measureInTurn(loads, rounds);
  return {
    figures: {
      'proxy/prism': figureOf(rows, 'our proxy') / figureOf(rows, "Prism's proxy"),
      'proxy/alone': figureOf(rows, 'our proxy, --no-prism') / figureOf(rows, "Prism's proxy"),
    },
    tables: [{ title: 'Proxies, validating, 10 connections', unit: '/s', against: "Prism's proxy", rows }],
    notes,
  };
}
