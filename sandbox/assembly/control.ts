import type { CallSandbox } from '../agents/server.ts';
import { ClientPositions, clientPosition } from '../client/ledger.ts';
import { clientTriggers } from '../client/triggers.ts';
import { loadContract } from '../contract/schemas.ts';
import type { Control } from '../control/control.ts';
import type { Outgoing } from '../http-client/outgoing.ts';
import { Deliveries, WebhookLog } from '../platform/deliveries.ts';
import { PlacedOrders } from '../platform/orders.ts';
import { PartnerBalances, PlatformPositions, platformPosition } from '../platform/partner-balances.ts';
import { platformTriggers } from '../platform/triggers.ts';
import type { Store } from '../store/store.ts';
import { Outcomes } from '../vendors/outcomes.ts';
import type { WorkspaceCollections } from './collections.ts';
import type { Parties } from './parties.ts';

/** Returns the parts of the parties that the control API can access. The workspace supplies the others. */
export function controlOfParties(store: Store<WorkspaceCollections>, parties: Parties) {
  const { clock, runner, workspace, stock, activity, platform, faults, listener, outgoing, replyBytes } = parties;
  const balances = new PartnerBalances(platform);
  return {
    store,
    clock,
    runner,
    activity,
    faults,
    // The triggers remain in their own parties.
    triggers: { ...clientTriggers(parties.client), ...platformTriggers(platform) },
    stock,
    outcomes: new Outcomes(store, clock, activity),
    ledgers: {
      platform: (redeemCode) => platformPosition(store, redeemCode),
      client: (redeemCode) => clientPosition(store, redeemCode),
      positions: () => positionsIn(store),
      balances: (ask) => balances.page(ask),
    },
    ownerOf: (code) => ownerIn(store, code),
    orders: new PlacedOrders(store),
    deliveries: new Deliveries(platform),
    webhookLog: new WebhookLog(store),
    workspace: () => workspace.describe(),
    changeSettings: (change, trace) => workspace.change(change, trace),
    checkConnection: (uid) => checksOf(parties, uid),
    listener: {
      async open(forwardTo, trace) {
        const stream = await listener.open(
          forwardTo,
          () => workspace.setListened(forwardTo, trace),
          () => ({
            workspace: workspace.meta().id,
            client_token: workspace.settings().client_token,
            webhooks: store.all('webhooks').map(({ webhook_id, url, secret }) => ({ webhook_id, url, secret })),
            reply_bytes: replyBytes,
          }),
        );
        // A server that did not respond before may do so now.
        outgoing.forget();
        return stream;
      },
      reply: (id, reply) => listener.reply(id, reply),
    },
    answers: {
      get: () => workspace.answers(),
      replace: (answers, trace) => workspace.replaceAnswers(answers, trace),
    },
  } satisfies Partial<Control>;
}

/** Checks the connection to the client. The calls use the same destination as the platform's calls. */
async function checksOf({ workspace, client, platform, toClient }: Parties, customer: string) {
  const { checkConnection } = await import('../certification/connection-check.ts');
  const { client_url, client_token: token } = workspace.settings();
  const { username, password } = client.basic;
  const subject = { url: client_url.replace(/\/$/, ''), token, customer, basic: `${username}:${password}` };
  const checks = checkConnection(subject, platform.realTime, toClient(client_url).fetchOf('checkConnection'));
  const items: Awaited<ReturnType<Control['checkConnection']>> = [];
  for await (const { change = null, ...check } of checks) items.push({ ...check, change });
  return items;
}

/** Returns the customer of a redemption, from the platform's line or, if there is none, from the client's booking. */
function ownerIn(store: Store<WorkspaceCollections>, redeemCode: string): string | undefined {
  const booked = store.get('lines', redeemCode) ?? store.get('redemptions', redeemCode);
  return booked !== undefined && 'uid' in booked ? booked.uid : undefined;
}

/** Reads both sides' ledgers at one instant. Other work can run after each slice. */
function positionsIn(store: Store<WorkspaceCollections>) {
  return store.view(async (content) => {
    const [platform, client] = [new PlatformPositions(), new ClientPositions()];
    for await (const slice of content) for (const positions of [platform, client]) positions.take(slice);
    return { platform: platform.all(), client: client.all() };
  });
}

/** Maximum number of concurrently waiting tools of a workspace. Further tools are refused. */
const mostWaiting = 32;
const tooManyWait = `${mostWaiting} tools of this workspace are already waiting. Call again without wait, or later.`;

/** Dependencies of the agent endpoint of a workspace. */
interface AgentsOf {
  readonly version: string;
  readonly calls: Pick<Outgoing, 'send'>;
  /** The origin of the sandbox, once it listens. */
  readonly origin: () => string;
  readonly adminToken: string;
}

/**
 * Creates the agent endpoint of a workspace. The tools call the control API over HTTP with the workspace's token, so
 * they have exactly the rights of its holder. The SDK is loaded with the first message.
 */
export function makeAgents({ version, calls, origin, adminToken }: AgentsOf): Control['agents'] {
  let waiting = 0;
  const callSandbox: CallSandbox = async ({ method, target, body, signal }) => {
    const headers = {
      authorization: `Bearer ${adminToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const call = { method, url: `${origin()}${target}`, headers, body: text, signal };
    const isWaiting = new URLSearchParams(target.split('?')[1]).has('wait');
    if (isWaiting && waiting >= mostWaiting) return { status: 503, text: tooManyWait };
    if (isWaiting) waiting += 1;
    try {
      // Waiting calls have their own slots, so that they do not block others.
      const { status, body: reply } = await calls.send(isWaiting ? 'agent wait' : 'agent', call);
      return { status, text: reply.toString() };
    } finally {
      if (isWaiting) waiting -= 1;
    }
  };
  return {
    answer: async ({ write, ...post }) => {
      const { answerPost } = await import('../agents/http.ts');
      const howToAllow = 'Use tools=all in the URL to allow it.';
      const contract = loadContract('sandbox');
      return answerPost(post, { version, write, howToAllow, contract, callSandbox });
    },
  };
}
