/** Loads a sandbox from a separate process and reports figures for both processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { type Run, ready } from './command.ts';
import { listed } from './lists.ts';
import type { LoopFigures } from './loop-figures.ts';
import { ok } from './sandbox.ts';

/** The target and connections of a load. */
export interface LoadOptions {
  readonly origin: string;
  readonly token: string;
  readonly uid: string;
  readonly sku: string;
  /** Number of connections that send the next order as soon as the previous one has a reply. */
  readonly eager: number;
  /** Number of connections that take ten seconds to send an order. */
  readonly slow: number;
  /** Number of connections that send nothing. */
  readonly idle: number;
}

/** The replies that the callers received. */
export interface LoadFigures {
  /** Ids of orders that the sandbox answered with 200. */
  readonly placed: string[];
  /** Number of calls refused with a complete 503 in the documented envelope, with `Retry-After`. */
  readonly refused: number;
  /** Number of calls whose connection closed before a reply. */
  readonly unanswered: number;
  /** Other replies, limited to 20. */
  readonly wrong: string[];
  /** Seconds until the load stopped. */
  readonly seconds: number;
}

const preload = new URL('loop-figures.ts', import.meta.url).href;
const script = fileURLToPath(new URL('load-process.ts', import.meta.url));
const [uid, sku] = ['LOAD', 'EGV-SPICE-100'];

/** Starts a sandbox on a data folder, with enough points and stock for any load. */
export async function loadedSandbox(dataDir: string, args: readonly string[] = []) {
  const started = await ready(['--data', dataDir, ...args], { NODE_OPTIONS: `--import ${preload}` });
  const { urls } = started;
  const control = createSandboxClient({ baseUrl: urls.sandbox });
  const { credentials } = ok(await control.GET('/workspace'));
  const login = { body: { secret: credentials.company_secret } };
  const { token } = ok(await createRewardsClient({ baseUrl: urls.rewards }).POST('/v1/company/auth', login));
  const rewards = createRewardsClient({ baseUrl: urls.rewards, token });
  const body = { uid, line_items: [{ sku, quantity: 1 }] };
  const order = () => rewards.POST('/v1/partner/redeemptiononskus', { body });
  return { ...started, control, token, order, figures: figuresOf(started) };
}

/** Sets up the customer's points and the item's stock, and lifts the rate limit. */
export async function fill({ control }: Pick<LoadedSandbox, 'control'>): Promise<void> {
  ok(await control.PATCH('/workspace', { body: { settings: { rate_limit: 1_000_000 } } }));
  ok(await control.POST('/customers', { body: { uid, points: { balance: 900_000_000 } } }));
  const item = { params: { path: { sku_code: sku } }, body: { stock: 900_000_000 } };
  ok(await control.PATCH('/catalogue/{sku_code}', item));
}

export type LoadedSandbox = Awaited<ReturnType<typeof loadedSandbox>>;

/** Returns a function that reads the process's figures since the previous reading. */
function figuresOf({ child, saw }: Run): () => Promise<LoopFigures> {
  let readings = 0;
  return async () => {
    readings += 1;
    child.kill('SIGUSR2');
    const [, figures = ''] = await saw(new RegExp(`^figures ${readings} (.*)$`, 'm'));
    return JSON.parse(figures) as LoopFigures;
  };
}

/** Callers in a separate process. */
export interface Load {
  /** Ends the load once every call has a reply. */
  stop(): Promise<LoadFigures>;
  /** Resolves when the load has ended or the sandbox no longer listens. */
  readonly figures: Promise<LoadFigures>;
}

/** Starts the load. */
export function load({ urls, token }: LoadedSandbox, who: Pick<LoadOptions, 'eager' | 'slow' | 'idle'>): Load {
  const options: LoadOptions = { origin: new URL(urls.rewards).origin, token, uid, sku, ...who };
  const child: ChildProcess = fork(script, [JSON.stringify(options)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const figures = once(child, 'message').then(([message]) => message as LoadFigures);
  return {
    figures,
    stop: () => {
      child.send('stop');
      return figures;
    },
  };
}

type Entry = components['schemas']['Ledger']['items'][number];
type Placed = components['schemas']['PlacedOrder'];

/** Returns the orders, the client's deductions and the ledger mismatches once no work is due. */
export async function readFinalState({ urls, control }: LoadedSandbox) {
  // Advances in steps, so that no single call runs for long.
  while (ok(await control.POST('/clock/advance', { body: { seconds: 1 } })).ran > 0);
  const { admin_token: admin } = ok(await control.GET('/workspace'));
  const orders = await listed<Placed>(`${urls.sandbox}/orders?after=0&limit=1000`, admin);
  const ledger = await listed<Entry>(`${urls.sandbox}/ledger/${uid}?after=0`, admin);
  const { items: differences } = ok(await control.GET('/reconciliation'));
  return {
    orders: orders.map(({ order }) => order.order_id).sort(),
    codes: orders.flatMap(({ order }) => order.lines.map(({ redeemCode }) => redeemCode)).sort(),
    deducted: ledger.flatMap(({ kind, reference }) => (kind === 'deduct' ? [reference] : [])).sort(),
    differences,
  };
}
