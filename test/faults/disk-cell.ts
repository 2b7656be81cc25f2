import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { Files } from '../../sandbox/store/files.ts';
import { hurriedFiles } from '../harness/failing-once.ts';
import { listed } from '../harness/lists.ts';
import { ok } from '../harness/sandbox.ts';
import { type At, at, compareState, copyOf, emptyState, fill, freshNow, type ReadReply, type Space } from './known.ts';

/** A small size, so that checkpoints happen during the run. */
const checkpointAfterBytes = 20_000;

/** A sandbox run that covers everything it stores, with the state that its callers expect. */
export class Cell {
  readonly problems: string[] = [];
  /** The workspaces other than the demo workspace. */
  readonly others: Space[] = [];
  readonly #dataDir: string;
  readonly #files: Files;
  #sandbox: Sandbox | undefined;
  #demo: Space | undefined;
  /**
   * The state of a workspace if an interrupted restore or reset took effect. The call is in doubt because the store gave up during it. The
   * next start finds either the complete old state or the complete new one.
   */
  readonly #inDoubt = new Map<Space, Space['expected']>();
  /** Whether a reply reported that its store gave up. Changes after that reply certainly had no effect. */
  #hasGivenUp = false;

  constructor(dataDir: string, files: Files) {
    this.#dataDir = dataDir;
    this.#files = files;
  }

  /** Whether a store gave up during a restore or a reset. */
  get isInDoubt(): boolean {
    return this.#inDoubt.size > 0;
  }

  get #first(): Space {
    if (this.#demo === undefined) throw new Error('the cell was not run');
    return this.#demo;
  }

