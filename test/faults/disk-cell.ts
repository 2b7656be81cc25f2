import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { Files } from '../../sandbox/store/files.ts';
import { hurriedFiles } from '../harness/failing-once.ts';
import { listed } from '../harness/lists.ts';
import { ok } from '../harness/sandbox.ts';
import { type At, at, compared, copyOf, fill, freshNow, nothingKnown, type Said, type Space } from './known.ts';

/** Small, so that journals are folded along the way. */
const checkpointAfterBytes = 20_000;

/** One run of a sandbox through everything that it keeps, with what its callers know. */
export class Cell {
  readonly wrong: string[] = [];
  /** The workspaces beside the demo workspace. */
  readonly others: Space[] = [];
  readonly #dataDir: string;
  readonly #files: Files;
  #sandbox: Sandbox | undefined;
  #demo: Space | undefined;
  /**
   * What a workspace holds if a restore or a reset has happened of which its store could not know: it gave up in the
   * middle, and the next start finds all of the one or all of the other.
   */
  readonly #inDoubt = new Map<Space, Space['known']>();
  /** Whether a call was told that its store gave up: what is asked for afterwards has certainly not happened. */
  #hasGivenUp = false;

  constructor(dataDir: string, files: Files) {
    this.#dataDir = dataDir;
    this.#files = files;
  }

  /** Whether a store gave up in the middle of a restore or a reset. */
  get inDoubt(): boolean {
    return this.#inDoubt.size > 0;
  }

  get #first(): Space {
    if (this.#demo === undefined) throw new Error('the cell was not run');
    return this.#demo;
  }

