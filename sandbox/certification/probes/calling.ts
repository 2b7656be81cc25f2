/** Probes of the server's calls to the platform, based on the activity log of the sandbox that it calls. */

import { Webhook as Signer } from 'standardwebhooks';
import { type Answer, callTo } from '../answer.ts';
import { assertRefused, assertSucceeded, failWith } from '../assertions.ts';
import { type CallerEntry, type CallerLog, callerLog, callsOf, loggedAnswer, sandboxControl } from '../platform-log.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { MissingInput, NotApplicable } from '../verdict.ts';

/** Maximum number of catalogue syncs per day. `mostInFlight` is the maximum number of consecutive quota refusals. */
const mostReadings = 3;
const mostInFlight = 10;
const day = 24 * 3600 * 1000;

const listings = ['listRewards', 'listCatalog'];

export const callingProbes = {
  'CAL-01': judged((log) => {
    const first = log.calls.findIndex(({ operation, status }) => operation === 'companyAuth' && status === 200);
    const early = log.calls.slice(0, first < 0 ? undefined : first).find(({ status }) => status === 401);
    if (early !== undefined) wrong(early, 'A call was sent before the company signed in', 'a token', '401');
  }),
  'CAL-02': judged(wholeWalk),
  'CAL-03': judged((log) => {
    const starts = begun(callsOf(log, ...listings));
    const many = starts.find((start) => {
      const same = starts.filter((other) => kindOf(other) === kindOf(start) && within(start, other));
      return same.length > mostReadings;
    });
    if (many !== undefined)
      wrong(many, 'The catalogue was read repeatedly', `at most ${mostReadings} syncs per day`, 'more');
  }),
  'CAL-04': judged(({ calls }) => {
    const refused = calls.filter(({ status }) => status === 429);
    if (refused.length === 0) throw new NotApplicable('The log contains no call refused for the quota.');
    let row: readonly CallerEntry[] = [];
    for (const call of calls) {
      row = call.status === 429 ? [...row, call] : [];
      const [first] = row;
      const later = first !== undefined && Date.parse(call.at) - Date.parse(first.at) > 1000;
      if (later || row.length > mostInFlight)
        wrong(call, 'Calls continued after a 429', 'none before Retry-After elapses', `${row.length} refused in a row`);
    }
  }),
  'CAL-05': judged(async (log) => {
    const delivered = await deliveries(log);
    const [first] = delivered;
    if (first === undefined)
      throw new NotApplicable('The log contains no voucher delivered for an order of the server.');
    const wallets = callsOf(log, 'getWalletDetail').filter(({ status }) => status === 200);
    const fetched = delivered.some(({ uid, seq }) => wallets.some((call) => call.uid === uid && call.seq > seq));
    if (fetched) return;
    const { seq, code, uid, at } = first;
    const message = `The wallet was not read after a voucher delivery: log entry ${seq} delivered ${code} to ${uid} at ${at}, and no getWalletDetail call for ${uid} follows.`;
    failWith(message, `/activity/${seq}`, `getWalletDetail for ${uid} after log entry ${seq}`, 'no such call', []);
  }),
  'CAL-06': judged((log) => {
    const payments = callsOf(log, 'sendPaymentEvent');
    if (payments.length === 0) throw new NotApplicable('The log contains no payment event.');
    const conflict = payments.find(({ status }) => status === 409);
    if (conflict !== undefined)
      wrong(conflict, 'Two payments have the same transactionId', 'a unique id for each payment', '409');
  }),
  'CAL-07': judged(async ({ control, calls }) => {
    const numbers = new Set(calls.map(({ seq }) => seq));
    const query = { severity: 'error', wait: 60 } as const;
    const { data } = await control.GET('/findings', { params: { query } });
    const newest = calls.at(-1)?.seq ?? 0;
    if (data === undefined || data.checked_to < newest) throw new MissingInput('The sandbox has not checked its log.');
    const finding = data.items.find(({ party, seq }) => party === 'caller' && numbers.has(seq));
    if (finding === undefined) return;
    const { seq, operation, pointer, expected, actual } = finding;
    const message = `A call to ${operation} violates the contract at ${pointer}: log entry ${seq}.`;
    failWith(message, pointer, expected, actual, []);
  }),
  'CAL-08': async (probing) =>
    assertSucceeded(await sent(probing, 'right'), 'A catalogue update with a valid signature'),
  'CAL-09': async (probing) => {
    const tampered = await sent(probing, 'wrong_signature');
    assertRefused(tampered, 'A catalogue update with the signature of another body');
  },
  'CAL-10': async (probing) => {
    const replayed = await sent(probing, 'old');
    assertRefused(replayed, 'A catalogue update with a valid signature and a timestamp one hour old');
  },
} satisfies Record<string, Probe>;

function judged(judge: (log: CallerLog) => void | Promise<void>): Probe {
  return async (probing: ProbeContext) => judge(await callerLog(probing));
}

function wrong({ seq, method, url, at }: CallerEntry, what: string, expected: string, actual: string): never {
  failWith(`${what}: log entry ${seq}, ${method} ${url} at ${at}.`, `/activity/${seq}`, expected, actual, []);
}

/** Returns the calls that started a catalogue sync: successful calls without a cursor. */
function begun(calls: readonly CallerEntry[]): readonly CallerEntry[] {
  return calls.filter((call) => call.status === 200 && !queryOf(call).has('cursor'));
}

function within({ at }: CallerEntry, other: CallerEntry): boolean {
  const apart = Date.parse(other.at) - Date.parse(at);
  return apart >= 0 && apart < day;
}

