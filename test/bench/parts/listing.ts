import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench, PartResult } from '../bench.ts';
import { figureOf, interleaved, row } from '../figures.ts';
import { answering, freePort, pathOf } from '../processes.ts';
import { startSubject } from '../sandbox.ts';

const path = '/v1/partner/rewards';
const [rounds, seconds, warming, connections] = [5, 2, 8, 10];
/** Servers whose page is measured, and subjects that are measured next to a busy disk. */
const [servers, disturbed] = [5, 4];

/** The seconds of load of this part. */
export const loadSeconds = servers * (warming + rounds * seconds) + disturbed * rounds * seconds;

/** A page of 50 rewards from the sandbox, the same bytes from others, and the sandbox next to a busy disk. */
export async function listing(bench: Bench): Promise<PartResult> {
  const { processes, dir } = bench;
  const ours = await startSubject(bench, bench.folder());
  const Authorization = ours.token;
  const page = await (await fetch(ours.page, { headers: { Authorization } })).text();
  const file = join(dir, 'page.json');
  await writeFile(file, page);
  const served = async (script: string) => (await processes.node(pathOf(script), file).json<{ url: string }>()).url;
  const urls = new Map([
    ['rewards sandbox', ours.page],
    ['bare node:http', await served('test/bench/servers/bare.ts')],
    ['bare Koa', await served('test/bench/servers/koa.ts')],
    ['Prism mock', await prism(bench, JSON.parse(page), Authorization)],
  ]);
  const notes = [`A page has 50 items and ${page.length} bytes.`];
  try {
    urls.set('Mockoon', await mockoon(bench, page, Authorization));
  } catch (error) {
    notes.push(`Mockoon was not measured: ${(error as Error).message}.`);
  }
  const run = (url: string, length: number) => async () =>
    (await bench.load({ url, token: Authorization, connections, seconds: length })).rate;
  // Warm-up: the sandbox reaches its full rate after about 20,000 calls, the others sooner.
  for (const url of urls.values()) await run(url, warming)();
  const subjects = [...urls].map(([name, url]) => ({ name, run: run(url, seconds) }));
  const rates = await interleaved(subjects, rounds);
  const rows = [...rates].map(([name, values]) => row(name, ...values));
  const koa = urls.get('bare Koa') ?? '';
  const beside = await besideBusyDisk(bench, run(ours.page, seconds), run(koa, seconds));
  const mine = figureOf(rows, 'rewards sandbox');
  const [alone, busy] = beside.map(({ value }) => value);
  return {
    figures: {
      'listing/koa': mine / figureOf(rows, 'bare Koa'),
      'listing/prism': mine / figureOf(rows, 'Prism mock'),
      ...(urls.has('Mockoon') && { 'listing/mockoon': mine / figureOf(rows, 'Mockoon') }),
      'listing/disturbed': (busy ?? Number.NaN) / (alone ?? Number.NaN),
    },
    tables: [
      { title: 'Listing, 10 connections', unit: '/s', against: 'bare Koa', rows },
      { title: 'Listing beside a busy disk', unit: '/s', against: 'undisturbed', rows: beside },
    ],
    notes,
  };
}

/**
 * Alternately undisturbed, and while another process flushes the disk of the data folder. Koa, which uses no disk, shows
 * how much processor time the other process takes.
 */
async function besideBusyDisk({ processes, dir }: Bench, ours: () => Promise<number>, koa: () => Promise<number>) {
  const disturbed = (run: () => Promise<number>) => async () => {
    const flushing = processes.node(pathOf('test/bench/servers/flushing.ts'), join(dir, 'flushed'));
    await flushing.json();
    const rate = await run();
    await flushing.stop();
    return rate;
  };
  const both = await interleaved(
    [
      { name: 'undisturbed', run: ours },
      { name: 'another process flushes', run: disturbed(ours) },
      { name: 'bare Koa, undisturbed', run: koa },
      { name: 'bare Koa, another process flushes', run: disturbed(koa) },
    ],
    rounds,
  );
  return [...both].map(([name, values]) => row(name, ...values));
}

/** The Prism mock, with the page as the contract's only example. */
async function prism({ processes, dir }: Bench, page: unknown, Authorization: string): Promise<string> {
  const contract = JSON.parse(await readFile(pathOf('generated/rewards/bundle.json'), 'utf8')) as Contract;
  const content = contract.paths[path]?.get.responses['200'].content['application/json'];
  if (content === undefined) throw new Error('the contract has no listing');
  content.examples = { page: { value: page } };
  const file = join(dir, 'contract.json');
  await writeFile(file, JSON.stringify(contract));
  const port = await freePort();
  const cli = pathOf('node_modules/@stoplight/prism-cli/dist/index.js');
  const started = processes.node(cli, 'mock', file, '--port', String(port), '-v', 'error');
  const url = `http://127.0.0.1:${port}${path}?limit=50`;
  await answering(url, { Authorization }, started);
  return url;
}

interface Contract {
  readonly paths: Record<
    string,
    { get: { responses: { '200': { content: Record<string, { examples?: unknown }> } } } } | undefined
  >;
}

async function mockoon({ processes, peers, dir }: Bench, body: string, Authorization: string): Promise<string> {
  const program = await peers.program('mockoon');
  const headers = [{ key: 'Content-Type', value: 'application/json' }];
  const response = { uuid: 'page', body, statusCode: 200, label: '', headers, bodyType: 'INLINE', default: true };
  const whole = { latency: 0, rules: [], rulesOperator: 'OR', disableTemplating: true, fallbackTo404: false };
  const route = { uuid: 'listing', type: 'http', method: 'get', endpoint: path.slice(1), documentation: '' };
  const port = await freePort();
  const file = join(dir, 'mockoon.json');
  const place = { uuid: 'speed', lastMigration: 33, name: 'speed', endpointPrefix: '', latency: 0, port, hostname: '' };
  const routes = [{ ...route, responses: [{ ...response, ...whole }], responseMode: null }];
  const rest = {
    folders: [],
    headers: [],
    rootChildren: [{ type: 'route', uuid: 'listing' }],
    data: [],
    callbacks: [],
  };
  await writeFile(file, JSON.stringify({ ...place, routes, ...rest }));
  const flags = ['--repair', '--disable-log-to-file', '--disable-admin-api'];
  const started = processes.node(program, 'start', '--data', file, '--hostname', '127.0.0.1', ...flags);
  const url = `http://127.0.0.1:${port}${path}?limit=50`;
  await answering(url, { Authorization }, started);
  return url;
}
