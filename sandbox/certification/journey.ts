/** A journey: a platform workspace that uses the server as its client, and the actions in it. */
import {
  createRewardsClient,
  createSandboxClient,
  createV2PlatformClient,
  type SandboxClient,
} from '../../generated/index.ts';
import type { components } from '../../generated/sandbox/types.ts';
import { registry } from '../apis/registry.ts';
import type { Answer } from './answer.ts';
import { assertSame, failWith } from './assertions.ts';
import {
  callsToServer,
  codesBegun,
  countReached,
  isUnheard,
  type LogEntry,
  shownCalls,
  wasTaken,
} from './platform-log.ts';
import type { ProbeContext } from './probe-context.ts';
import { blockers, keepsConnections, ordering, prerequisites, readingBalance, unreadable } from './requirement.ts';
import type { Platform } from './run-connections.ts';
import { Blocked, inTime, NotApplicable } from './verdict.ts';

type Schemas = components['schemas'];

type Order = Schemas['PlacedOrder']['order'];

/** The price of a catalogue item and the outcome at its vendor. For products, `points` excludes the fee of 49. */
interface ItemWanted {
  readonly points: number;
  readonly product?: boolean;
  readonly outcome?: Schemas['OutcomeName'];
}

/** Fee that the platform adds to each product line, in points. */
export const productFee = 49;

/** Seconds until the vendor of an item responds. */
export const vendorSeconds = 2;

/** Creates a workspace whose client is the server. Rejects with `NotApplicable` if the platform refuses the client URL. */
export async function workspaceOf({ origin, adminToken: token }: Platform, { input, unique }: ProbeContext) {
  const admin = createSandboxClient({ baseUrl: `${origin}${registry.sandbox.prefix}`, token });
  const settings = { client_url: input.client_url.replace(/\/$/, ''), client_token: input.service_token ?? null };
  const made = await admin.POST('/workspaces', { body: { seed: unique, clock: 'frozen', settings } });
  if (made.response.status === 400) {
    throw new NotApplicable(`The platform cannot use this server as its client: ${made.error?.message}.`);
  }
  return dataOf(made);
}

/** Returns the body of a platform response. Throws an `Error` if there is none, because the platform is our own. */
function dataOf<T>({ data, response }: { readonly data?: T; readonly response: Response }): T {
  if (data === undefined) throw new Error(`the platform returned ${response.status} at ${response.url}`);
  return data;
}

/** The actions and assertions of one journey in its workspace. */
export class Journey {
  readonly #probing: ProbeContext;
  readonly #version: 'v1' | 'v2';
  readonly #origin: string;
  readonly #workspace: Schemas['Workspace'];
  readonly #control: SandboxClient;
  /** A client for `end`. An interruption does not abort its calls. */
  readonly #ending: SandboxClient;
  readonly #points = new Map<string, number>();
  #companyToken = '';
  #before = 0;

  constructor(probing: ProbeContext, version: 'v1' | 'v2', { origin }: Platform, workspace: Schemas['Workspace']) {
    this.#probing = probing;
    this.#version = version;
    this.#origin = origin;
    this.#workspace = workspace;
    const at = { baseUrl: `${origin}${registry.sandbox.prefix}`, token: workspace.admin_token };
    this.#control = createSandboxClient({ ...at, fetch: this.#fetch });
    this.#ending = createSandboxClient(at);
  }