function queryOf({ url }: CallerEntry): URLSearchParams {
  return new URLSearchParams(url.split('?')[1] ?? '');
}

/** Returns the listing that a page belongs to, regardless of cursor and page size. */
function kindOf(call: CallerEntry): string {
  return `${call.operation} ${queryOf(call).get('type') ?? ''}`;
}

/** Asserts that at least one catalogue sync followed the cursors to the last page. */
async function wholeWalk(log: CallerLog): Promise<void> {
  const pages = callsOf(log, ...listings).filter(({ status }) => status === 200);
  const [first] = begun(pages);
  if (first === undefined) throw new NotApplicable('The log contains no catalogue call.');
  const items = await catalogue(log);
  const whole = begun(pages).some((start) => {
    const walk = walkFrom(start, pages);
    if (walk.some(({ reply }) => (reply as { has_more?: unknown } | null)?.has_more === false)) return true;
    // The log stores only the length of a long page, so estimate from the number of items.
    const size = Number(queryOf(start).get('limit') ?? 50);
    const type = queryOf(start).get('type');
    const all = items.filter(({ product_type }) => type === null || product_type === type.toUpperCase()).length;
    return walk.length * size >= all;
  });
  if (!whole) wrong(first, 'No catalogue sync reached the last page', 'cursors followed', 'pages left unread');
}

/** Returns the pages of a sync: its first page, and the pages with a cursor before the next sync starts. */
function walkFrom(start: CallerEntry, pages: readonly CallerEntry[]): readonly CallerEntry[] {
  const behind = pages.filter((page) => page.seq > start.seq && kindOf(page) === kindOf(start));
  const end = behind.findIndex((page) => !queryOf(page).has('cursor'));
  return [start, ...behind.slice(0, end < 0 ? undefined : end)];
}

async function catalogue({ control }: CallerLog): Promise<readonly { readonly product_type: string }[]> {
  const items: { readonly product_type: string }[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const query: { after: number; limit: number } = { after, limit: 1000 };
    const { data } = await control.GET('/catalogue', { params: { query } });
    items.push(...(data?.items ?? []));
    after = data?.next ?? null;
  }
  return items;
}

/** Returns the e-gift lines of this server that the log shows as delivered. Other servers may share the sandbox. */
async function deliveries({ control, entries, calls }: CallerLog) {
  const own = new Set(calls.flatMap(({ redeem_codes }) => redeem_codes));
  const { data } = await control.GET('/orders', { params: { query: { limit: 1000 } } });
  const vouchers = new Set(
    (data?.items ?? []).flatMap(({ order }) =>
      order.lines.flatMap(({ product_type, redeemCode }) => (product_type === 'EGV' ? [redeemCode] : [])),
    ),
  );
  return entries.flatMap(({ seq, uid, at, redeem_codes: [code = ''], ...entry }) =>
    'event' in entry && entry.event === 'line.delivered' && uid !== null && vouchers.has(code) && own.has(code)
      ? [{ uid, code, seq, at }]
      : [],
  );
}

/** Age of an old message, in milliseconds. It exceeds the five minutes that Standard Webhooks tolerates. */
const old = 3600 * 1000;

/** A catalogue update: a right one, one with the signature of another body, or one with an old timestamp. */
type Message = 'right' | 'wrong_signature' | 'old';

/** Sends a catalogue update directly if the input contains the webhook. Otherwise lets the sandbox send it. */
function sent(probing: ProbeContext, message: Message): Promise<Answer> {
  return probing.input.webhook === undefined ? sentBySandbox(probing, message) : sentDirectly(probing, message);
}

/** Lets the sandbox send a test message. Rejects with `NotApplicable` if no webhook is registered there. */
async function sentBySandbox(probing: ProbeContext, message: Message): Promise<Answer> {
  const { sandbox, control } = sandboxControl(probing);
  const { data, response } = await control.POST('/triggers/webhook_test', { body: { message } });
  if (response.status === 404) throw new NotApplicable(`No webhook is registered at ${sandbox.url}.`);
  if (data === undefined)
    throw new MissingInput(`The sandbox returned ${response.status}. Check the admin token.`, '--admin-token TOKEN');
  probing.run.partner.counted(1);
  return loggedAnswer({ ...callTo(data.url), headers: [], body: undefined }, data.status, '', data.reason ?? undefined);
}

/** Sends a catalogue update in the same form as the platform (OP-26). */
async function sentDirectly(probing: ProbeContext, message: Message): Promise<Answer> {
  const at = new Date(probing.run.parts.now() - (message === 'old' ? old : 0));
  const id = `MSG-${probing.fresh()}`;
  const body = update(at, 'An item of the certification');
  const signed = message === 'wrong_signature' ? update(at, 'Another item') : body;
  const signature = new Signer(probing.input.webhook?.secret ?? '').sign(id, at, signed);
  const headers = [
    ['content-type', 'application/json'],
    ['webhook-id', id],
    ['webhook-timestamp', String(Math.floor(at.getTime() / 1000))],
    ['webhook-signature', signature],
  ] as const;
  return probing.run.deliver(probing.input.webhook ?? {}, headers, body);
}

function update(at: Date, skus: string): string {
  const priced = { status: 1, skus, price: '40', stock_qty: '9' };
  const item = { id: 999_999, product_type: 'PHYSICAL', sku_code: 'CERTIFY-ITEM-1', ...priced };
  const data = { items: [{ change: 'updated', item }] };
  return JSON.stringify({ type: 'catalogue.updated', timestamp: at.toISOString(), data });
}
