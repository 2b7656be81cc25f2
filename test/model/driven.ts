/** A sandbox that a history is carried out on, side by side with the model. */
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { hurriedFiles } from '../harness/failing-once.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { listed } from '../harness/lists.ts';
import { type Clients, clientsOf, ok, signIn } from '../harness/sandbox.ts';
import { companyTokenOf } from '../harness/workspaces.ts';
import type { Line, Model, Placed } from './model.ts';
import { type Sku, type Spender, type Step, skus, spenders } from './steps.ts';

/** Longer than the longest schedule (27.6 h of OP-24) and the threshold of OP-22. */
const longEnough = 100_000;
/** Fewer calls of an operation fail than a delivery is tried, so that all is delivered in the end. */
const mostFaults = 6;

/** What an order answered, in the model's words. */
function told(answer: { data?: unknown; error?: unknown; response: Response }): Placed | number {
  return answer.data === undefined ? ((answer.error as { code?: number }).code ?? answer.response.status) : 'placed';
}

export class Driven {
  readonly #model: (seeded: ConstructorParameters<typeof Model>[0]) => Model;
  /** What differs between the two. */
  readonly differences: string[] = [];
  #dataDir = '';
  #sandbox: Sandbox | undefined;
  #known: Model | undefined;
  #payments = 0;

  constructor(model: (seeded: ConstructorParameters<typeof Model>[0]) => Model) {
    this.#model = model;
  }

