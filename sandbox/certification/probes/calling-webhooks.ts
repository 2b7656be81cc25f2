/** Probes of the address that the server takes catalogue updates at: it verifies their signatures. */
import { Webhook as Signer } from 'standardwebhooks';
import type { Answer } from '../answer.ts';
import { assertRefused, assertSucceeded } from '../assertions.ts';
import { sandboxControl } from '../caller-log.ts';
import type { Probe, ProbeContext } from '../probe-context.ts';
import { MissingInput, NotApplicable } from '../verdict.ts';

/** How old the timestamp of an old message is, in milliseconds: beyond the five minutes of Standard Webhooks. */
const old = 3600 * 1000;

export const webhookProbes = {
  'CAL-08': async (probing) => {
    assertSucceeded(await sent(probing, {}), 'A catalogue update with a valid signature');
  },
  'CAL-09': async (probing) => {
    assertRefused(await sent(probing, { tampered: true }), 'A catalogue update with the signature of another body');
  },
  'CAL-10': async (probing) => {
    const replayed = await sent(probing, { age: old });
    assertRefused(replayed, 'A catalogue update with a valid signature and a timestamp one hour old');
  },
} satisfies Record<string, Probe>;

interface Message {
  /** Milliseconds since its timestamp. */
  readonly age?: number;
  readonly tampered?: boolean;
}

/** Has the sandbox send a catalogue update where the webhook is registered there, else sends it by itself. */
function sent(probing: ProbeContext, message: Message): Promise<Answer> {
  return probing.input.webhook === undefined ? sentBySandbox(probing, message) : sentDirectly(probing, message);
}

/** The result of a test message of the sandbox. Rejects with NotApplicable if no webhook is registered there. */
async function sentBySandbox(probing: ProbeContext, { age, tampered }: Message): Promise<Answer> {
  const { sandbox, control } = sandboxControl(probing);
  const message = tampered ? 'wrong_signature' : age === undefined ? 'right' : 'old';
  const { data, response } = await control.POST('/triggers/webhook_test', { body: { message } });
  if (response.status === 404) throw new NotApplicable(`No webhook is registered at ${sandbox.url}.`);
  if (data === undefined)
    throw new MissingInput(`The sandbox returned ${response.status}. Check the admin token.`, '--admin-token TOKEN');
  probing.counted(1);
  const { origin, pathname, search } = new URL(data.url);
  const { status, reason } = data;
  return {
    call: { method: 'POST', path: `${pathname}${search}`, headers: [], body: undefined, base: origin },
    status: status ?? undefined,
    headers: [],
    body: Buffer.alloc(0),
    problem: status === null ? 'broken' : undefined,
    detail: status === null ? (reason ?? undefined) : undefined,
    findings: [],
  };
}

/** Sends a catalogue update as the platform does (OP-26). */
async function sentDirectly(probing: ProbeContext, { age = 0, tampered = false }: Message): Promise<Answer> {
  const at = new Date(probing.now() - age);
  const id = `MSG-${probing.fresh()}`;
  const body = update(at, 'An item of the certification');
  const signed = tampered ? update(at, 'Another item') : body;
  const signature = new Signer(probing.input.webhook?.secret ?? '').sign(id, at, signed);
  const headers = [
    ['content-type', 'application/json'],
    ['webhook-id', id],
    ['webhook-timestamp', String(Math.floor(at.getTime() / 1000))],
    ['webhook-signature', signature],
  ] as const;
  return probing.deliver(headers, body);
}

function update(at: Date, skus: string): string {
  const item = {
    id: 999_999,
    product_type: 'PHYSICAL',
    sku_code: 'CERTIFY-ITEM-1',
    status: 1,
    skus,
    price: '40',
    stock_qty: '9',
  };
  const data = { items: [{ change: 'updated', item }] };
  return JSON.stringify({ type: 'catalogue.updated', timestamp: at.toISOString(), data });
}
