/** Runs a history on a sandbox and on the model, and compares both after each step. */
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { hurriedFiles } from '../harness/failing-once.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { listed } from '../harness/lists.ts';
import { type Clients, clientsOf, ok, signIn } from '../harness/sandbox.ts';
import { companyTokenOf } from '../harness/workspaces.ts';
import { type Line, Model, type Placed } from './model.ts';
import { type Sku, type Spender, type Step, skus, spenders } from './steps.ts';

/** Longer than the longest schedule (27.6 h of OP-24) and the threshold of OP-22, in seconds. */
const longEnough = 100_000;
/** Maximum number of failures per operation. It is below the number of delivery attempts, so every delivery eventually succeeds. */
const maxFaults = 6;

/** Returns an order's outcome in the model's terms. */
function outcomeOf(answer: { data?: unknown; error?: unknown; response: Response }): Placed | number {
  return answer.data === undefined ? ((answer.error as { code?: number }).code ?? answer.response.status) : 'placed';
}

export class Driven {
  /** Differences between the sandbox and the model. */
  readonly differences: string[] = [];
  #dataDir = '';
  #sandbox: Sandbox | undefined;
  #startedModel: Model | undefined;
  #payments = 0;

  get #clients(): Clients {
    if (this.#sandbox === undefined) throw new Error('it was not opened');
    return clientsOf(this.#sandbox.workspace, this.#sandbox.workspace.admin_token);
  }

  get #model(): Model {
    if (this.#startedModel === undefined) throw new Error('it was not opened');
    return this.#startedModel;
  }

  /** Starts the sandbox on an empty folder, and the model with the seeded balances and stock. */
  async open(): Promise<void> {
    this.#dataDir = await temporaryFolder();
    await this.#start();
    const balances = new Map(await Promise.all(spenders.map(async (uid) => [uid, await this.#balance(uid)] as const)));
    this.#startedModel = new Model({ balances, stock: await this.#stock() });
  }

  async #start(): Promise<void> {
    const options = { port: 0, clock: 'frozen', dataDir: this.#dataDir, files: hurriedFiles } as const;
    const addDifference = (what: string) => void this.differences.push(what);
    const onViolation = (violation: object) =>
      addDifference(`a reply breaks its contract: ${JSON.stringify(violation)}`);
    // A copied folder can contain a partially written entry of the activity log.
    const warn = (message: string) => message.includes('torn write') || addDifference(message);
    this.#sandbox = await startSandbox({ ...options, onViolation, warn });
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  /** Runs a step on both sides. Records every difference in the replies and in the state afterwards. */
  async runStep(step: Step): Promise<void> {
    await this.#execute(step);
    await this.#compare(step.do === 'pass');
  }

  #expect(what: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== should) this.differences.push(`${what}: ${is} instead of ${should}`);
  }

  async #execute(step: Step): Promise<void> {
    const { control } = this.#clients;
    const model = this.#model;
    const { state } = model;
    switch (step.do) {
      case 'order':
        return this.#order(step);
      case 'pay':
        this.#payments += 1;
        return this.#pay(`PAY-${this.#payments}`, step);
      case 'payAgain': {
        const again = state.payments[step.which % state.payments.length];
        return again === undefined ? undefined : this.#pay(again.id, again);
      }
      case 'signIn': {
        const { jwt } = await signIn(this.#clients, step.uid).catch(() => ({ jwt: undefined }));
        // The platform calls the client to verify the token, and a fault can affect that call.
        if (model.asksForProfile() !== (jwt !== undefined))
          this.differences.push(`the sign-in of ${step.uid} is ${jwt}`);
        return;
      }
      case 'decide': {
        const { sku: sku_code, outcome, times } = step;
        const body = { outcome, ...(outcome === 'fail_then_deliver' && { times }) };
        ok(await control.PUT('/vendor-outcomes/{sku_code}', { params: { path: { sku_code } }, body }));
        return void state.rules.set(sku_code, { outcome, times });
      }
      case 'stock': {
        const { sku: sku_code, stock } = step;
        ok(await control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body: { stock } }));
        return void state.stock.set(sku_code, stock);
      }
      case 'fault':
        return this.#fault(step);
      case 'report':
        return this.#report(step);
      case 'reverse':
        return this.#reverse(step.which);
      case 'onTimeout':
        ok(await control.PATCH('/workspace', { body: { settings: { on_timeout: step.policy } } }));
        state.onTimeout = step.policy;
        return;
      case 'pass':
        ok(await control.POST('/clock/advance', { body: { seconds: longEnough } }));
        await control.DELETE('/faults');
        return model.pass();
      case 'snapshot':
        if (model.snapshots.length < 20) model.snapshot(ok(await control.POST('/snapshots', { body: {} })).id);
        return;
      case 'restore': {
        const { id } = model.snapshots[step.which % model.snapshots.length] ?? {};
        if (id === undefined) return;
        ok(await control.POST('/snapshots/{id}/restore', { params: { path: { id } } }));
        return model.restore(id);
      }
      case 'reset':
        await control.POST('/reset');
        return model.reset();
      case 'restart':
        return this.#restart(step.abruptly);
    }
  }

  async #order({ uid, version, lines, fault }: Extract<Step, { do: 'order' }>): Promise<void> {
    const target = version === 'v1' ? 'saveRedeemDetails' : 'redeemPoints';
    if (fault !== undefined) await this.#fault({ do: 'fault', target, ...fault });
    const token = await companyTokenOf(this.#clients);
    const line_items = lines.map(({ sku, quantity }) => ({ sku, quantity }));
    const shipped = { line_items, shipping_address: '12 Lake View Road' };
    const answer =
      version === 'v1'
        ? await this.#clients.rewards(token).POST('/v1/partner/redeemptiononskus', { body: { uid, ...shipped } })
        : await this.#clients.v2Platform(token).POST('/api/v1/orders', { body: { customer_id: uid, ...shipped } });
    const codes = answer.data?.lines.map(({ redeemCode }) => redeemCode) ?? [];
    const expected = this.#model.order(uid, version, lines, codes, answer.data?.order_id ?? '');
    this.#expect(`an order of ${uid}`, outcomeOf(answer), expected);
  }

  async #pay(transactionId: string, { uid, rupees }: { uid: Spender; rupees: number }): Promise<void> {
    const rewards = this.#clients.rewards(await companyTokenOf(this.#clients));
    const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: String(rupees) } as const;
    const { points } = ok(await rewards.POST('/v1/partner/events/payment', { body: event }));
    this.#expect(`points of ${transactionId}`, points, this.#model.pay(transactionId, uid, rupees));
  }

  async #fault({ target, kind, times }: Extract<Step, { do: 'fault' }>): Promise<void> {
    const model = this.#model;
    if (model.faultsLeft(target) + times > maxFaults) return;
    const body = { target, fault: kind, times, ...(kind === 'status' && { status: 500 }) };
    ok(await this.#clients.control.POST('/faults', { body }));
    model.state.faults.push({ target, kind, left: times });
  }

  /** Selects one line from all placed orders. */
  #line(which: number): Line | undefined {
    const lines = this.#model.state.orders.flatMap((order) => order.lines);
    return lines[which % lines.length];
  }

