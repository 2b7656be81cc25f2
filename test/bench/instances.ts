/**
 * Measures instances that share their workspaces over PostgreSQL: how quickly many are created, the memory of loaded and
 * dormant ones, how long one takes to load, how long callers wait after a kill, and the processor time of an order next to a
 * data folder. Starts its own PostgreSQL. Usage: `npm run bench:instances -- [--workspaces 5000]
 * [--seconds 10] [--json]`.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, exit, stderr } from 'node:process';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { newServer } from '../harness/postgres-server.ts';
import { formatFigure, median } from './figures.ts';
import { Processes, pathOf, type Started } from './processes.ts';

const { values } = parseArgs({
  args: argv.slice(2),
  options: {
    workspaces: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
if (values.help) {
  console.log('npm run bench:instances -- [--workspaces 5000] [--seconds 10] [--json]');
  exit(0);
}
const count = Number(values.workspaces);
const seconds = Number(values.seconds);
const key = randomBytes(32).toString('hex');
const json = { 'content-type': 'application/json' };

interface Instance {
  readonly process: Started;
  readonly urls: Readonly<Record<'sandbox' | 'rewards', string>>;
}

interface CreatedWorkspace {
  readonly admin_token: string;
  readonly credentials: { readonly company_secret: string };
}

const processes = new Processes({ REWARDS_SANDBOX_KEY: key });
const figures: [what: string, value: string][] = [];
const note = (what: string, value: string) => {
  figures.push([what, value]);
  stderr.write(`${what}: ${value}\n`);
};

async function start(...flags: string[]): Promise<Instance> {
  const more = ['--port', '0', '--json', '--no-docs', '--workspaces', String(count + 10)];
  const process = processes.node(pathOf('sandbox/bin.js'), ...more, ...flags);
  const { urls } = await process.json<Pick<Instance, 'urls'>>();
  return { process, urls };
}

/** The reply's body. Rejects unless it is a success. */
async function call<T>(url: string, init: RequestInit = {}): Promise<T> {
  const reply = await fetch(url, init);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text) as T;
}

const post = (body: object, token?: string): RequestInit => ({
  ...{ method: 'POST', body: JSON.stringify(body) },
  headers: { ...json, ...(token !== undefined && { authorization: token }) },
});

/** Runs `run` for 0 to `times`, some at a time. */
async function some(times: number, atOnce: number, run: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let number = next++; number < times; number = next++) await run(number);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Creates workspaces through all instances in turn. */
async function make(instances: readonly Instance[], times: number): Promise<CreatedWorkspace[]> {
  const workspaces: CreatedWorkspace[] = [];
  await some(times, 12, async (number) => {
    const { urls } = instances[number % instances.length] as Instance;
    workspaces.push(await call<CreatedWorkspace>(`${urls.sandbox}/workspaces`, post({ clock: 'frozen' })));
  });
  return workspaces;
}

const clockOf = ({ urls }: Instance, { admin_token }: CreatedWorkspace) =>
  call(`${urls.sandbox}/clock`, { headers: { authorization: `Bearer ${admin_token}` } });

