import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { closedPort } from '../../harness/http-server.ts';
import type { Bench, PartResult } from '../bench.ts';
import { figureOf } from '../figures.ts';
import { answering, pathOf } from '../processes.ts';
import { measureInTurn, reads } from '../rounds.ts';
import { savePage, startSubject } from '../sandbox.ts';

const path = '/v1/partner/rewards';
const rounds = 5;

/** Measures a page of 50 rewards from the sandbox and the same bytes from other servers. */
export async function listing(bench: Bench): Promise<PartResult> {
  const { processes, dir } = bench;
  const ours = await startSubject(bench, bench.folder());
  const { token } = ours;
  const { file, text: page } = await savePage(ours, dir);
  const served = async (script: string) => (await processes.node(pathOf(script), file).json<{ url: string }>()).url;
  const urls = new Map([
    ['rewards sandbox', ours.page],
    ['bare node:http', await served('test/bench/servers/bare.ts')],
    ['bare Koa', await served('test/bench/servers/koa.ts')],
    ['Prism mock', await prism(bench, JSON.parse(page), token)],
  ]);
  const notes = [`A page has 50 items and ${page.length} bytes.`];
  try {
    urls.set('Mockoon', await mockoon(bench, page, token));
  } catch (error) {
    notes.push(`Mockoon was not measured: ${(error as Error).message}.`);
  }
  const loads = [...urls].map(([name, url]) => reads(bench, name, { url, token }));
  const { rates: rows, notes: more } = await measureInTurn(loads, rounds);
  const mine = figureOf(rows, 'rewards sandbox');
  return {
    figures: {
      'listing/koa': mine / figureOf(rows, 'bare Koa'),
      'listing/prism': mine / figureOf(rows, 'Prism mock'),
      ...(urls.has('Mockoon') && { 'listing/mockoon': mine / figureOf(rows, 'Mockoon') }),
    },
    tables: [{ title: 'Listing, 10 connections', unit: '/s', against: 'bare Koa', rows }],
    notes: [...notes, ...more],
  };
}

/** Starts the Prism mock, with the page as the contract's only example. */
async function prism({ processes, dir }: Bench, page: unknown, Authorization: string): Promise<string> {
  const contract = JSON.parse(await readFile(pathOf('generated/rewards/bundle.json'), 'utf8')) as Contract;
  const content = contract.paths[path]?.get.responses['200'].content['application/json'];
  if (content === undefined) throw new Error('the contract has no listing');
  content.examples = { page: { value: page } };
  const file = join(dir, 'contract.json');
  await writeFile(file, JSON.stringify(contract));
  const origin = await closedPort();
  const cli = pathOf('node_modules/@stoplight/prism-cli/dist/index.js');
  const started = processes.node(cli, 'mock', file, '--port', new URL(origin).port, '-v', 'error');
  const url = `${origin}${path}?limit=50`;
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
  const origin = await closedPort();
  const port = Number(new URL(origin).port);
  const file = join(dir, 'mockoon.json');
  const place = { uuid: 'speed', lastMigration: 33, name: 'speed', endpointPrefix: '', latency: 0, port, hostname: '' };
  const routes = [{ ...route, responses: [{ ...response, ...whole }], responseMode: null }];
  const rootChildren = [{ type: 'route', uuid: 'listing' }];
  const rest = { folders: [], headers: [], rootChildren, data: [], callbacks: [] };
  await writeFile(file, JSON.stringify({ ...place, routes, ...rest }));
  const flags = ['--repair', '--disable-log-to-file', '--disable-admin-api'];
  const started = processes.node(program, 'start', '--data', file, '--hostname', '127.0.0.1', ...flags);
  const url = `${origin}${path}?limit=50`;
  await answering(url, { Authorization }, started);
  return url;
}
