import type { Duplex } from 'node:stream';
import { Activity, activityLimits } from '../activity-log/activity.ts';
import { type CallLog, forgetfulCallLog } from '../activity-log/call-log.ts';
import { registry } from '../apis/registry.ts';
import type { Client } from '../client/client.ts';
import { PlatformGateway } from '../client/platform-gateway.ts';
import type { Project } from '../client/profiles.ts';
import { pendingTimeout, readOrderStatus } from '../client/redemptions.ts';
import { WalletReads } from '../client/wallet-reads.ts';
import { sendVouchers } from '../client/workers/sendVouchers.ts';
import { validatingContract } from '../conformance/own-traffic.ts';
import { loadContract } from '../contract/schemas.ts';
import { guardedConnector, type OwnPlaces, type Resolve, selfProblem, toItself } from '../http-client/connecting.ts';
import { Listener } from '../http-client/listener.ts';
import { Outgoing, type OutgoingLimits, outgoingTerms, ownTerms } from '../http-client/outgoing.ts';
import { DueRunner, type Worker } from '../jobs/due.ts';
import type { Work } from '../jobs/work.ts';
import { standingFaults } from '../magic/table.ts';
import { storedReplies } from '../platform/apis.ts';
import { ClientGateway } from '../platform/client-gateway.ts';
import { abandonOrder } from '../platform/place-order.ts';
import { type Platform, platformIssuer } from '../platform/platform.ts';
import { PortalOrders } from '../platform/portal-orders.ts';
import { QuotaWindow } from '../platform/quota.ts';
import { Stock } from '../platform/stock.ts';
import { creditPoints } from '../platform/workers/deliver.ts';
import { fulfilLine, reportStatus } from '../platform/workers/line.ts';
import { sendWebhook } from '../platform/workers/sendWebhook.ts';
import { addressProblem, outgoingHeader, ownCallHeader } from '../runtime/caller.ts';
import { Clock, type Delay, type Timer } from '../runtime/clock.ts';
import { type FaultHost, Faults } from '../runtime/faults.ts';
import { type DrawKept, draw, SeededRandom } from '../runtime/ids.ts';
import { type OnSpan, Spans } from '../runtime/spans.ts';
import { Handles, Tokens, type VerifiedTokens } from '../runtime/tokens.ts';
import type { CountedBytes, Store } from '../store/store.ts';
import { Vendors } from '../vendors/vendors.ts';
import type { Meta, WorkspaceCollections } from './collections.ts';
import { ownPath, secretsOf, streamsOf, WorkspaceSettings } from './settings.ts';

/** External dependencies of the parties: time, addresses, limits and reporting. */
export interface PartyOptions {
  readonly meta: Meta;
  /** The project of all workspaces. */
  readonly project: Project;
  readonly realTime: () => number;
  /** The address of this sandbox; available only once it listens. */
  readonly origin: () => string;
  /** The public address of the sandbox (OP-228). */
  readonly publicOrigin: () => string;
  /** Whether other machines can reach the sandbox (OP-65). */
  readonly isReachedByOthers: boolean;
  readonly outgoing: Partial<OutgoingLimits>;
  /** Address ranges that may be called, in addition to public addresses (OP-60). */
  readonly allowedAddresses: readonly string[];
  /** The addresses of the sandbox and its proxy, which it must not call on behalf of others (OP-78). */
  readonly own: OwnPlaces;
  readonly resolve: Resolve;
  /** The operations that can have faults (OP-70). */
  readonly faultTargets: ReadonlyMap<string, FaultHost>;
  /** Returns a random seed, for codes that no other run may draw. */
  readonly newSeed: () => string;
  /** The delay of faults, in real time. */
  readonly delay: Delay;
  /** The timer of the listener. */
  readonly timer: Timer;
  /** Opens a connection to the sandbox itself; available only once it listens. */
  readonly connectItself: () => Duplex;
  readonly warn: (message: string) => void;
  /** Called with each span when it ends. */
  readonly onSpan?: OnSpan | undefined;
  /** The persistent log of calls and the quota. Default: nothing is stored. */
  readonly calls?: CallLog;
  /** Maximum bytes of the activity log in memory, and the budget that counts them. Default: only the log's own limits apply. */
  readonly log?: { readonly mostBytes: number; readonly memory: CountedBytes };
}