/** The cost of many workspaces, and the waiting time after a kill. */
async function residence(store: string): Promise<void> {
  const flags = ['--store', store, '--share', '0'];
  const instances = [await start(...flags), await start(...flags), await start(...flags)];
  const began = performance.now();
  const workspaces = await make(instances, count);
  const took = (performance.now() - began) / 1000;
  note(
    `${formatFigure(count)} workspaces made through three instances`,
    `${formatFigure(took)} s, ${formatFigure(count / took)} a second`,
  );
  for (const { process } of instances) await process.quiet();
  const idle = instances.map(({ process }) => process.memory());
  note('memory of each, none of them loaded', `${idle.map(formatFigure).join(', ')} MB`);

  const loads = Math.min(600, count);
  const times: number[] = [];
  for (let number = 0; number < loads; number += 1) {
    const sent = performance.now();
    await clockOf(instances[number % 3] as Instance, workspaces[number] as CreatedWorkspace);
    times.push(performance.now() - sent);
  }
  const sorted = times.toSorted((one, other) => one - other);
  const [middle, late] = [0.5, 0.95].map((share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN);
  note(
    'one brought back by its first call',
    `p50 ${formatFigure(middle ?? 0)} ms, p95 ${formatFigure(late ?? 0)} ms (target 50)`,
  );
  for (const { process } of instances) await process.quiet();
  const more = instances.reduce((sum, { process }, at) => sum + process.memory() - (idle[at] ?? 0), 0);
  note('memory for each that is loaded', `${formatFigure(more / loads)} MB`);

  const [first, second] = instances as [Instance, Instance];
  await first.process.stop('SIGKILL');
  const killed = performance.now();
  let longest = 0;
  await Promise.all(
    workspaces.slice(0, 60).map(async (one) => {
      while (
        !(await clockOf(second, one).then(
          () => true,
          () => false,
        ))
      )
        await rest(50);
      longest = Math.max(longest, performance.now() - killed);
    }),
  );
  note('after a kill, until all of 60 workspaces answer', `${formatFigure(longest / 1000)} s (target 5)`);
  for (const { process } of instances) await process.stop();
}

/** The processor time of all instances for an order, in milliseconds. */
async function orderCost(flagsOf: () => Promise<string[][]>): Promise<number> {
  const flags = await flagsOf();
  const instances: Instance[] = [];
  for (const each of flags) instances.push(await start(...each));
  const subjects = await Promise.all((await make(instances, 6)).map((one) => ready(instances, one)));
  const used = () => instances.reduce((sum, { process }) => sum + process.processor(), 0);
  const until = performance.now() + seconds * 1000;
  const before = used();
  let orders = 0;
  await some(12, 12, async (caller) => {
    for (let turn = caller; performance.now() < until; turn += 1) {
      const { urls } = instances[turn % instances.length] as Instance;
      const uid = `CUST000${1 + (turn % 5)}`;
      const body = { uid, line_items: [{ sku: 'EGV-SPICE-100', quantity: 1 }] };
      await call(`${urls.rewards}/v1/partner/redeemptiononskus`, post(body, subjects[caller % 6]));
      orders += 1;
    }
  });
  for (const { process } of instances) await process.quiet();
  const cost = (used() - before) / orders;
  for (const { process } of instances) await process.stop('SIGTERM');
  return cost;
}

/** Gives a workspace enough points, stock and quota; resolves with a company token. */
async function ready(instances: readonly Instance[], { admin_token, credentials }: CreatedWorkspace): Promise<string> {
  const { urls } = instances[0] as Instance;
  const headers = { ...json, authorization: `Bearer ${admin_token}` };
  const patch = (path: string, body: object) =>
    call(`${urls.sandbox}${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) });
  await patch('/workspace', { settings: { rate_limit: 1_000_000 } });
  await patch('/catalogue/EGV-SPICE-100', { stock: 900_000_000 });
  for (const number of [1, 2, 3, 4, 5])
    await patch(`/customers/CUST000${number}`, { points: { balance: 900_000_000 } });
  const { token } = await call<{ token: string }>(
    `${urls.rewards}/v1/company/auth`,
    post({ secret: credentials.company_secret }),
  );
  return token;
}

const server = await newServer();
const folders: string[] = [];
try {
  await residence(await server.schema());
  const sharing = async (instances: number) => {
    const store = await server.schema();
    return Array.from({ length: instances }, () => ['--store', store, '--share', '0']);
  };
  const subjects: readonly (readonly [string, () => Promise<string[][]>])[] = [
    [
      'one process with a folder',
      async () => {
        const dir = await mkdtemp(join(tmpdir(), 'instances-'));
        folders.push(dir);
        return [['--data', dir]];
      },
    ],
    ['one process with PostgreSQL', async () => [['--store', await server.schema()]]],
    ['one instance that would share', () => sharing(1)],
    ['two instances', () => sharing(2)],
    ['three instances', () => sharing(3)],
  ];
  const costs = subjects.map((): number[] => []);
  for (let round = 0; round < 3; round += 1)
    for (const [at, [, flags]] of subjects.entries()) costs[at]?.push(await orderCost(flags));
  const whole = median(costs[0] ?? []);
  for (const [at, [name]] of subjects.entries()) {
    const cost = median(costs[at] ?? []);
    note(
      `processor time of an order, ${name}`,
      `${formatFigure(cost)} ms, ${formatFigure(cost / whole)} of a folder's`,
    );
  }
  if (values.json) console.log(JSON.stringify(Object.fromEntries(figures)));
  else
    console.log(
      ['| what | measured |', '| --- | --- |', ...figures.map((each) => `| ${each.join(' | ')} |`)].join('\n'),
    );
} finally {
  await processes.close();
  await server.stop();
  for (const dir of folders) await rm(dir, { recursive: true, force: true });
}
