import type { ArrivingCall, Slot } from '../contract/api.ts';
import { bodyOf, hasBody } from '../contract/body.ts';
import type { Timer } from '../runtime/timer.ts';
import {
  competingMilliseconds,
  longestIdleMilliseconds,
  longestPieceMilliseconds,
  longestWaitMilliseconds,
  longPieceWeight,
  mostAloneInWork,
  mostInService,
  mostInWork,
  mostOfOneInWork,
  tickMilliseconds,
} from './limits.ts';

/** How often refused calls are reported. They are not logged: the log would become the load. */
const reportMilliseconds = 60_000;

/** Milliseconds that the event loop has waited for events, and worked. */
type LoopTime = Readonly<Record<'idle' | 'active', number>>;

/** A call in service, until it ends. */
export interface CallInService extends Slot {
  readonly end: () => void;
}

interface QueueOptions {
  readonly timer: Timer;
  readonly loopTime: () => LoopTime;
  readonly warn: (message: string) => void;
  readonly most?: number | undefined;
}

const newTenant = (name: string) => ({
  /** Calls of one workspace do not compete with each other: its owner sees to them. */
  workspace: name.split(' ', 1)[0],
  inService: 0,
  /** The calls in work, with the time at which each began. */
  inWork: new Map<CallInService, LoopTime>(),
  waiting: [] as { readonly since: number; readonly settle: (call: CallInService | undefined) => void }[],
  /** Milliseconds until others have had their share of the event loop. */
  rest: 0,
  /** When a call of it came, began or ended last. */
  seen: 0,
});
type Tenant = ReturnType<typeof newTenant>;

/**
 * Serves the calls of all tenants in turn, or refuses them (OP-83). A call has a slot from its turn until its work is done, also
 * when its caller has left. It has none while its body is still coming, while it waits for something to happen (OP-59), and while
 * its reply is being read (OP-82): it costs no processor time then and is bounded otherwise.
 *
 * While workspaces compete, each tenant has a few calls in work, and then leaves the others the event loop for as long as it has used it.
 */
