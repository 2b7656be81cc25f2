/**
 * The composition root: the one place where store, clock, randomness, parties and HTTP are put together. A test suite can
 * embed a whole sandbox with `startSandbox({ port: 0 })`.
 */
import Koa, { type Context } from 'koa';
import { type Books, booksSpec, type Meta } from './books.ts';
import { authAuthenticators, type ClientCaller, clientAuthenticators } from './client/access.ts';
import type { Client } from './client/client.ts';
import { Directory } from './client/directory.ts';
import { authHandlers, clientHandlers } from './client/handlers.ts';
import { PlatformGateway } from './client/platform-gateway.ts';
import { seedCustomers } from './client/seed.ts';
import { pendingTimeout } from './client/work/pendingTimeout.ts';
import { sendVouchers } from './client/work/sendVouchers.ts';
import { bind, type Violation, type Watch } from './contract/binder.ts';
import { authEnvelope, clientEnvelope, flatEnvelope } from './contract/envelopes.ts';
import { type Mount, mountRouter, type OnServed } from './contract/mount.ts';
import { loadContract } from './contract/schemas.ts';
import { controlHandlers } from './control/handlers.ts';
import { admission, rewardsAuthenticators } from './platform/access.ts';
import { ClientGateway } from './platform/client-gateway.ts';
import { type PlatformCaller, rewardsHandlers } from './platform/handlers.ts';
import type { Platform } from './platform/platform.ts';
import { seedCatalogue } from './platform/seed.ts';
import { Stock } from './platform/stock.ts';
import { abandonOrder } from './platform/work/abandonOrder.ts';
import { creditPoints } from './platform/work/creditPoints.ts';
import { fulfilLine } from './platform/work/fulfilLine.ts';
import { reportStatus } from './platform/work/reportStatus.ts';
import { sendWebhook } from './platform/work/sendWebhook.ts';
import { Activity, type Party } from './runtime/activity.ts';
import { Clock, type ClockMode, freshClock, resumeClock } from './runtime/clock.ts';
import { DueRunner } from './runtime/due.ts';
import { Outgoing, type OutgoingLimits, outgoingLimits } from './runtime/outgoing.ts';
import { SeededRandom } from './runtime/random.ts';
import { Tokens } from './runtime/tokens.ts';
import { traceOf } from './runtime/trace.ts';
import { listen } from './server.ts';
import { openLowdbStore } from './store/lowdb.ts';
import { openMemoryStore } from './store/memory.ts';
import { type Store, StoreError } from './store/store.ts';
import { Outcomes } from './vendors/outcomes.ts';
import { Vendors } from './vendors/vendors.ts';
import { project, secretsOf, Workspace } from './workspace.ts';

export const version = '0.1.0';

/** Who calls an operation that asks for no credential. */
const anyone = { kind: 'anyone' } as const;

export interface SandboxOptions {
  /** 0 for any free port. */
  readonly port?: number;
  readonly host?: string;
  /** Where to keep the data; left out, a sandbox forgets everything when it ends. */
  readonly dataDir?: string;
  /** 32 bytes that encrypt the data at rest (OP-33). */
  readonly key?: Uint8Array;
  /** Decides what the demo workspace looks like, and all codes and secrets. Kept with the data. */
  readonly seed?: string;
  readonly clock?: ClockMode;
  /** The machine's time in milliseconds. */
  readonly realTime?: () => number;
  readonly outgoing?: Partial<OutgoingLimits>;
  /** Is told of a reply that breaks the contract; the caller gets a 500. */
  readonly onViolation?: (violation: Violation) => void;
  /** Is told what an operator should know. */
  readonly warn?: (message: string) => void;
}

export interface Sandbox {
  readonly origin: string;
  /** Addresses, credentials and settings, as `GET /sandbox/v1/workspace` shows them. */
  readonly workspace: ReturnType<Workspace['shown']>;
  /** A company token for a first call. */
  companyToken(): Promise<string>;
  /** Lets what is under way end, stores everything and stops. */
  close(): Promise<void>;
}