  get #at(): Clients {
    if (this.#sandbox === undefined) throw new Error('it was not opened');
    return clientsOf(this.#sandbox.workspace, this.#sandbox.workspace.admin_token);
  }

  get #modelled(): Model {
    if (this.#known === undefined) throw new Error('it was not opened');
    return this.#known;
  }

  /** Starts on an empty folder; the model begins with what is seeded. */
  async open(): Promise<void> {
    this.#dataDir = await temporaryFolder();
    await this.#start();
    const holds = new Map(await Promise.all(spenders.map(async (uid) => [uid, await this.#balance(uid)] as const)));
    this.#known = this.#model({ balances: holds, stock: await this.#stock() });
  }

  async #start(): Promise<void> {
    const options = { port: 0, clock: 'frozen', dataDir: this.#dataDir, files: hurriedFiles } as const;
    const note = (what: string) => void this.differences.push(what);
    const onViolation = (found: object) => note(`a reply breaks its contract: ${JSON.stringify(found)}`);
    // An entry of the activity log can be half written where the folder was copied.
    const warn = (message: string) => message.includes('torn write') || note(message);
    this.#sandbox = await startSandbox({ ...options, onViolation, warn });
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  /** Carries a step out on both, and notes what differs in the answers and in what is shown afterwards. */
  async take(step: Step): Promise<void> {
    await this.#carryOut(step);
    await this.#compare(step.do === 'pass');
  }

  #expect(what: string, found: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(found), JSON.stringify(expected)];
    if (is !== should) this.differences.push(`${what}: ${is} instead of ${should}`);
  }

  async #carryOut(step: Step): Promise<void> {
    const { control } = this.#at;
    const model = this.#modelled;
    const { books } = model;
    switch (step.do) {
      case 'order':
        return this.#order(step);
      case 'pay':
        this.#payments += 1;
        return this.#pay(`PAY-${this.#payments}`, step);
      case 'payAgain': {
        const again = books.payments[step.which % books.payments.length];
        return again === undefined ? undefined : this.#pay(again.id, again);
      }
      case 'signIn': {
        const { jwt } = await signIn(this.#at, step.uid).catch(() => ({ jwt: undefined }));
        // The platform asks the client about the token, which is where a fault can be.
        if (model.asksForProfile() !== (jwt !== undefined))
          this.differences.push(`the sign-in of ${step.uid} is ${jwt}`);
        return;
      }
      case 'decide': {
        const { sku: sku_code, outcome, times } = step;
        const body = { outcome, ...(outcome === 'fail_then_deliver' && { times }) };
        ok(await control.PUT('/vendor-outcomes/{sku_code}', { params: { path: { sku_code } }, body }));
        return void books.rules.set(sku_code, { outcome, times });
      }
      case 'stock': {
        const { sku: sku_code, stock } = step;
        ok(await control.PATCH('/catalogue/{sku_code}', { params: { path: { sku_code } }, body: { stock } }));
        return void books.stock.set(sku_code, stock);
      }
      case 'fault':
        return this.#fault(step);
      case 'report':
        return this.#report(step);
      case 'reverse':
        return this.#reverse(step.which);
      case 'onTimeout':
        ok(await control.PATCH('/workspace', { body: { settings: { on_timeout: step.policy } } }));
        books.onTimeout = step.policy;
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
    const token = await companyTokenOf(this.#at);
    const line_items = lines.map(({ sku, quantity }) => ({ sku, quantity }));
    const shipped = { line_items, shipping_address: '12 Lake View Road' };
    const answer =
      version === 'v1'
        ? await this.#at.rewards(token).POST('/v1/partner/redeemptiononskus', { body: { uid, ...shipped } })
        : await this.#at.v2Platform(token).POST('/api/v1/orders', { body: { customer_id: uid, ...shipped } });
    const codes = answer.data?.lines.map(({ redeemCode }) => redeemCode) ?? [];
    const expected = this.#modelled.order(uid, version, lines, codes, answer.data?.order_id ?? '');
    this.#expect(`an order of ${uid}`, told(answer), expected);
  }

  async #pay(transactionId: string, { uid, rupees }: { uid: Spender; rupees: number }): Promise<void> {
    const rewards = this.#at.rewards(await companyTokenOf(this.#at));
    const event = { uid, eventType: 'DIGITAL_PAYMENT', transactionId, paymentAmount: String(rupees) } as const;
    const { points } = ok(await rewards.POST('/v1/partner/events/payment', { body: event }));
    this.#expect(`points of ${transactionId}`, points, this.#modelled.pay(transactionId, uid, rupees));
  }

  async #fault({ target, kind, times }: Extract<Step, { do: 'fault' }>): Promise<void> {
    const model = this.#modelled;
    if (model.faultsLeft(target) + times > mostFaults) return;
    const body = { target, fault: kind, times, ...(kind === 'status' && { status: 500 }) };
    ok(await this.#at.control.POST('/faults', { body }));
    model.books.faults.push({ target, kind, left: times });
  }

  /** A line of a placed order. */
  #line(which: number): Line | undefined {
    const lines = this.#modelled.books.orders.flatMap((order) => order.lines);
    return lines[which % lines.length];
  }

  async #report({ which, status }: Extract<Step, { do: 'report' }>): Promise<void> {
    const line = this.#line(which);
    if (line === undefined) return;
    const body = { redeemCode: line.code, status };
    const { answer } = ok(await this.#at.control.POST('/triggers/status_update', { body }));
    this.#expect(`report ${status} of ${line.code}`, answer.outcome, this.#modelled.report(line, status));
  }

  /** The client's own operation of version 2.0, called by a stranger to the platform, who knows the service token. */
  async #reverse(which: number): Promise<void> {
    const line = this.#line(which);
    if (line === undefined || this.#modelled.faultsLeft('reversePoints') > 0) return;
    const body = { redeem_code: line.code, points: line.points, reason: 'cancelled' };
    const { response } = await this.#at.v2Client().POST('/api/v1/orders/reverse', { body });
    const expected = this.#modelled.tell(line, 'Rejected') === 'accepted' ? 200 : 422;
    this.#expect(`reversal of ${line.code}`, response.status, expected);
  }

  /** Stops and starts on the same folder; abruptly: on what a kill would have left. */
  async #restart(abruptly: boolean): Promise<void> {
    if (abruptly) this.#dataDir = await copyOfFolder(this.#dataDir);
    await this.close();
    await this.#start();
  }

  /** Holds what is shown against the model. @param nothingIsDue then the two sides' books and the stock count too */
  async #compare(nothingIsDue: boolean): Promise<void> {
    const { control, urls, rewards } = this.#at;
    const admin = this.#sandbox?.workspace.admin_token ?? '';
    const model = this.#modelled;
    const orders = await listed<{ order: Shown }>(`${urls.sandbox}/orders?limit=1000`, admin);
    const shown = orders.map(({ order }) => [order.order_id, order.status, order.lines.map(({ status }) => status)]);
    const known = model.books.orders.map(({ id, lines }) => [
      id,
      model.statusOf(lines),
      lines.map((line) => line.platform),
    ]);
    this.#expect('orders', shown, known);
    const token = await companyTokenOf(this.#at);
    const vouchers: string[] = [];
    for (const uid of spenders) {
      this.#expect(`balance of ${uid}`, await this.#balance(uid), model.books.balances.get(uid));
      const wallet = ok(await rewards(token).GET('/getwalletdetail', { params: { query: { uid } } })).data;
      this.#expect(`wallet of ${uid}`, wallet.map(({ redemptionCode }) => redemptionCode).sort(), model.walletOf(uid));
      vouchers.push(...wallet.map(({ voucherCode }) => voucherCode));
    }
    this.#expect('different voucher codes', new Set(vouchers).size, vouchers.length);
    if (!nothingIsDue) return;
    const { items } = ok(await control.GET('/reconciliation'));
    const differing = items.map((item) => ('redeem_code' in item ? item.redeem_code : item.uid));
    this.#expect('reconciliation', differing.sort(), model.differing().sort());
    this.#expect('stock', [...(await this.#stock())], [...model.books.stock]);
  }

  async #balance(uid: Spender): Promise<number> {
    return ok(await this.#at.control.GET('/ledger/{uid}', { params: { path: { uid } } })).balance;
  }

  async #stock(): Promise<Map<Sku, number>> {
    const admin = this.#sandbox?.workspace.admin_token ?? '';
    const items = await listed<{ sku_code: string; stock: number }>(`${this.#at.urls.sandbox}/catalogue`, admin);
    const stockOf = (sku: Sku) => items.find(({ sku_code }) => sku_code === sku)?.stock ?? 0;
    return new Map(skus.map((sku) => [sku, stockOf(sku)]));
  }
}

type Shown = { order_id: string; status: string; lines: { status: string }[] };
