/**
 * Tests that a customer never has both the points and the voucher (OP-121), in any order of events. The events are
 * orders, report faults, slow vendors, thresholds, cancellations, manual reports and restarts.
 *
 * The test makes no predictions. It checks after every step that the state is consistent.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { hurriedFiles } from '../harness/failing-once.ts';
import { copyOfFolder, temporaryFolder } from '../harness/folders.ts';
import { listed } from '../harness/lists.ts';
import { type Clients, clientsOf, ok } from '../harness/sandbox.ts';
import { scaled } from '../harness/scale.ts';
import { companyTokenOf } from '../harness/workspaces.ts';

const uid = 'CUST0001';
const skus = ['EGV-CHAI-100', 'PHY-TAWA-01'] as const;
/** Longer than the longest schedule (OP-24) and the threshold of OP-22, in seconds. */
const longEnough = 100_000;

type Step =
  | { readonly do: 'order'; readonly sku: (typeof skus)[number]; readonly quantity: number }
  | {
      readonly do: 'vendor';
      readonly delay_seconds: number;
      readonly outcome: 'deliver' | 'reject' | 'fail_then_deliver';
    }
  | { readonly do: 'fault'; readonly fault: 'reset' | 'status' | 'lost_reply' | 'duplicate'; readonly times: number }
  | { readonly do: 'threshold'; readonly seconds: number; readonly on_timeout: 'wait' | 'reverse' }
  | { readonly do: 'timeout'; readonly which: number }
  | { readonly do: 'report'; readonly which: number; readonly status: 'Pending' | 'Delivered' | 'Rejected' }
  | { readonly do: 'cancel'; readonly which: number; readonly meanwhile: boolean }
  | { readonly do: 'wait'; readonly seconds: number }
  | { readonly do: 'restart'; readonly abruptly: boolean };

const as = <const D extends Step['do']>(name: D) => fc.constant(name);
const which = fc.nat(20);
const seconds = fc.constantFrom(1, 2, 3, 4, 60, 310);

/** Only version 1.0, because version 2.0 has no call that reports a reversal to the platform (OP-52). */
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: as('order'), sku: fc.constantFrom(...skus), quantity: fc.integer({ min: 1, max: 2 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: as('vendor'),
      delay_seconds: fc.constantFrom(0, 1, 400),
      outcome: fc.constantFrom('deliver', 'deliver', 'deliver', 'reject', 'fail_then_deliver'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: as('fault'),
      fault: fc.constantFrom('reset', 'status', 'lost_reply', 'duplicate'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: as('threshold'), seconds, on_timeout: fc.constantFrom('wait', 'reverse', 'reverse') }),
  },
  { weight: 6, arbitrary: fc.record({ do: as('timeout'), which }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: as('report'), which, status: fc.constantFrom('Pending', 'Delivered', 'Rejected') }),
  },
  { weight: 4, arbitrary: fc.record({ do: as('cancel'), which, meanwhile: fc.boolean() }) },
  { weight: 9, arbitrary: fc.record({ do: as('wait'), seconds }) },
  { weight: 1, arbitrary: fc.record({ do: as('restart'), abruptly: fc.boolean() }) },
);

class History {
  #dataDir = '';
  #sandbox: Sandbox | undefined;
  #stock = '';
  readonly #codes: string[] = [];
  /** The codes whose cancellation the platform confirmed. */
  readonly #cancelled = new Set<string>();
  /** The codes that a manual report declared Delivered. The client does not refund their points. */
  readonly #reportedDelivered = new Set<string>();