/** Starts a sandbox. Rejects with `StoreError` when the data cannot be opened, or the system's error when it cannot listen. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const warn = options.warn ?? ((message: string) => console.error(message));
  const store = await openStore(options, warn);
  try {
    return await assemble(store, options, warn);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function openStore({ dataDir, key }: SandboxOptions, warn: (message: string) => void): Promise<Store<Books>> {
  if (dataDir === undefined) return Promise.resolve(openMemoryStore(booksSpec, warn));
  return openLowdbStore({ dir: dataDir, spec: booksSpec, key, warn });
}

async function assemble(
  store: Store<Books>,
  options: SandboxOptions,
  warn: (message: string) => void,
): Promise<Sandbox> {
  const realTime = options.realTime ?? Date.now;
  const meta = startOf(store.get('meta', 'workspace'), options, realTime(), warn);
  const secrets = secretsOf(meta.seed);
  const clock = new Clock(meta.clock, realTime);
  const random = new SeededRandom(`${meta.seed}#${meta.starts}`);
  const now = () => clock.now();
  const activity = new Activity(store, clock, warn);
  const outgoing = new Outgoing({ ...outgoingLimits, ...options.outgoing });
  let origin = '';
  const workspace = new Workspace(store, secrets, () => origin);
  const settings = () => workspace.settings();

  const contracts = { rewards: loadContract('rewards'), client: loadContract('client'), auth: loadContract('auth') };
  const vendors = new Vendors(store, random, activity, (sku) => stock.vendorOf(sku));
  const platform: Platform = {
    store,
    clock,
    random,
    activity,
    client: new ClientGateway(contracts.client, outgoing, activity, random, settings),
    vendors,
    outgoing,
    companyTokens: new Tokens({ issuer: 'rewards-platform', audience: 'company' }, secrets.companyKey, now),
    customerTokens: new Tokens({ issuer: 'rewards-platform', audience: 'customer' }, secrets.customerKey, now),
    cursorKey: secrets.cursorKey,
    companySecret: secrets.companySecret,
    projectCode: project.projectCode,
    settings,
    runner: () => runner,
  };
  const stock = new Stock(platform);
  const address = { rewardsUrl: () => `${origin}/rewards`, companySecret: secrets.companySecret };
  const client: Client = {
    store,
    clock,
    random,
    activity,
    platform: new PlatformGateway(outgoing, activity, random, clock, address),
    customerTokens: new Tokens({ issuer: 'client', audience: 'rewards-platform' }, secrets.jwtKey, now),
    serviceToken: secrets.serviceToken,
    basic: secrets.basic,
    settings,
  };
  const customers = new Directory(client, project, meta.seed);
  const workers = {
    abandonOrder: (work) => abandonOrder(platform, work),
    creditPoints: (work) => creditPoints(platform, work),
    fulfilLine: (work) => fulfilLine(platform, work),
    reportStatus: (work) => reportStatus(platform, work),
    sendWebhook: (work) => sendWebhook(platform, work),
    pendingTimeout: (work) => pendingTimeout(client, work),
    sendVouchers: (work) => sendVouchers(client, work),
  } satisfies ConstructorParameters<typeof DueRunner>[2];
  const runner = new DueRunner(store, clock, workers, warn);

  const seed = () =>
    store.transact((tx) => {
      random.reseed(`${meta.seed}#1`);
      clock.restart();
      for (const [collection, id] of everything(store)) tx.remove(collection, id);
      tx.put('meta', 'workspace', { ...meta, starts: 1, clock: clock.state(), settings: {} });
      seedCatalogue(tx, random);
      seedCustomers(tx, customers, random);
    });
  if (store.get('meta', 'workspace') === undefined) await seed();
  else await store.transact((tx) => tx.put('meta', 'workspace', meta));

  const watch = watching(options, warn);
  const rewards = bind(
    {
      contract: contracts.rewards,
      handlers: rewardsHandlers(platform),
      envelope: flatEnvelope,
      authenticators: rewardsAuthenticators(platform),
      admit: admission(platform),
      idempotency: store,
      anyone: anyone as PlatformCaller,
    },
    watch,
  );
  const clientSide = [
    ...bind(
      {
        contract: contracts.client,
        handlers: clientHandlers(client),
        envelope: clientEnvelope,
        authenticators: clientAuthenticators(client),
        anyone: anyone as ClientCaller,
      },
      watch,
    ),
    ...bind(
      {
        contract: contracts.auth,
        handlers: authHandlers(client),
        envelope: authEnvelope,
        authenticators: authAuthenticators(client),
        anyone: anyone as ClientCaller,
      },
      watch,
    ),
  ];
  const control = bind(
    {
      contract: loadContract('sandbox'),
      handlers: controlHandlers({
        version,
        clock,
        runner,
        store,
        workspace: () => workspace.shown(),
        changeSettings: (change) => workspace.change(change),
        reset: seed,
        keepClock: () =>
          store.transact((tx) => tx.put('meta', 'workspace', { ...workspace.meta(), clock: clock.state() })),
        customers,
        stock,
        outcomes: new Outcomes(store, activity),
      }),
      envelope: flatEnvelope,
      authenticators: {},
      anyone,
    },
    watch,
  );
  const app = application(
    [
      { prefix: '/rewards', operations: rewards, envelope: flatEnvelope },
      { prefix: '/client', operations: clientSide, envelope: clientEnvelope },
      { prefix: '/sandbox/v1', operations: control, envelope: flatEnvelope },
    ],
    random,
    activity,
    watch,
  );

  const host = options.host ?? '127.0.0.1';
  const ownCalls = (path: string) => path.startsWith('/client/');
  const server = await listen(app.callback(), host, options.port ?? 4010, ownCalls);
  origin = `http://${urlHost(host)}:${server.port}`;
  runner.start();
  return {
    origin,
    workspace: workspace.shown(),
    companyToken: () => platform.companyTokens.sign(project.projectCode, random.hex(8), 3600),
    async close() {
      await runner.stop();
      await server.drain();
      await server.close();
      await outgoing.close();
      await store.close();
    },
  };
}

/** Where this start begins: with what the data says, or anew. */
function startOf(
  stored: Meta | undefined,
  options: SandboxOptions,
  real: number,
  warn: (message: string) => void,
): Meta {
  if (stored === undefined) {
    const clock = freshClock(options.clock ?? 'running');
    return { seed: options.seed ?? 'demo', starts: 1, clock, settings: {} };
  }
  if (options.seed !== undefined && options.seed !== stored.seed) {
    warn(`This data was made with seed ${stored.seed}; the seed ${options.seed} is ignored.`);
  }
  const clock = resumeClock(stored.clock, options.clock ?? stored.clock.mode, real);
  return { ...stored, starts: stored.starts + 1, clock };
}

