import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createRewardsClient, createSandboxClient } from '../../generated/index.ts';
import type { Bench } from './bench.ts';
import { type Processes, pathOf, type Started } from './processes.ts';

/** A checkout of this repository with its dependencies, its Node binary and its sandbox program. */
export interface Checkout {
  readonly dir: string;
  readonly node: string;
  readonly program: string;
}

/** Returns the checkout in a folder. Throws a readable error if a required file is missing. */
export function checkoutAt(folder: string): Checkout {
  const dir = resolve(folder);
  const checkout = { dir, node: join(dir, 'node_modules/.bin/node'), program: join(dir, 'sandbox/bin.js') };
  const missing = [checkout.program, checkout.node].find((file) => !existsSync(file));
  if (missing === undefined) return checkout;
  throw new Error(`There is no ${missing}. Name a checkout of this repository, and run npm ci in it.`);
}

/** A running sandbox as its command starts it: encrypted, and with a running clock. */
export interface Subject {
  readonly process: Started;
  readonly token: string;
  /** The base URLs of APIs. */
  readonly urls: Readonly<Record<'rewards' | 'sandbox', string>>;
  /** The URL of a page of 50 items. */
  readonly page: string;
  readonly orders: string;
}

/** Starts a sandbox on a data folder and measures the milliseconds until it is ready. */
export async function startOn(processes: Processes, dir: string, { node, program } = checkoutAt(pathOf(''))) {
  const began = performance.now();
  const started = processes.run(node, [program, '--port', '0', '--json', '--no-docs', '--data', dir]);
  const { urls } = await started.json<{ urls: Record<'rewards' | 'sandbox', string> }>();
  return { process: started, urls, milliseconds: performance.now() - began };
}

/**
 * Starts a sandbox without a quota. Its 50 customers and the first customer with stored orders have enough points, and its item has enough
 * stock.
 */
export async function startSubject(
  { processes }: Pick<Bench, 'processes'>,
  dir: string,
  checkout?: Checkout,
): Promise<Subject> {
  const { process, urls } = await startOn(processes, dir, checkout);
  const control = createSandboxClient({ baseUrl: urls.sandbox });
  const settings = { rate_limit: 1_000_000 };
  await done(control.PATCH('/workspace', { body: { settings } }));
  const uids = Array.from({ length: 50 }, (_, number) => `SPEED${String(number).padStart(2, '0')}`);
  for (const uid of [...uids, 'BENCH0000'])
    await done(control.POST('/customers', { body: { uid, points: { balance: 900_000_000 } } }));
  const params = { path: { sku_code: 'EGV-SPICE-100' } };
  await done(control.PATCH('/catalogue/{sku_code}', { params, body: { stock: 900_000_000 } }));
  const { data: workspace } = await control.GET('/workspace');
  const secret = workspace?.credentials.company_secret ?? '';
  const { data: signedIn } = await createRewardsClient({ baseUrl: urls.rewards }).POST('/v1/company/auth', {
    body: { secret },
  });
  const page = `${urls.rewards}/v1/partner/rewards?limit=50`;
  const orders = `${urls.rewards}/v1/partner/redeemptiononskus`;
  return { process, urls, page, orders, token: signedIn?.token ?? '' };
}

/** Saves the sandbox's page in a file, for servers that reply with the same bytes. */
export async function savePage({ page, token }: Subject, dir: string) {
  const reply = await fetch(page, { headers: { Authorization: token } });
  const text = await reply.text();
  const file = join(dir, 'page.json');
  await writeFile(file, text);
  return { file, headers: reply.headers, text };
}

async function done(call: Promise<{ response: Response; error?: unknown }>): Promise<void> {
  const { response, error } = await call;
  if (!response.ok) throw new Error(`the sandbox answers ${response.status} ${JSON.stringify(error)}`);
}
