import type { ArrivingCall, Slot } from '../contract/api.ts';
import { bodyOf, hasBody } from '../contract/body.ts';
import type { Timer } from '../runtime/clock.ts';
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

/** Interval between reports about refused calls. The calls are not logged, because logging them would add to the overload. */
const reportMilliseconds = 60_000;

/** Milliseconds for which the event loop has been idle and active. */
type LoopTime = Readonly<Record<'idle' | 'active', number>>;

interface QueueOptions {
  readonly timer: Timer;
  readonly loopTime: () => LoopTime;
  readonly warn: (message: string) => void;
  readonly most?: number | undefined;
}

const newTenant = (name: string) => ({
  /** The workspace of the tenant. Tenants of one workspace do not compete with each other, because they have the same owner. */
  workspace: name.split(' ', 1)[0],
  inService: 0,
  /** The running calls, each with its start time. */
  inWork: new Map<Slot, LoopTime>(),
  waiting: [] as { readonly since: number; readonly settle: (call: Slot | undefined) => void }[],
  /** Milliseconds until other tenants have had their share of the event loop. */
  rest: 0,
  /** The time at which a call of the tenant last arrived, began or ended. */
  seen: 0,
});
type Tenant = ReturnType<typeof newTenant>;

/**
 * Serves the calls of all tenants fairly, or refuses them (OP-83). A call occupies a slot until its work is done, even if its
 * caller has disconnected. It occupies no slot while its body is arriving, while it waits for an event (OP-59), and while its reply
 * is being read (OP-82). It then uses no processor time, and other limits apply.
 *
 * While workspaces compete, each tenant has only a few running calls. It must then leave the event loop to the others for as long
 * as it has used it.
 */
export class FairQueue {
  readonly #options: QueueOptions;
  readonly #tenants = new Map<string, Tenant>();
  #inService = 0;
  #inWork = 0;
  #competing = 1;
  /** Number of shares of the event loop: one for each waiting tenant, and one for all others. */
  #shares = 2;
  #measured: LoopTime;
  #isTicking = false;
  #refused = 0;
  #isReporting = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#measured = options.loopTime();
  }

  /** Number of tenants that the queue tracks. */
  get tenants(): number {
    return this.#tenants.size;
  }

  /** Serves a call as soon as it has a slot. Resolves with true when its work is done, or with false after a second without a slot. */
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
      // Skip the work if the caller disconnected while it waited for a slot.
      if (turn === call || !res.destroyed) await work();
      return true;
    } finally {
      call.end();
    }
  }

  /** Begins a call of a tenant, or queues it. The promise resolves with `undefined` if the call has no slot after a second. */
  begin(name: string): Slot | Promise<Slot | undefined> {
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

  /** Waits for a slot without a time limit. Resolves with a function that releases the slot. */
  async turn(name: string): Promise<() => void> {
    const call = await this.begin(name);
    return call === undefined ? this.turn(name) : call.end;
  }

  /** Returns a call of a tenant that is in service from now on. */
  #admit(tenant: Tenant): Slot {
    let [isCounted, isOver] = [false, false];
    const count = (isInService: boolean) => {
      if (isCounted === isInService || isOver) return;
      isCounted = isInService;
      this.#count(call, tenant, isInService);
    };
    const call: Slot = {
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

  /** Adds a call to the calls in service, or removes it. */
  #count(call: Slot, tenant: Tenant, isInService: boolean): void {
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
   * Returns whether a tenant can have one more call in service. Its calls may use at most as many slots as remain free. One tenant
   * alone therefore uses half of the slots, two use a third each, and the next tenant always finds free ones.
   */
  #mayBegin({ inService, inWork, rest }: Tenant): boolean {
    if (inService >= (this.#options.most ?? mostInService) - this.#inService) return false;
    if (this.#tenants.size === 1 || this.#competing === 1) return inWork.size < mostAloneInWork;
    return rest < tickMilliseconds && inWork.size < mostOfOneInWork && this.#inWork < mostInWork;
  }

  /**
   * Charges the time since the last measurement to the running calls, in equal parts, and removes inactive tenants. A long
   * uninterrupted task delays all other calls. It is charged at a higher rate to the tenant whose call ended with it.
   */
  #measure(ended?: Tenant): void {
    const { idle, active } = this.#options.loopTime();
    const now = idle + active;
    const [passed, used] = [now - this.#measured.idle - this.#measured.active, active - this.#measured.active];
    const tenants = [...this.#tenants.values()];
    const inWork = tenants.reduce((sum, tenant) => sum + tenant.inWork.size, 0);
    const isLong = ended !== undefined && used > longestPieceMilliseconds;
    if (this.#competing > 1 && isLong) ended.rest += longPieceWeight * used;
    // A workspace without competitors is not charged.
    const price = this.#competing > 1 && inWork > 0 && !isLong ? (this.#shares * used) / inWork : 0;
    const competing = new Set<string | undefined>();
    let waiting = 0;
    this.#inWork = 0;
    for (const [name, tenant] of this.#tenants) {
      tenant.rest += tenant.inWork.size * price - passed;
      // The charge is limited, so that one large read does not cause refusals of the calls behind it.
      tenant.rest = Math.min(Math.max(tenant.rest, 0), longestWaitMilliseconds / 2);
      for (const [call, began] of tenant.inWork) {
        // The call waits for another server or a fault. The loop does not idle this long for the disk alone.
        const isWaiting = idle - began.idle >= longestIdleMilliseconds;
        if (isWaiting || now - began.idle - began.active >= longestWaitMilliseconds) tenant.inWork.delete(call);
      }
      this.#inWork += tenant.inWork.size;
      if (tenant.waiting.length > 0) waiting += 1;
      // A sequential caller may be between two calls at the moment of measurement.
      if (tenant.waiting.length + tenant.inService > 0 || now - tenant.seen < competingMilliseconds)
        competing.add(tenant.workspace);
      else if (tenant.rest === 0) this.#tenants.delete(name);
    }
    this.#competing = competing.size;
    this.#shares = Math.max(2, Math.min(waiting + 1, competing.size));
    this.#measured = { idle, active };
  }

  /** Begins the waiting calls that can have a slot now. */
  #beginNext(): void {
    // A served tenant moves to the end of the map, where this loop reaches it again.
    for (const [name, tenant] of this.#tenants) {
      const [next] = tenant.waiting;
      if (next === undefined || !this.#mayBegin(tenant)) continue;
      tenant.waiting.shift();
      this.#tenants.delete(name);
      this.#tenants.set(name, tenant);
      next.settle(this.#admit(tenant));
    }
  }

  /** Checks again soon while calls wait, because a rest or a wait can end without any other event. */
  #tick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#options.timer(() => {
      this.#measure();
      this.#beginNext();
      const expired = this.#now() - longestWaitMilliseconds;
      this.#isTicking = false;
      for (const { waiting, inService } of this.#tenants.values()) {
        // Calls of a lone tenant delay nobody else. As many of them as can be in service may wait longer.
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