/** Every record of the store, so that a reset can remove it. */
function* everything(store: Store<Books>): Generator<[collection: keyof Books, id: string]> {
  for (const collection of Object.keys(booksSpec) as (keyof Books)[]) {
    for (const id of store.ids(collection)) yield [collection, id];
  }
}

function watching(options: SandboxOptions, warn: (message: string) => void): Watch {
  return {
    violation: options.onViolation ?? ((found) => warn(`A reply breaks its contract: ${JSON.stringify(found)}`)),
    error(error, operationId) {
      warn(`${operationId} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      return error instanceof StoreError ? 'unavailable' : 'internal_error';
    },
  };
}

function application(mounts: readonly Mount[], random: SeededRandom, activity: Activity, watch: Watch): Koa {
  const app = new Koa();
  const trace = (ctx: Context) => traceOf(ctx, random);
  const onServed: OnServed = (ctx, traceId, served) => {
    ctx.set('X-Trace-Id', traceId);
    const party = partyOf(ctx.path);
    if (party === 'sandbox' && ctx.method === 'GET') return;
    const { status, request, reply, replyBytes, notices } = served;
    const operation = served.operation?.operationId ?? null;
    const seen = { kind: 'call_in', trace: traceId, party, method: ctx.method, url: ctx.url, operation } as const;
    activity.call({ ...seen, status, request, reply: reply ?? null, replyBytes, notices });
  };
  for (const mount of mounts) app.use(mountRouter(mount, trace, onServed));
  app.use((ctx) => {
    const { status, body } = flatEnvelope.render({ kind: 'not_found' });
    ctx.status = status;
    ctx.body = body;
    onServed(ctx, trace(ctx), { status, request: null, reply: body, replyBytes: 0, notices: [] });
  });
  app.on('error', (error) => watch.error(error, 'a request'));
  return app;
}

function partyOf(path: string): Party {
  if (path.startsWith('/client')) return 'client';
  return path.startsWith('/sandbox') ? 'sandbox' : 'platform';
}

/** How a host is written in a URL; an address that means every interface is reached on this machine's own. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