export class FairQueue {
  readonly #options: QueueOptions;
  readonly #tenants = new Map<string, Tenant>();
  #inService = 0;
  #inWork = 0;
  #competing = 1;
  /** Among how many the event loop is shared: tenants that wait, and one for all others. */
  #shares = 2;
  #measured: LoopTime;
  #isTicking = false;
  #refused = 0;
  #isReporting = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#measured = options.loopTime();
  }

  /** How many tenants the queue knows. */
  get tenants(): number {
    return this.#tenants.size;
  }

  /** Serves a call when its turn comes. Resolves when its work is done, with false after a second without a turn. */
  async serve({ req, res, state }: ArrivingCall, tenant: string, work: () => Promise<void>): Promise<boolean> {
    if (!req.complete && hasBody(req)) await bodyOf(req).received();
    const turn = this.begin(tenant);
    const call = turn instanceof Promise ? await turn : turn;
    if (call === undefined) {
      this.#countRefusal();
      return false;
    }
    state.slot = call;
    try {
      // A caller that disconnected while it waited for its turn reads nothing.
      if (turn === call || !res.destroyed) await work();
      return true;
    } finally {
      call.end();
    }
  }

  /** Begins a call of a tenant, or has it wait for its turn; undefined if that has not come after a second. */
  begin(name: string): CallInService | Promise<CallInService | undefined> {
    const tenant = this.#tenants.get(name) ?? newTenant(name);
    tenant.seen = this.#now();
    this.#tenants.set(name, tenant);
    if (this.#tenants.size > 1) this.#measure();
    if (tenant.waiting.length === 0 && this.#mayBegin(tenant)) return this.#admit(tenant);
    return new Promise((settle) => {
      tenant.waiting.push({ since: tenant.seen, settle });
      this.#tick();
    });
  }

  /** Waits as long as it takes for a tenant's turn. Resolves with a function that ends the turn. */
  async turn(name: string): Promise<() => void> {
    const call = await this.begin(name);
    return call === undefined ? this.turn(name) : call.end;
  }

  /** A call of a tenant, in service from now on. */
  #admit(tenant: Tenant): CallInService {
    let [isCounted, isOver] = [false, false];
    const count = (isInService: boolean) => {
      if (isCounted === isInService || isOver) return;
      isCounted = isInService;
      this.#count(call, tenant, isInService);
    };
    const call: CallInService = {
      end: () => {
        count(false);
        isOver = true;
      },
      aside: (waiting) => {
        count(false);
        return waiting.finally(() => count(true));
      },
    };
    count(true);
    return call;
  }

  /** Counts a call among those in service, or no longer. */
  #count(call: CallInService, tenant: Tenant, isInService: boolean): void {
    if (this.#tenants.size > 1) this.#measure(isInService ? undefined : tenant);
    this.#inService += isInService ? 1 : -1;
    tenant.inService += isInService ? 1 : -1;
    const began = this.#options.loopTime();
    tenant.seen = began.idle + began.active;
    if (isInService) tenant.inWork.set(call, began);
    if (isInService) this.#inWork += 1;
    else if (tenant.inWork.delete(call)) this.#inWork -= 1;
    if (this.#isTicking && !isInService) this.#beginNext();
  }

  #now(): number {
    const { idle, active } = this.#options.loopTime();
    return idle + active;
  }

  /**
   * Whether a tenant can have one more call in service. It has at most as many as are free, so one alone has half of them,
   * two have a third each, and the next tenant always finds some.
   */
  #mayBegin({ inService, inWork, rest }: Tenant): boolean {
    if (inService >= (this.#options.most ?? mostInService) - this.#inService) return false;
    if (this.#tenants.size === 1 || this.#competing === 1) return inWork.size < mostAloneInWork;
    return rest < tickMilliseconds && inWork.size < mostOfOneInWork && this.#inWork < mostInWork;
  }

  /**
   * Charges the time since the last measurement to the calls in work, in equal parts, and forgets tenants that are gone. A long
   * piece, which delays each step of all other calls, is charged to the tenant whose call ended with it, and more than once.
   */
  #measure(ended?: Tenant): void {
    const { idle, active } = this.#options.loopTime();
    const now = idle + active;
    const [passed, used] = [now - this.#measured.idle - this.#measured.active, active - this.#measured.active];
    const tenants = [...this.#tenants.values()];
    const inWork = tenants.reduce((sum, tenant) => sum + tenant.inWork.size, 0);
    const isLong = ended !== undefined && used > longestPieceMilliseconds;
    if (this.#competing > 1 && isLong) ended.rest += longPieceWeight * used;
    // While a workspace was alone, it used what nobody else wanted.
    const price = this.#competing > 1 && inWork > 0 && !isLong ? (this.#shares * used) / inWork : 0;
    const competing = new Set<string | undefined>();
    let waiting = 0;
    this.#inWork = 0;
    for (const [name, tenant] of this.#tenants) {
      tenant.rest += tenant.inWork.size * price - passed;
      // The calls behind one large read are not refused for it.
      tenant.rest = Math.min(Math.max(tenant.rest, 0), longestWaitMilliseconds / 2);
      for (const [call, began] of tenant.inWork) {
        // It waits for another server, or for a fault: for no more than the disk, the loop does not idle so long.
        const isWaiting = idle - began.idle >= longestIdleMilliseconds;
        if (isWaiting || now - began.idle - began.active >= longestWaitMilliseconds) tenant.inWork.delete(call);
      }
      this.#inWork += tenant.inWork.size;
      if (tenant.waiting.length > 0) waiting += 1;
      // Callers that wait for one reply before they ask again are between two calls at any one instant.
      if (tenant.waiting.length + tenant.inService > 0 || now - tenant.seen < competingMilliseconds)
        competing.add(tenant.workspace);
      else if (tenant.rest === 0) this.#tenants.delete(name);
    }
    this.#competing = competing.size;
    this.#shares = Math.max(2, Math.min(waiting + 1, competing.size));
    this.#measured = { idle, active };
  }

  /** Begins the calls whose turn has come. */
  #beginNext(): void {
    // A tenant that gets a turn moves to the end, where this loop reaches it again.
    for (const [name, tenant] of this.#tenants) {
      const [next] = tenant.waiting;
      if (next === undefined || !this.#mayBegin(tenant)) continue;
      tenant.waiting.shift();
      this.#tenants.delete(name);
      this.#tenants.set(name, tenant);
      next.settle(this.#admit(tenant));
    }
  }

  /** While calls wait, looks again soon: a rest, and a wait, can end when nothing else happens. */
  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#options.timer(() => {
      this.#measure();
      this.#beginNext();
      const expired = this.#now() - longestWaitMilliseconds;
      this.#isTicking = false;
      for (const { waiting, inService } of this.#tenants.values()) {
        // The calls of a tenant that is alone delay nobody else: as many as it can have in service wait for each other.
        const patient = this.#competing > 1 ? 0 : (this.#options.most ?? mostInService) / 2 - inService;
        const isOver = () => waiting.length > patient && (waiting[0]?.since ?? Number.POSITIVE_INFINITY) <= expired;
        while (isOver()) waiting.shift()?.settle(undefined);
        if (waiting.length > 0) this.#tick();
      }
    }, tickMilliseconds);
  }

  #countRefusal(): void {
    this.#refused += 1;
    if (this.#isReporting) return;
    this.#isReporting = true;
    this.#options.warn('Overload: some calls are refused with 503 (OP-83)');
    const reported = this.#refused;
    this.#options.timer(() => {
      this.#isReporting = false;
      const more = this.#refused - reported;
      if (more > 0) this.#options.warn(`${more} more calls were refused with 503 in the last minute`);
    }, reportMilliseconds);
  }
}