  /** Signs the company in and records the customer's balance. */
  async begin(): Promise<void> {
    const body = { secret: this.#workspace.credentials.company_secret };
    this.#companyToken = dataOf(await this.rewards('').POST('/v1/company/auth', { body })).token;
    this.#before = await this.balance();
  }

  /** Returns a client for the rewards API, by default with the company token. An empty token sends none. */
  rewards(token: string = this.#companyToken) {
    return createRewardsClient({ ...this.#api, ...(token !== '' && { token }) });
  }

  /** Adds a catalogue item that only this journey uses. Resolves with its code. */
  async item({ points, product = false, outcome = 'deliver' }: ItemWanted): Promise<string> {
    const sku_code = this.#probing.fresh();
    const price = String(points);
    const kind = product
      ? ({ product_type: 'PHYSICAL', price } as const)
      : ({ product_type: 'EGV', denomination_value: price } as const);
    dataOf(await this.#control.POST('/catalogue', { body: { sku_code, skus: 'An item', stock: 9, ...kind } }));
    const path = { sku_code };
    dataOf(await this.#control.PUT('/vendor-outcomes/{sku_code}', { params: { path }, body: { outcome } }));
    this.#points.set(sku_code, points + (product ? productFee : 0));
    return sku_code;
  }

  /** Injects a fault into the next calls of an operation to the server. */
  async fault(fault: Schemas['FaultInput']): Promise<void> {
    dataOf(await this.#control.POST('/faults', { body: fault }));
  }

  /** Orders one unit of each item. Resolves with `undefined` if the order was not placed. */
  async order(skus: readonly string[], token: string = this.#companyToken): Promise<Order | undefined> {
    const { customer: uid } = this.#probing;
    const rest = {
      line_items: skus.map((sku) => ({ sku, quantity: 1 })),
      shipping_address: '12 Lake View Road, Bengaluru 560038',
    };
    if (this.#version === 'v1') {
      return (await this.rewards(token).POST('/v1/partner/redeemptiononskus', { body: { uid, ...rest } })).data;
    }
    const platform = createV2PlatformClient({ ...this.#api, token });
    return (await platform.POST('/api/v1/orders', { body: { customer_id: uid, ...rest } })).data;
  }

  /** Places an order as a preparatory step. Rejects with `Blocked` if the order was not placed. */
  async ordered(skus: readonly string[]): Promise<Order> {
    const order = await this.order(skus);
    if (order !== undefined) return order;
    const unheard = await this.unheard();
    if (unheard !== undefined) throw unheard;
    const calls = callsToServer(await this.#entries());
    const isError = ({ status }: (typeof calls)[number]) => status !== null && status >= 400;
    // Ignore calls with an injected fault, because the fault may be the reason for the refusal.
    const refused = calls.findLast((call) => !wasTaken(call)) ?? calls.findLast(isError) ?? calls.at(-1);
    const needed = [...(blockers[refused?.operation ?? ''] ?? []), ...ordering(this.#version)];
    const why = `${refused?.operation} returned ${refused?.status}`;
    throw new Blocked(needed, `The platform's order was not placed: ${why}.`);
  }

  /** Resolves with the error to report if the platform received no usable answer to a call, or with `undefined`. */
  async unheard(): Promise<Blocked | undefined> {
    const call = callsToServer(await this.#entries()).find(isUnheard);
    if (call === undefined) return undefined;
    const why = call.notices[0] ?? 'no response';
    const [late, broken] = [why === 'no response in time', call.status === null];
    const needed = broken ? keepsConnections : (unreadable[call.operation ?? ''] ?? prerequisites.profile);
    const message = `The platform received no usable response to ${call.operation}: ${why}.`;
    return new Blocked(late ? inTime : needed, message);
  }

  /** Orders one unit of each item. Fails the requirement if the order was not placed. */
  async placed(what: string, skus: readonly string[], token?: string): Promise<Order> {
    return (await this.order(skus, token)) ?? this.unplaced(what);
  }

  /** Fails the requirement because an expected order was not placed. */
  async unplaced(what: string): Promise<never> {
    failWith(`${what} was not placed.`, '/order', 'an order', 'none', await this.evidence());
  }

  /** Cancels the pending lines of an order. */
  async cancel(order_id: string): Promise<void> {
    dataOf(await this.#control.POST('/triggers/cancellation', { body: { order_id } }));
  }

  /** Asserts the final statuses of an order's lines on the platform, which depend on the server's answers. */
  async #ended(order_id: string, expected: string): Promise<void> {
    const { order } = dataOf(await this.#control.GET('/orders/{order_id}', { params: { path: { order_id } } }));
    const statuses = order.lines.map(({ status }) => status).join(', ');
    const message = `The order has the final status ${statuses} instead of ${expected}.`;
    assertSame(statuses, expected, { message, pointer: '/order', answers: await this.evidence() });
  }

  /** Returns the customer's balance as reported by the server. Rejects with `Blocked` if the server reports none. */
  balance(): Promise<number> {
    return this.#probing.balance(this.#probing.customer, this.#version);
  }

  /**
   * Advances the platform's clock, and runs jobs that become due. Then asserts the final statuses of an order, that the
   * balance changed by `change` points, and that the ledgers of platform and server agree. `order` is its id and the expected
   * statuses of its lines.
   */
  async advanceAndAssert(
    seconds: number,
    what: string,
    change: number,
    order?: readonly [id: string, statuses: string],
  ): Promise<void> {
    dataOf(await this.#control.POST('/clock/advance', { body: { seconds } }));
    if (order !== undefined) await this.#ended(...order);
    const grown = (await this.balance()) - this.#before;
    const answers = await this.evidence();
    const message = `After ${what}, the balance changed by ${grown} instead of ${change} points.`;
    assertSame(grown, change, { message, pointer: '/balance', answers });
    const { items } = dataOf(await this.#control.GET('/reconciliation'));
    const [difference] = items;
    if (difference === undefined) return;
    if (difference.kind === 'unknown' && (difference.reason === 'not_read' || difference.reason === 'no_read_before'))
      throw new Blocked(readingBalance(this.#version), `The platform cannot read the balance of ${difference.uid}.`);
    const actual = JSON.stringify(difference).slice(0, 300);
    failWith(`After ${what}, the ledgers of platform and server differ.`, '/balance', 'no difference', actual, answers);
  }

  /** Returns the platform's calls to the server so far, as evidence for a failure. */
  async evidence(): Promise<readonly Answer[]> {
    return shownCalls(callsToServer(await this.#entries()), this.#probing.input);
  }

  /** Disconnects the platform from the server, counts its calls and records the points to refund. */
  async end(): Promise<void> {
    dataOf(await this.#ending.PATCH('/workspace', { body: { settings: { client_url: null } } }));
    const entries = await this.#entries(this.#ending);
    const points = [...this.#points.values()][0] ?? 0;
    for (const code of codesBegun(entries)) {
      if (this.#version === 'v1') this.#probing.run.open.add(code);
      else this.#probing.run.lines.set(code, points);
    }
    this.#probing.run.partner.counted(countReached(callsToServer(entries)));
  }

  async #entries(control = this.#control): Promise<readonly LogEntry[]> {
    return dataOf(await control.GET('/activity', { params: { query: { limit: 10_000 } } })).items;
  }

  get #api() {
    return { baseUrl: `${this.#origin}${registry.rewards.prefix}`, fetch: this.#fetch };
  }

  readonly #fetch = (request: Request): Promise<Response> => fetch(request, { signal: this.#probing.run.parts.signal });
}
