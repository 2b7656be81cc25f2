/**
 * Measures what checking costs: the same call (a page of 50 items of a sandbox, ten connections) to a bare server that
 * has the page as bytes, and to that server through our proxy in both modes and through the Prism CLI proxy, in many
 * short turns within one run, all over keep-alive connections. Prints requests per second and processor time per request of
 * the answering process, which other work on the machine changes little, each as the median of the turns, and its memory
 * before the first call and at the end; ratios, because machines differ. Fails unless ours is at least four times as good as
 * the Prism CLI by both, and takes at most 120 MB before the first call. Usage: `npm run bench:proxy
 * [-- <turns>]` (default 10, of a second each).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import { Lane } from './lane.ts';

const turns = Number.parseInt(argv[2] ?? '10', 10);
const turnMilliseconds = 1000;
const lanes = 10;
const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
const data = await mkdtemp(join(tmpdir(), 'bench-'));
const children: ChildProcess[] = [];

function start(args: readonly string[], input: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
  const child = spawn(execPath, args, { stdio: [input, 'pipe', 'inherit'] });
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

const sandbox = start([path('sandbox/bin.js'), '--port', '0', '--json', '--no-docs', '--data', data]);
const { urls } = await ready<{ urls: Record<'rewards' | 'sandbox', string> }>(sandbox);
const control = createSandboxClient({ baseUrl: urls.sandbox });
await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } });
const { data: workspace } = await control.GET('/workspace');
const secret = workspace?.credentials.company_secret ?? '';
const { data: signedIn } = await createRewardsClient({ baseUrl: urls.rewards }).POST('/v1/company/auth', {
  body: { secret },
});
const token = signedIn?.token ?? '';
const page = await fetch(`${urls.rewards}/v1/partner/rewards?limit=50`, { headers: { Authorization: token } });
const behind = start([path('test/bench/page-server.ts')], 'pipe');
behind.stdin?.end(Buffer.from(await page.arrayBuffer()));
const { url: server } = await ready<{ url: string }>(behind);

const ours = async (mode: string) => {
  const args = ['proxy', '--port', '0', '--json', '--quiet', '--mode', mode, '--sandbox', server];
  const child = start([path('sandbox/bin.js'), ...args]);
  const { url } = await ready<{ url: string }>(child);
  return { child, base: `${url}/rewards` };
};

async function prism(): Promise<{ child: ChildProcess; base: string }> {
  const port = await freePort();
  const cli = path('node_modules/@stoplight/prism-cli/dist/index.js');
  const child = start([
    cli,
    'proxy',
    path('generated/rewards/bundle.json'),
    server,
    '--port',
    String(port),
    '--errors',
    '-v',
    'error',
  ]);
  child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  for (let answered = false; !answered; ) {
    const lane = open(url);
    answered = await call(lane).then(
      () => true,
      () => false,
    );
    lane.close();
    if (child.exitCode !== null) throw new Error('the Prism CLI ended');
  }
  return { child, base: url };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const open = (base: string) => new Lane(new URL(`${base}/v1/partner/rewards?limit=50`), { Authorization: token });

/** Makes one call. Rejects unless the reply is 200 with a full page. */
async function call(lane: Lane): Promise<void> {
  const bytes = await lane.call();
  if (bytes < 5000) throw new Error(`a page of ${bytes} bytes`);
}

/**
 * Processor time that a process has used so far, in milliseconds, as the kernel counts it in hundredths of a second.
 */
async function processorTime({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const [user = '', system = ''] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11);
  return (Number(user) + Number(system)) * 10;
}

/** The memory of a process, in MB. */
async function memory({ pid }: ChildProcess): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

interface Target {
  readonly name: string;
  readonly base: string;
  readonly child: ChildProcess;
  /** Milliseconds of each call. */
  times: number[];
  /** Calls per second of each turn. */
  rates: number[];
  /** Milliseconds of processor time per call of each turn. */
  costs: number[];
}

/** Makes calls in ten lanes for a while. */
async function turn(target: Target, milliseconds: number): Promise<void> {
  const { base, child, times } = target;
  const before = times.length;
  const busy = await processorTime(child);
  const began = performance.now();
  const drive = async () => {
    const lane = open(base);
    for (let now = began; now < began + milliseconds; now = performance.now()) {
      const sent = performance.now();
      await call(lane);
      times.push(performance.now() - sent);
    }
    lane.close();
  };
  await Promise.all(Array.from({ length: lanes }, drive));
  const calls = times.length - before;
  target.rates.push((calls / (performance.now() - began)) * 1000);
  target.costs.push(((await processorTime(child)) - busy) / calls);
}

const fresh = () => ({ times: [], rates: [], costs: [] });
const targets: Target[] = [
  { name: 'bare server', base: server, child: behind, ...fresh() },
  { name: 'our proxy, report', ...(await ours('report')), ...fresh() },
  { name: 'our proxy, enforce', ...(await ours('enforce')), ...fresh() },
  { name: 'Prism CLI proxy', ...(await prism()), ...fresh() },
];

const idle = new Map(await Promise.all(targets.map(async ({ name, child }) => [name, await memory(child)] as const)));
// The first seconds warm up the compilers.
for (const target of targets) await turn(target, 3000);
for (const target of targets) Object.assign(target, fresh());
for (let round = 0; round < turns; round += 1) {
  for (const target of targets) await turn(target, turnMilliseconds);
}
const loaded = new Map(await Promise.all(targets.map(async ({ name, child }) => [name, await memory(child)] as const)));
const ended = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
for (const child of children) child.kill('SIGTERM');
await Promise.all(ended);
await rm(data, { recursive: true, force: true });

/** The median of the turns, so that other work during a few of them does not count. */
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const rate = ({ rates }: Target) => median(rates);
const cost = ({ costs }: Target) => median(costs);
const of = (name: string) => targets.find((target) => target.name === name) as Target;
const [bare, cli] = [of('bare server'), of('Prism CLI proxy')];
for (const target of targets) {
  const p99 = target.times.toSorted((a, b) => a - b)[Math.floor(target.times.length * 0.99)] ?? 0;
  const figures = [
    `${Math.round(rate(target))}/s`.padStart(7),
    `p99 ${p99.toFixed(1)} ms`.padStart(13),
    `${(rate(target) / rate(bare)).toFixed(2)} of bare`,
    `${(rate(target) / rate(cli)).toFixed(2)} times the Prism CLI`,
    `processor ${cost(target).toFixed(3)} ms a request`,
    `${(cost(cli) / cost(target)).toFixed(2)} times less`,
    `memory ${idle.get(target.name)} MB, then ${loaded.get(target.name)} MB`,
  ];
  console.log(`${target.name.padEnd(19)} ${figures.join('  ')}`);
}
const both = [of('our proxy, report'), of('our proxy, enforce')];
const ahead = Math.min(...both.flatMap((target) => [rate(target) / rate(cli), cost(cli) / cost(target)]));
const idleMemory = Math.max(...both.map(({ name }) => idle.get(name) ?? 0));
if (ahead < 4 || idleMemory > 120) {
  console.error(
    `Ours is ${ahead.toFixed(2)} times the Prism CLI and takes ${idleMemory} MB; the targets are at least 4 and at most 120.`,
  );
  exit(1);
}
