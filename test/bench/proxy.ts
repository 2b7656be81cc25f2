/**
 * Measures what checking costs: the same call (a page of 50 items, ten connections) to the bare sandbox, through our proxy in
 * both modes, and through the Prism CLI proxy, in turns within one run. Prints ratios, because machines differ, and fails when
 * ours is not ahead of the Prism CLI at least twofold. Usage: `npm run bench:proxy [-- <seconds a turn>]` (default 3).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';

const turnMilliseconds = Number.parseInt(argv[2] ?? '3', 10) * 1000;
const lanes = 10;
const turns = 3;
const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const data = await mkdtemp(join(tmpdir(), 'bench-'));
const children: ChildProcess[] = [];

function start(args: readonly string[]): ChildProcess {
  const child = spawn(execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

/** The first line of JSON that a process prints. */
function ready<T>(child: ChildProcess): Promise<T> {
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      const line = /^\{.*\}$/m.exec(text);
      if (line !== null) resolve(JSON.parse(line[0]) as T);
    });
    child.once('close', () => reject(new Error(`it ended before it was ready: ${text}`)));
  });
}

const sandbox = await ready<{ urls: Record<'rewards' | 'sandbox', string> }>(
  start([path('sandbox/bin.js'), '--port', '0', '--json', '--data', data]),
);
const { urls } = sandbox;
const control = createSandboxClient({ baseUrl: urls.sandbox });
await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } });
const { data: workspace } = await control.GET('/workspace');
const secret = workspace?.credentials.company_secret ?? '';
const { data: signedIn } = await createRewardsClient({ baseUrl: urls.rewards }).POST('/v1/company/auth', {
  body: { secret },
});
const token = signedIn?.token ?? '';

const ours = async (mode: string) => {
  const args = ['proxy', '--port', '0', '--json', '--quiet', '--mode', mode, '--sandbox', new URL(urls.sandbox).origin];
  const { url } = await ready<{ url: string }>(start([path('sandbox/bin.js'), ...args]));
  return `${url}/rewards`;
};

async function prism(): Promise<string> {
  const port = await freePort();
  const cli = path('node_modules/@stoplight/prism-cli/dist/index.js');
  const child = start([
    cli,
    'proxy',
    path('generated/rewards/bundle.json'),
    urls.rewards,
    '--port',
    String(port),
    '--errors',
    '-v',
    'error',
  ]);
  child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  for (let answered = false; !answered; ) {
    answered = await call(new Agent(), url).then(
      () => true,
      () => false,
    );
    if (child.exitCode !== null) throw new Error('the Prism CLI ended');
  }
  return url;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** One call, read to its end. Rejects when it is not answered 200 with a full page. */
function call(agent: Agent, base: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: token };
    const asked = request(`${base}/v1/partner/rewards?limit=50`, { agent, headers }, (reply) => {
      let bytes = 0;
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.once('end', () =>
        reply.statusCode === 200 && bytes > 5000 ? resolve() : reject(new Error(`answered ${reply.statusCode}`)),
      );
    });
    asked.once('error', reject).end();
  });
}

/** Calls in ten lanes for a while; adds the milliseconds of each to `times`. */
async function turn(base: string, milliseconds: number, times: number[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: lanes });
  const began = performance.now();
  const lane = async () => {
    for (let now = began; now < began + milliseconds; now = performance.now()) {
      const asked = performance.now();
      await call(agent, base);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  agent.destroy();
  return (performance.now() - began) / 1000;
}

const targets = [
  { name: 'bare sandbox', base: urls.rewards },
  { name: 'our proxy, report', base: await ours('report') },
  { name: 'our proxy, enforce', base: await ours('enforce') },
  { name: 'Prism CLI proxy', base: await prism() },
].map((target) => ({ ...target, times: [] as number[], seconds: 0 }));

for (const { base } of targets) await turn(base, 1000, []);
for (let round = 0; round < turns; round += 1) {
  for (const target of targets) target.seconds += await turn(target.base, turnMilliseconds, target.times);
}
const ended = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
for (const child of children) child.kill('SIGTERM');
await Promise.all(ended);
await rm(data, { recursive: true, force: true });

const rate = ({ times, seconds }: (typeof targets)[number]) => times.length / seconds;
const of = (name: string) => targets.find((target) => target.name === name) as (typeof targets)[number];
for (const target of targets) {
  const p99 = target.times.toSorted((a, b) => a - b)[Math.floor(target.times.length * 0.99)] ?? 0;
  const ratios = `${(rate(target) / rate(of('bare sandbox'))).toFixed(2)} of bare, ${(rate(target) / rate(of('Prism CLI proxy'))).toFixed(2)} times the Prism CLI`;
  console.log(
    `${target.name.padEnd(19)} ${String(Math.round(rate(target))).padStart(6)}/s  p99 ${p99.toFixed(1).padStart(6)} ms   ${ratios}`,
  );
}
const ahead = Math.min(rate(of('our proxy, report')), rate(of('our proxy, enforce'))) / rate(of('Prism CLI proxy'));
if (ahead < 2) {
  console.error(`Ours is ${ahead.toFixed(2)} times the Prism CLI; at least 2 was promised.`);
  exit(1);
}