  get #clients(): Clients {
    if (this.#sandbox === undefined) throw new Error('it was not opened');
    return clientsOf(this.#sandbox.workspace, this.#sandbox.workspace.admin_token);
  }

  async open(): Promise<void> {
    this.#dataDir = await temporaryFolder();
    await this.#start();
    this.#stock = await this.#stockWith([]);
  }

  async #start(): Promise<void> {
    const options = { port: 0, clock: 'frozen', dataDir: this.#dataDir, files: hurriedFiles } as const;
    this.#sandbox = await startSandbox({ ...options, warn: () => {} });
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  async runStep(step: Step): Promise<void> {
    const { control, rewards } = this.#clients;
    const redeemCode = 'which' in step ? this.#codes[step.which % this.#codes.length] : undefined;
    switch (step.do) {
      case 'order': {
        const { sku, quantity } = step;
        const body = { uid, line_items: [{ sku, quantity }], shipping_address: '12 Lake View Road' };
        const { data } = await rewards(await companyTokenOf(this.#clients)).POST('/v1/partner/redeemptiononskus', {
          body,
        });
        return void this.#codes.push(...(data?.lines.map((line) => line.redeemCode) ?? []));
      }
      case 'vendor': {
        const { outcome, delay_seconds } = step;
        const body = { outcome, delay_seconds, ...(outcome === 'fail_then_deliver' && { times: 1 }) };
        for (const sku_code of skus)
          ok(await control.PUT('/vendor-outcomes/{sku_code}', { params: { path: { sku_code } }, body }));
        return;
      }
      case 'fault': {
        const { fault, times } = step;
        const body = {
          target: 'updateRedeemStatus',
          fault,
          times,
          ...(fault === 'status' && { status: 500 }),
        } as const;
        return void ok(await control.POST('/faults', { body }));
      }
      case 'threshold': {
        const settings = { pending_timeout: step.seconds, on_timeout: step.on_timeout };
        return void ok(await control.PATCH('/workspace', { body: { settings } }));
      }
      case 'timeout':
        if (redeemCode === undefined) return;
        return void ok(await control.POST('/triggers/timeout', { body: { redeemCode, on_timeout: 'reverse' } }));
      case 'report':
        if (redeemCode === undefined) return;
        if (step.status === 'Delivered') this.#reportedDelivered.add(redeemCode);
        return void ok(await control.POST('/triggers/status_update', { body: { redeemCode, status: step.status } }));
      case 'cancel':
        return this.#cancel(redeemCode, step.meanwhile);
      case 'wait':
        return void ok(await control.POST('/clock/advance', { body: { seconds: step.seconds } }));
      case 'restart':
        if (step.abruptly) this.#dataDir = await copyOfFolder(this.#dataDir);
        await this.close();
        return this.#start();
    }
  }

  /** @param meanwhile whether time passes, so that the vendors receive their requests concurrently */
  async #cancel(redeemCode: string | undefined, meanwhile: boolean): Promise<void> {
    if (redeemCode === undefined) return;
    const [{ data, response }] = await Promise.all([
      this.#clients.control.POST('/triggers/cancellation', { body: { redeemCode } }),
      meanwhile && this.runStep({ do: 'wait', seconds: 1 }),
    ]);
    if (response.status !== 200 && response.status !== 400) throw new Error(`a cancellation got ${response.status}`);
    for (const code of data?.cancelled ?? []) this.#cancelled.add(code);
  }

  /** Returns descriptions of the current inconsistencies. */
  async findProblems(): Promise<string[]> {
    const { control, rewards, urls } = this.#clients;
    const admin = this.#sandbox?.workspace.admin_token ?? '';
    const token = await companyTokenOf(this.#clients);
    const wallet = ok(await rewards(token).GET('/getwalletdetail', { params: { query: { uid } } })).data;
    const entries = await listed<{ kind: string; reference: string }>(`${urls.sandbox}/ledger/${uid}`, admin);
    const reversed = new Set(entries.filter(({ kind }) => kind === 'reverse').map(({ reference }) => reference));
    const both = wallet.filter(({ redemptionCode }) => reversed.has(redemptionCode));
    const { items } = ok(await control.GET('/messages', { params: { query: { uid, limit: 1000 } } }));
    const sent = items.filter(({ kind }) => kind === 'voucher');
    const cancelledInWallet = wallet.filter(({ redemptionCode }) => this.#cancelled.has(redemptionCode));
    const missingInWallet = sent.filter(({ text }) => !wallet.some(({ voucherCode }) => text.includes(voucherCode)));
    return [
      ...both.map(
        ({ redemptionCode }) => `the points of ${redemptionCode} were refunded, and its voucher is in the wallet`,
      ),
      ...cancelledInWallet.map(
        ({ redemptionCode }) => `${redemptionCode} was cancelled, and its voucher is in the wallet`,
      ),
      ...missingInWallet.map(({ text }) => `a voucher was sent but is not in the wallet: ${text}`),
    ];
  }

  /** Waits until all lines are final, then compares the wallet, the outbox and the stock with the lines. */
  async end(): Promise<string[]> {
    const { control, rewards } = this.#clients;
    await control.DELETE('/faults');
    for (let times = 0; times < 2; times += 1) await this.runStep({ do: 'wait', seconds: longEnough });
    const { items } = ok(await control.GET('/orders', { params: { query: { limit: 1000 } } }));
    const lines = items.flatMap(({ order }) => order.lines).filter(({ status }) => status === 'Delivered');
    const expected = lines.flatMap(({ product_type, quantity, redeemCode }) =>
      product_type === 'EGV' ? Array.from({ length: quantity }, () => redeemCode) : [],
    );
    const token = await companyTokenOf(this.#clients);
    const wallet = ok(await rewards(token).GET('/getwalletdetail', { params: { query: { uid } } })).data;
    const { items: messages } = ok(await control.GET('/messages', { params: { query: { uid, limit: 1000 } } }));
    const voucherMessages = messages.filter(({ kind }) => kind === 'voucher');
    const [actualCodes, expectedCodes] = [wallet.map(({ redemptionCode }) => redemptionCode).sort(), expected.sort()];
    const stock = await this.#stockWith(lines);
    const admin = this.#sandbox?.workspace.admin_token ?? '';
    const entries = await listed<{ kind: string; reference: string }>(
      `${this.#clients.urls.sandbox}/ledger/${uid}`,
      admin,
    );
    const times = (code: string) =>
      entries.filter(({ kind, reference }) => kind === 'reverse' && reference === code).length;
    const unpaid = [...this.#cancelled].filter((code) => !this.#reportedDelivered.has(code) && times(code) !== 1);
    return [
      ...unpaid.map((code) => `the points of ${code}, which was cancelled, were refunded ${times(code)} times`),
      ...(await this.findProblems()),
      ...(actualCodes.join() === expectedCodes.join()
        ? []
        : [`the wallet has ${actualCodes} instead of ${expectedCodes}`]),
      ...(voucherMessages.length === expectedCodes.length
        ? []
        : [`${voucherMessages.length} messages for ${expectedCodes.length} vouchers`]),
      ...(stock === this.#stock ? [] : [`stock plus delivered units is ${stock} instead of ${this.#stock}`]),
    ];
  }

  /** Returns the stock of each item plus its delivered units. */
  async #stockWith(delivered: readonly { sku_code: string; quantity: number }[]): Promise<string> {
    const admin = this.#sandbox?.workspace.admin_token ?? '';
    const items = await listed<{ sku_code: string; stock: number }>(`${this.#clients.urls.sandbox}/catalogue`, admin);
    const sum = (sku: string) =>
      delivered.filter(({ sku_code }) => sku_code === sku).reduce((total, { quantity }) => total + quantity, 0);
    return skus.map((sku) => (items.find(({ sku_code }) => sku_code === sku)?.stock ?? 0) + sum(sku)).join();
  }
}

/** Runs steps until one causes a problem. Returns the problems found after that step or at the end. */
async function findProblemsIn(steps: readonly Step[]): Promise<string[]> {
  const history = new History();
  await history.open();
  try {
    for (const [at, step] of steps.entries()) {
      await history.runStep(step);
      const problems = await history.findProblems();
      if (problems.length > 0) return problems.map((what) => `step ${at + 1}, ${step.do}: ${what}`);
    }
    return await history.end();
  } finally {
    await history.close();
  }
}

it('OP-121, OP-127: a customer never has both the points and the voucher, and everything adds up in the end', {
  timeout: 1_800_000,
}, async () => {
  const most = scaled(24, 30);
  const histories = fc.array(step, { minLength: Math.ceil(most / 2), maxLength: most, size: 'max' });
  const property = fc.asyncProperty(histories, async (history) => {
    expect(await findProblemsIn(history)).toEqual([]);
  });
  await fc.assert(property, { numRuns: scaled(5, 250) });
});