  get #spaces(): readonly Space[] {
    return this.#demo === undefined ? [] : [this.#demo, ...this.others];
  }

  /** Exercises orders, payments, snapshots, restores, forks, workspace creation and deletion, a reset and a restart. */
  async run(): Promise<void> {
    await this.#start();
    const { workspace } = this.#sandbox as Sandbox;
    const demo = { workspace, expected: emptyState(freshNow), snapshots: new Map() };
    this.#demo = demo;
    await this.#fill(demo);
    await this.#spend(demo);
    await this.#pass(demo, 10);
    const id = await this.#snapshot(demo);
    await this.#spend(demo);
    await this.#pass(demo, 10);
    if (id !== undefined) await this.#restore(demo, id);
    await this.#spend(demo);
    await this.#createWorkspace();
    if (id !== undefined) await this.#fork(demo, id);
    for (const space of this.others) await this.#spend(space);
    const [other] = this.others;
    if (other !== undefined) await this.#deleteWorkspace(other);
    if (id !== undefined) await this.#deleteSnapshot(demo, id);
    await this.#reset(demo);
    await this.close();
    await this.#start();
    await this.#fill(demo);
    await this.#spend(demo);
  }

  /** Starts the sandbox. If the disk prevents the start, the sandbox must report that, and the second attempt must succeed. */
  async #start(): Promise<void> {
    try {
      this.#sandbox = await this.#open(this.#dataDir, this.#files);
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'StoreError') throw error;
      this.#sandbox = await this.#open(this.#dataDir, this.#files);
    }
    await this.#resolveDoubts();
  }

  /** After a start, uses the clock to determine whether an interrupted restore or reset took effect. */
  async #resolveDoubts(): Promise<void> {
    for (const [space, state] of this.#inDoubt) {
      const { now } = ok(await this.#at(space).control.GET('/clock'));
      if (now === state.now) space.expected = state;
    }
    this.#inDoubt.clear();
  }

  #open(dataDir: string, files: Files): Promise<Sandbox> {
    return startSandbox({
      port: 0,
      clock: 'frozen',
      dataDir,
      files,
      checkpointAfterBytes,
      warn: () => {},
      onViolation: (violation) => this.problems.push(`a reply breaks its contract: ${JSON.stringify(violation)}`),
    });
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  #at(space: Space): At {
    return at(space, this.#sandbox?.workspace ?? space.workspace);
  }

  /** Returns the data of a reply, or `undefined` for a refusal that is documented for a failing disk. */
  readonly #readReply: ReadReply = (what, { data, error, response }) => {
    if (response.ok) return data ?? ({} as NonNullable<typeof data>);
    const { code } = (error ?? {}) as { code?: number };
    // 57: the client refused its side of an order three times. 65: the store refused this write. 69: the store gave up.
    const isUnstored = response.status === 503 && (code === 65 || code === 69);
    this.#hasGivenUp ||= code === 69;
    const isDocumented = isUnstored || (response.status === 502 && code === 57);
    if (!isDocumented) this.problems.push(`${what} answered ${response.status}: ${JSON.stringify(error)}`);
    return undefined;
  };

  async #fill(space: Space): Promise<void> {
    await fill(space, this.#at(space), this.#readReply);
  }

  /** Orders a voucher and reports a payment. */
  async #spend(space: Space): Promise<void> {
    const { workspace, expected } = space;
    const where = this.#at(space);
    const [uid] = expected.spenders;
    const body = { secret: workspace.credentials.company_secret };
    const session = this.#readReply('the sign-in', await where.rewards().POST('/v1/company/auth', { body }));
    if (session === undefined || uid === undefined) return;
    const rewards = where.rewards(session.token);
    const line_items = [{ sku: 'EGV-CHAI-100', quantity: 1 }];
    const reply = await rewards.POST('/v1/partner/redeemptiononskus', { body: { uid, line_items } });
    const order = this.#readReply('an order', reply);
    if (order !== undefined)
      expected.orders.set(order.order_id, { uid, codes: order.lines.map((line) => line.redeemCode) });
    const transactionId = `PAY-${expected.payments.size}`;
    const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: '500' } as const;
    const payment = this.#readReply('a payment', await rewards.POST('/v1/partner/events/payment', { body: event }));
    if (payment !== undefined) expected.payments.set(transactionId, { uid, points: payment.points });
  }

  async #pass(space: Space, seconds: number): Promise<void> {
    const { control } = this.#at(space);
    const advance = this.#readReply('an advance', await control.POST('/clock/advance', { body: { seconds } }));
    // If an advance is refused midway, the clock stops at the time it has reached.
    space.expected.now = advance?.now ?? ok(await control.GET('/clock')).now;
  }

  async #snapshot(space: Space): Promise<string | undefined> {
    const snapshot = this.#readReply('a snapshot', await this.#at(space).control.POST('/snapshots', { body: {} }));
    if (snapshot !== undefined) space.snapshots.set(snapshot.id, copyOf(space.expected));
    return snapshot?.id;
  }

  async #restore(space: Space, id: string): Promise<void> {
    const { control } = this.#at(space);
    const isFirst = !this.#hasGivenUp;
    const reply = await control.POST('/snapshots/{id}/restore', { params: { path: { id } } });
    const result = this.#readReply('a restore', reply);
    const state = copyOf(space.snapshots.get(id) ?? space.expected);
    if (result !== undefined) space.expected = state;
    else if (isFirst && this.#hasGivenUp) this.#inDoubt.set(space, state);
  }

  async #deleteSnapshot(space: Space, id: string): Promise<void> {
    const { control } = this.#at(space);
    const result = this.#readReply('a deletion', await control.DELETE('/snapshots/{id}', { params: { path: { id } } }));
    if (result !== undefined) space.snapshots.delete(id);
  }

  async #reset(space: Space): Promise<void> {
    const isFirst = !this.#hasGivenUp;
    const reply = await this.#at(space).control.POST('/reset');
    const result = this.#readReply('a reset', reply);
    if (result !== undefined) space.expected = emptyState(freshNow);
    else if (isFirst && this.#hasGivenUp) this.#inDoubt.set(space, emptyState(freshNow));
  }

  async #createWorkspace(): Promise<void> {
    const { control } = this.#at(this.#first);
    const workspace = this.#readReply(
      'a new workspace',
      await control.POST('/workspaces', { body: { clock: 'frozen' } }),
    );
    if (workspace === undefined) return;
    const space = { workspace, expected: emptyState(freshNow), snapshots: new Map() };
    this.others.push(space);
    await this.#fill(space);
  }

  async #fork(space: Space, id: string): Promise<void> {
    const { control } = this.#at(space);
    const workspace = this.#readReply(
      'a fork',
      await control.POST('/snapshots/{id}/fork', { params: { path: { id } } }),
    );
    const state = space.snapshots.get(id);
    if (workspace !== undefined && state !== undefined) {
      this.others.push({ workspace, expected: copyOf(state), snapshots: new Map() });
    }
  }

  async #deleteWorkspace(space: Space): Promise<void> {
    const params = { path: { id: space.workspace.id } };
    const result = this.#readReply(
      'a deletion',
      await this.#at(this.#first).control.DELETE('/workspaces/{id}', { params }),
    );
    if (result !== undefined) this.others.splice(this.others.indexOf(space), 1);
  }

  /**
   * Places an order in each workspace. A store that gave up must report that, refuse orders and serve reads. Every other store must accept
   * the order. Returns whether any store gave up.
   */
  async orderEverywhere(): Promise<boolean> {
    let hasGivenUp = false;
    for (const space of this.#spaces) {
      const { urls, admin } = this.#at(space);
      const response = await fetch(`${urls.sandbox}/health`, { headers: { Authorization: `Bearer ${admin}` } });
      const { code } = (await response.json()) as { code?: number };
      const health = response.ok ? 'ok' : `${response.status} ${code}`;
      hasGivenUp ||= health === '503 69';
      if (!response.ok && health !== '503 69') this.problems.push(`health answers ${health}`);
      if (response.ok) await this.#fill(space);
      const countBefore = space.expected.orders.size;
      await this.#spend(space);
      const count = space.expected.orders.size - countBefore;
      if (count !== (response.ok ? 1 : 0))
        this.problems.push(`health answers ${health}, but the workspace accepted ${count} orders`);
    }
    return hasGivenUp;
  }

  /** The folders of all workspaces and snapshots, relative to the data folder. */
  get folders(): string[] {
    return this.#spaces.flatMap(({ workspace, snapshots }, at) => {
      const own = at === 0 ? '' : `workspaces/${workspace.id}/`;
      const copies = [...snapshots.keys()].map((id) => `${own}snapshots/${id}`);
      return at === 0 ? copies : [`workspaces/${workspace.id}`, ...copies];
    });
  }

  /** Returns the data that all workspaces serve, as JSON. */
  async #state(): Promise<string> {
    const contents = this.#spaces.map(async (space) => {
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
      const ledgers = [...space.expected.spenders].map((uid) => `ledger/${uid}`);
      const items = [...lists, ...ledgers].map(async (path) => [path, await listed(`${urls.sandbox}/${path}`, admin)]);
      return [space.workspace.id, ok(await control.GET('/clock')), await Promise.all(items)];
    });
    return JSON.stringify(await Promise.all(contents));
  }

  /** Opens a sandbox on a copy of the files, as a kill leaves them, on a working disk. Returns its problems. */
  async reopen(copy: string): Promise<string[]> {
    const before = await this.#state();
    await this.close();
    this.#sandbox = await this.#open(copy, hurriedFiles);
    // In memory, an interrupted restore or reset had not taken effect.
    const mayDiffer = this.#inDoubt.size > 0;
    await this.#resolveDoubts();
    const after = await this.#state();
    const problems = before === after || mayDiffer ? [] : [`memory had ${before}, but the disk has ${after}`];
    const { urls, admin } = this.#at(this.#first);
    const ids = (await listed<{ id: string }>(`${urls.sandbox}/workspaces`, admin)).map(({ id }) => id);
    const expectedIds = this.#spaces.map(({ workspace }) => workspace.id);
    if (ids.sort().join() !== expectedIds.sort().join())
      problems.push(`the workspaces are ${ids}, expected ${expectedIds}`);
    for (const space of this.#spaces) {
      problems.push(...(await compareState(space, this.#at(space))).map((what) => `${space.workspace.id}: ${what}`));
    }
    await this.close();
    return problems;
  }
}