  get #spaces(): readonly Space[] {
    return this.#demo === undefined ? [] : [this.#demo, ...this.others];
  }

  /** Starts, orders, takes a snapshot, goes back to it, makes workspaces and deletes one, stops and starts again. */
  async run(): Promise<void> {
    await this.#start();
    const { workspace } = this.#sandbox as Sandbox;
    const demo = { shown: workspace, known: nothingKnown(freshNow), snapshots: new Map() };
    this.#demo = demo;
    await this.#fill(demo);
    await this.#spend(demo);
    await this.#pass(demo, 10);
    const id = await this.#snapshot(demo);
    await this.#spend(demo);
    await this.#pass(demo, 10);
    if (id !== undefined) await this.#restore(demo, id);
    await this.#spend(demo);
    await this.#make();
    if (id !== undefined) await this.#fork(demo, id);
    for (const space of this.others) await this.#spend(space);
    const [other] = this.others;
    if (other !== undefined) await this.#remove(other);
    if (id !== undefined) await this.#forget(demo, id);
    await this.#reset(demo);
    await this.close();
    await this.#start();
    await this.#fill(demo);
    await this.#spend(demo);
  }

  /** Starts; where the disk keeps it from starting, it says so, and the next try goes well. */
  async #start(): Promise<void> {
    try {
      this.#sandbox = await this.#open(this.#dataDir, this.#files);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'StoreError') throw error;
      this.#sandbox = await this.#open(this.#dataDir, this.#files);
    }
    await this.#learn();
  }

  /** After a start: whether what the store gave up in the middle of has happened, which the clock tells. */
  async #learn(): Promise<void> {
    for (const [space, known] of this.#inDoubt) {
      const { now } = ok(await this.#at(space).control.GET('/clock'));
      if (now === known.now) space.known = known;
    }
    this.#inDoubt.clear();
  }

  #open(dataDir: string, files: Files): Promise<Sandbox> {
    return startSandbox({
      ...{ port: 0, clock: 'frozen', dataDir, files, checkpointAfterBytes, warn: () => {} },
      onViolation: (violation) => this.wrong.push(`a reply breaks its contract: ${JSON.stringify(violation)}`),
    });
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  #at(space: Space): At {
    return at(space, this.#sandbox?.workspace ?? space.shown);
  }

  /** The data of a reply; undefined where it was refused as something is that the disk does not take. */
  readonly #said: Said = (what, { data, error, response }) => {
    if (response.ok) return data ?? ({} as NonNullable<typeof data>);
    const { code } = (error ?? {}) as { code?: number };
    // 57: the client's side of an order was refused, three times. 65: this write was refused; 69: the store gave up.
    const unstored = response.status === 503 && (code === 65 || code === 69);
    this.#hasGivenUp ||= code === 69;
    const documented = unstored || (response.status === 502 && code === 57);
    if (!documented) this.wrong.push(`${what} answered ${response.status}: ${JSON.stringify(error)}`);
    return undefined;
  };

  async #fill(space: Space): Promise<void> {
    await fill(space, this.#at(space), this.#said);
  }

  /** Orders a voucher, and reports a payment. */
  async #spend(space: Space): Promise<void> {
    const { shown, known } = space;
    const where = this.#at(space);
    const [uid] = known.spenders;
    const body = { secret: shown.credentials.company_secret };
    const signedIn = this.#said('the sign-in', await where.rewards().POST('/v1/company/auth', { body }));
    if (signedIn === undefined || uid === undefined) return;
    const rewards = where.rewards(signedIn.token);
    const line_items = [{ sku: 'EGV-CHAI-100', quantity: 1 }];
    const ordered = await rewards.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items } });
    const order = this.#said('an order', ordered);
    if (order !== undefined)
      known.orders.set(order.order_id, { uid, codes: order.lines.map((line) => line.redeemCode) });
    const transactionId = `PAY-${known.payments.size}`;
    const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '500' } as const;
    const paid = this.#said('a payment', await rewards.POST('/v1/partner/events/payment', { body: event }));
    if (paid !== undefined) known.payments.set(transactionId, { uid, points: paid.points });
  }

  async #pass(space: Space, seconds: number): Promise<void> {
    const { control } = this.#at(space);
    const ran = this.#said('an advance', await control.POST('/clock/advance', { body: { seconds } }));
    // One that is refused on its way ends where it got to.
    space.known.now = ran?.now ?? ok(await control.GET('/clock')).now;
  }

  async #snapshot(space: Space): Promise<string | undefined> {
    const taken = this.#said('a snapshot', await this.#at(space).control.POST('/snapshots', { body: {} }));
    if (taken !== undefined) space.snapshots.set(taken.id, copyOf(space.known));
    return taken?.id;
  }

  async #restore(space: Space, id: string): Promise<void> {
    const { control } = this.#at(space);
    const isFirst = !this.#hasGivenUp;
    const reply = await control.POST('/snapshots/{id}/restore', { params: { path: { id } } });
    const restored = this.#said('a restore', reply);
    const known = copyOf(space.snapshots.get(id) ?? space.known);
    if (restored !== undefined) space.known = known;
    else if (isFirst && this.#hasGivenUp) this.#inDoubt.set(space, known);
  }

  async #forget(space: Space, id: string): Promise<void> {
    const { control } = this.#at(space);
    const gone = this.#said('a deletion', await control.DELETE('/snapshots/{id}', { params: { path: { id } } }));
    if (gone !== undefined) space.snapshots.delete(id);
  }

  async #reset(space: Space): Promise<void> {
    const isFirst = !this.#hasGivenUp;
    const reply = await this.#at(space).control.POST('/reset');
    const done = this.#said('a reset', reply);
    if (done !== undefined) space.known = nothingKnown(freshNow);
    else if (isFirst && this.#hasGivenUp) this.#inDoubt.set(space, nothingKnown(freshNow));
  }

  async #make(): Promise<void> {
    const { control } = this.#at(this.#first);
    const shown = this.#said('a new workspace', await control.POST('/workspaces', { body: { clock: 'frozen' } }));
    if (shown === undefined) return;
    const space = { shown, known: nothingKnown(freshNow), snapshots: new Map() };
    this.others.push(space);
    await this.#fill(space);
  }

  async #fork(space: Space, id: string): Promise<void> {
    const { control } = this.#at(space);
    const shown = this.#said('a fork', await control.POST('/snapshots/{id}/fork', { params: { path: { id } } }));
    const held = space.snapshots.get(id);
    if (shown !== undefined && held !== undefined) {
      this.others.push({ shown, known: copyOf(held), snapshots: new Map() });
    }
  }

  async #remove(space: Space): Promise<void> {
    const params = { path: { id: space.shown.id } };
    const gone = this.#said('a deletion', await this.#at(this.#first).control.DELETE('/workspaces/{id}', { params }));
    if (gone !== undefined) this.others.splice(this.others.indexOf(space), 1);
  }

  /** Whether any store gave up. One that did says so, refuses and is read; every other takes an order. */
  async goesOn(): Promise<boolean> {
    let gaveUp = false;
    for (const space of this.#spaces) {
      const { urls, admin } = this.#at(space);
      const response = await fetch(`${urls.sandbox}/health`, { headers: { Authorization: `Bearer ${admin}` } });
      const { code } = (await response.json()) as { code?: number };
      const says = response.ok ? 'well' : `${response.status} ${code}`;
      gaveUp ||= says === '503 69';
      if (!response.ok && says !== '503 69') this.wrong.push(`health answers ${says}`);
      if (response.ok) await this.#fill(space);
      const before = space.known.orders.size;
      await this.#spend(space);
      const took = space.known.orders.size - before;
      if (took !== (response.ok ? 1 : 0)) this.wrong.push(`health answers ${says}, and ${took} orders were taken`);
    }
    return gaveUp;
  }

  /** The folders of the workspaces and snapshots that there are, from the data folder on. */
  get folders(): string[] {
    return this.#spaces.flatMap(({ shown, snapshots }, at) => {
      const own = at === 0 ? '' : `workspaces/${shown.id}/`;
      const copies = [...snapshots.keys()].map((id) => `${own}snapshots/${id}`);
      return at === 0 ? copies : [`workspaces/${shown.id}`, ...copies];
    });
  }

  /** All that the workspaces show, as JSON. */
  async #state(): Promise<string> {
    const shown = this.#spaces.map(async (space) => {
      const { control, urls, admin } = this.#at(space);
      const lists = [
        'orders?after=0&limit=1000',
        'snapshots',
        'deliveries',
        'messages',
        'catalogue',
        'faults',
        'customers',
      ];
      const ledgers = [...space.known.spenders].map((uid) => `ledger/${uid}`);
      const items = [...lists, ...ledgers].map(async (path) => [path, await listed(`${urls.sandbox}/${path}`, admin)]);
      return [space.shown.id, ok(await control.GET('/clock')), await Promise.all(items)];
    });
    return JSON.stringify(await Promise.all(shown));
  }

  /**
   * What is wrong with a sandbox that finds a copy of the files, as a kill would have left them, on a disk that is
   * well.
   */
  async reopened(copy: string): Promise<string[]> {
    const before = await this.#state();
    await this.close();
    this.#sandbox = await this.#open(copy, hurriedFiles);
    // What memory showed of it was as of before.
    const mayDiffer = this.#inDoubt.size > 0;
    await this.#learn();
    const after = await this.#state();
    const wrong = before === after || mayDiffer ? [] : [`memory showed ${before}, the disk holds ${after}`];
    const { urls, admin } = this.#at(this.#first);
    const there = (await listed<{ id: string }>(`${urls.sandbox}/workspaces`, admin)).map(({ id }) => id);
    const known = this.#spaces.map(({ shown }) => shown.id);
    if (there.sort().join() !== known.sort().join())
      wrong.push(`there are the workspaces ${there}, known are ${known}`);
    for (const space of this.#spaces) {
      wrong.push(...(await compared(space, this.#at(space))).map((what) => `${space.shown.id}: ${what}`));
    }
    await this.close();
    return wrong;
  }
}