/** The platform, the client and the vendors, with the clock and the runner that drive them. */
export type Parties = ReturnType<typeof makeParties>;

/** Assembles the three parties on one store. They share the runtime and the clock, and communicate only over HTTP. */
export function makeParties(store: Store<WorkspaceCollections>, around: PartyOptions) {
  const { meta, project, origin, publicOrigin, isReachedByOthers, warn, onSpan, calls = forgetfulCallLog } = around;
  const { id: workspace } = meta;
  const secrets = secretsOf(meta.root);
  const clock = new Clock(meta.clock, around.realTime);
  // This listener must be the first, so that all others see the new state of the clock.
  store.onCommit((committed) => {
    const changed = committed === 'everything' || committed.some(({ collection }) => collection === 'meta');
    const stored = changed ? store.get('meta', 'workspace') : undefined;
    if (stored === undefined) return;
    clock.follow(stored.clock);
    listener.follow(record.settings().client_url);
  });
  const streams = streamsOf(meta, meta.starts);
  const random = new SeededRandom(streams.spans);
  const spans = new Spans(random, around.realTime, onSpan && ((span) => onSpan(span, workspace)));
  const traces = new SeededRandom(streams.traces);
  const activity = new Activity(store, clock, warn, {
    calls,
    most: {
      ...activityLimits,
      bytes: Math.min(activityLimits.bytes, around.log?.mostBytes ?? Number.POSITIVE_INFINITY),
    },
    memory: around.log?.memory,
  });
  const now = () => clock.now();
  const terms = { ...outgoingTerms, ...around.outgoing, isDoubtful: () => store.paused };
  const { connectTimeout: timeout } = terms;
  const { allowedAddresses: allowed, resolve, own } = around;
  const marked = { [outgoingHeader]: '1' };
  const faults = new Faults({
    store,
    activity,
    seed: meta.seed,
    delay: around.delay,
    warn,
    targets: around.faultTargets,
    clientElsewhere: () => !record.isReference(record.settings().client_url),
    permanent: standingFaults,
  });
  const clientUrl = () => record.settings().client_url;
  const listener = new Listener({ activity, timer: around.timer, realTime: around.realTime, clientUrl });
  const outgoing = new Outgoing(
    terms,
    guardedConnector({ allowed, resolve, timeout, own }),
    now,
    marked,
    faults.at('sent'),
    listener,
  );
  const toOurselves = toItself(origin, around.connectItself);
  const itself = new Outgoing({ ...ownTerms, ...around.outgoing }, toOurselves, now, {
    ...marked,
    [ownCallHeader]: secrets.ownCalls,
  });
  // An agent's tool may wait as long as the control API allows.
  const agentTerms = { ...ownTerms, totalTimeout: 60_000, inFlight: 32 };
  const agentCalls = new Outgoing(agentTerms, toOurselves, now);
  const problem = (url: string) => addressProblem(url, allowed) ?? selfProblem(url, own);
  const served = { origin, publicOrigin, isReachedByOthers };
  const record = new WorkspaceSettings({ store, activity, secrets, project, ...served, addressProblem: problem });
  const partnerUrl = () => {
    const { client_url: url } = record.settings();
    return record.isReference(url) ? undefined : url;
  };
  const toClient = (url: string) => (record.isReference(url) ? itself : outgoing);
  const settings = () => record.settings();
  const drawKept: DrawKept = (tx, use) => draw(tx, use, partnerUrl() === undefined ? undefined : around.newSeed);
  const shared = { store, clock, random, drawKept, spans, activity, settings };
  const recorder = { activity, spans };

  const contracts = registry.client.contracts.map((name) => validatingContract(loadContract(name, 'interface')));
  const vendors = new Vendors({ store, clock, ...recorder, vendorOf: (sku) => stock.vendorOf(sku), drawKept });
  const issuer = platformIssuer;
  const verified: VerifiedTokens = new Map();
  const platform: Platform = {
    ...shared,
    client: new ClientGateway(contracts, toClient, recorder, settings),
    vendors,
    outgoing,
    addressProblem: (url) => (listener.reaches(url) ? undefined : problem(url)),
    partnerUrl,
    realTime: around.realTime,
    companyTokens: new Tokens({ issuer, audience: 'company', workspace }, secrets.companyKey, now, verified),
    customerTokens: new Tokens({ issuer, audience: 'customer', workspace }, secrets.customerKey, now, verified),
    generalTokens: new Tokens({ issuer, audience: 'general', workspace }, secrets.generalKey, now, verified),
    cursorKey: secrets.cursorKey,
    quota: new QuotaWindow(store, { now, limit: () => settings().rate_limit, calls }),
    replies: storedReplies(shared),
    companySecret: secrets.companySecret,
    generalPassword: secrets.general.password,
    projectCode: project.projectCode,
    runner: () => runner,
  };
  calls.follow({ activity, quota: platform.quota });
  const stock = new Stock(platform);
  const rewards = { rewardsUrl: () => `${origin()}/rewards`, companySecret: secrets.companySecret };
  const client: Client = {
    ...shared,
    platform: new PlatformGateway(itself, recorder, clock, rewards),
    walletReads: new WalletReads(),
    customerTokens: new Tokens({ issuer: 'client', audience: 'rewards-platform', workspace }, secrets.jwtKey, now),
    serviceToken: secrets.serviceToken,
    gatewayToken: secrets.gatewayToken,
    projectCode: project.projectCode,
    get basic() {
      return record.basic;
    },
  };
  const runner = new DueRunner(
    store,
    clock,
    (state) => record.keepClock(state),
    workers(spans, platform, client),
    warn,
  );
  const handles = new Handles(secrets.pagePlace, secrets.pageKey);
  const portalOrders = new PortalOrders(platform, handles);
  return {
    clock,
    random,
    traces,
    spans,
    activity,
    outgoing,
    itself,
    agentCalls,
    listener,
    replyBytes: terms.replyBytes,
    addressProblem: problem,
    platform,
    stock,
    client,
    runner,
    workspace: record,
    faults,
    portalOrders,
    handles,
    toClient,
    ownPath: ownPath(workspace, secrets, isReachedByOthers),
    isReachedByOthers,
  };
}

/** Binds workers to their party. Each job runs as a span, whose parent is the call or job that scheduled it. */
function inSpans<Host>(
  spans: Spans,
  party: 'client' | 'platform',
  host: Host,
  workers: Readonly<Record<string, (host: Host, work: Work) => ReturnType<Worker>>>,
): Record<string, Worker> {
  const inSpan = (name: string, worker: (typeof workers)[string]) => (work: Work) => {
    const { trace, parent, tracestate } = work;
    return spans.during({ name, kind: 'internal', party, trace, parent, tracestate }, () => worker(host, work));
  };
  return Object.fromEntries(Object.entries(workers).map(([kind, worker]) => [kind, inSpan(kind, worker)]));
}

/** Returns the worker for each kind of due work. */
function workers(spans: Spans, platform: Platform, client: Client): Record<string, Worker> {
  const ofPlatform = { abandonOrder, creditPoints, fulfilLine, reportStatus, sendWebhook };
  const ofClient = { pendingTimeout, readOrderStatus, sendVouchers };
  return { ...inSpans(spans, 'platform', platform, ofPlatform), ...inSpans(spans, 'client', client, ofClient) };
}