  async #report({ which, status }: Extract<Step, { do: 'report' }>): Promise<void> {
    const line = this.#line(which);
    if (line === undefined) return;
    const body = { redeemCode: line.code, status };
    const { answer } = ok(await this.#clients.control.POST('/triggers/status_update', { body }));
    this.#expect(`report ${status} of ${line.code}`, answer.outcome, this.#model.report(line, status));
  }

  /** Calls the client's own version 2.0 operation with the service token, without involving the platform. */
  async #reverse(which: number): Promise<void> {
    const line = this.#line(which);
    if (line === undefined || this.#model.faultsLeft('reversePoints') > 0) return;
    const body = { redeem_code: line.code, points: line.points, reason: 'cancelled' };
    const { response } = await this.#clients.v2Client().POST('/api/v1/orders/reverse', { body });
    const expected = this.#model.applyStatus(line, 'Rejected') === 'accepted' ? 200 : 422;
    this.#expect(`reversal of ${line.code}`, response.status, expected);
  }

  /** Restarts the sandbox on the same folder. If `abruptly` is set, uses the files that a kill would have left. */
  async #restart(abruptly: boolean): Promise<void> {
    if (abruptly) this.#dataDir = await copyOfFolder(this.#dataDir);
    await this.close();
    await this.#start();
  }

  /** Compares the sandbox with the model. With `nothingIsDue`, also compares the reconciliation and the stock. */
  async #compare(nothingIsDue: boolean): Promise<void> {
    const { control, urls, rewards } = this.#clients;
    const admin = this.#sandbox?.workspace.admin_token ?? '';
    const model = this.#model;
    const orders = await listed<{ order: ListedOrder }>(`${urls.sandbox}/orders?limit=1000`, admin);
    const actual = orders.map(({ order }) => [order.order_id, order.status, order.lines.map(({ status }) => status)]);
    const expected = model.state.orders.map(({ id, lines }) => [
      id,
      model.statusOf(lines),
      lines.map((line) => line.platform),
    ]);
    this.#expect('orders', actual, expected);
    const token = await companyTokenOf(this.#clients);
    const vouchers: string[] = [];
    for (const uid of spenders) {
      this.#expect(`balance of ${uid}`, await this.#balance(uid), model.state.balances.get(uid));
      const wallet = ok(await rewards(token).GET('/getwalletdetail', { params: { query: { uid } } })).data;
      this.#expect(`wallet of ${uid}`, wallet.map(({ redemptionCode }) => redemptionCode).sort(), model.walletOf(uid));
      vouchers.push(...wallet.map(({ voucherCode }) => voucherCode));
    }
    this.#expect('different voucher codes', new Set(vouchers).size, vouchers.length);
    if (!nothingIsDue) return;
    const { items } = ok(await control.GET('/reconciliation'));
    const differing = items.map((item) => ('redeem_code' in item ? item.redeem_code : item.uid));
    this.#expect('reconciliation', differing.sort(), model.differingCodes().sort());
    this.#expect('stock', [...(await this.#stock())], [...model.state.stock]);
  }

  async #balance(uid: Spender): Promise<number> {
    return ok(await this.#clients.control.GET('/ledger/{uid}', { params: { path: { uid } } })).balance;
  }

  async #stock(): Promise<Map<Sku, number>> {
    const admin = this.#sandbox?.workspace.admin_token ?? '';
    const items = await listed<{ sku_code: string; stock: number }>(`${this.#clients.urls.sandbox}/catalogue`, admin);
    const stockOf = (sku: Sku) => items.find(({ sku_code }) => sku_code === sku)?.stock ?? 0;
    return new Map(skus.map((sku) => [sku, stockOf(sku)]));
  }
}

type ListedOrder = { order_id: string; status: string; lines: { status: string }[] };
