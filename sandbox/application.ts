import Koa, { type Context } from 'koa';
import { authAuthenticators, type ClientCaller, clientAuthenticators } from './client/access.ts';
import type { Client } from './client/client.ts';
import { authHandlers, clientHandlers } from './client/handlers.ts';
import type { Bound, Watch } from './contract/api.ts';
import { bind } from './contract/binder.ts';
import { authEnvelope, clientEnvelope, type Envelope, flatEnvelope } from './contract/envelopes.ts';
import type { FaultPort } from './contract/faults.ts';
import { FaultyOperation } from './contract/faulty-operation.ts';
import { type Mount, mountRouter, type OnServed } from './contract/mount.ts';
import type { LoadedContract } from './contract/schemas.ts';
import type { Control } from './control/control.ts';
import { controlHandlers } from './control/handlers.ts';
import { admit, charge, rewardsAuthenticators } from './platform/access.ts';
import type { PlatformCaller } from './platform/calls.ts';
import { rewardsHandlers } from './platform/handlers.ts';
import type { Platform } from './platform/platform.ts';
import type { Activity, Party } from './runtime/activity.ts';
import type { SeededRandom } from './runtime/random.ts';
import { traceOf } from './runtime/trace.ts';

/** Who calls an operation that asks for no credential. */
const anyone = { kind: 'anyone' } as const;

/** The contracts that are served. */
export interface ServedContracts {
  readonly rewards: LoadedContract;
  readonly client: LoadedContract;
  readonly auth: LoadedContract;
  readonly sandbox: LoadedContract;
}

/**
 * Binds every served contract to its handlers, each under its own address (OP-01). Throws when one does not fit. Calls of the
 * parties' operations meet the faults that were set for them.
 */
export function makeMounts(
  contracts: ServedContracts,
  parties: { readonly platform: Platform; readonly client: Client; readonly control: Control },
  watch: Watch,
  faults: FaultPort,
): Mount[] {
  const failing = <F>(bound: readonly Bound[], envelope: Envelope<F>) =>
    bound.map((operation) => new FaultyOperation(operation, envelope, faults));
  const { platform, client, control } = parties;
  const rewards = bind(
    {
      contract: contracts.rewards,
      handlers: rewardsHandlers(platform),
      envelope: flatEnvelope,
      authenticators: rewardsAuthenticators(platform),
      anyone: anyone as PlatformCaller,
      admit: admit(platform),
      charge: charge(platform),
      idempotency: platform.store,
      identity: (caller) => (caller.kind === 'customer' ? `customer ${caller.uid}` : caller.kind),
    },
    watch,
  );
  const points = bind(
    {
      contract: contracts.client,
      handlers: clientHandlers(client),
      envelope: clientEnvelope,
      authenticators: clientAuthenticators(client),
      anyone: anyone as ClientCaller,
    },
    watch,
  );
  const signIn = bind(
    {
      contract: contracts.auth,
      handlers: authHandlers(client),
      envelope: authEnvelope,
      authenticators: authAuthenticators(client),
      anyone: anyone as ClientCaller,
    },
    watch,
  );
  const handlers = controlHandlers(control);
  const own = bind(
    { contract: contracts.sandbox, handlers, envelope: flatEnvelope, authenticators: {}, anyone },
    watch,
  );
  return [
    { prefix: '/rewards', operations: failing(rewards, flatEnvelope), envelope: flatEnvelope },
    { prefix: '/client', operations: failing([...points, ...signIn], clientEnvelope), envelope: clientEnvelope },
    { prefix: '/sandbox/v1', operations: own, envelope: flatEnvelope },
  ];
}

/** The HTTP application: the mounts, a 404 for everything else, and the activity log over all of it. */
export function makeApplication(mounts: readonly Mount[], random: SeededRandom, activity: Activity, watch: Watch): Koa {
  const app = new Koa();
  const trace = (ctx: Context) => traceOf(ctx, random);
  const onServed: OnServed = (ctx, traceId, served) => {
    ctx.set('X-Trace-Id', traceId);
    const party = partyOf(ctx.path);
    // Looking at the sandbox changes nothing and would drown what happened between the parties.
    if (party === 'sandbox' && (ctx.method === 'GET' || ctx.method === 'HEAD')) return;
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
