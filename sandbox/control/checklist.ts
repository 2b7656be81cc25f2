/** The checklist for going live, with the evidence that a workspace has for each item (OP-257). */
import type { components } from '../../generated/sandbox/types.ts';
import type { CallEntry } from '../activity-log/activity-entry.ts';
import { callsTo, hasFault } from '../activity-log/summary.ts';
import { magicValues, magicValuesIn } from '../magic/table.ts';

type Schemas = components['schemas'];
type Item = Schemas['ChecklistItem'];
type Shown = Pick<Item, 'state' | 'evidence'>;

/** The outcome of a certification, and its verdicts. A certificate has no answers to open points. */
export interface CertificationEvidence extends Pick<Schemas['Certification'], 'id' | 'outcome' | 'ended_at'> {
  readonly verdicts: readonly { id: string; verdict: string; basis?: string; answer?: string }[];
}

/** The evidence of a workspace. */
interface Evidence {
  /** The URL of the partner's own server; `undefined` while the reference client is in use. */
  readonly ownServer: string | undefined;
  readonly allowlist: readonly string[];
  /** The newest completed certification of that server: a run of this sandbox, or a submitted certificate. */
  readonly certification: CertificationEvidence | undefined;
  readonly findings: readonly Schemas['Finding'][];
  /** The open points that calls rely on. */
  readonly reliedOn: readonly Schemas['OpenPoint'][];
  /** The calls of the activity log, oldest first. */
  readonly calls: readonly CallEntry[];
  /** Whether the ledgers of the platform and the client were fully compared and match. */
  readonly isReconciled: boolean;
}

/** Evaluates the evidence for an item. */
type Look = (evidence: Evidence) => Shown;

const shown = (evidence: string): Shown => ({ state: 'shown', evidence });
const missing = (evidence: string): Shown => ({ state: 'not_shown', evidence });
const yours: Shown = { state: 'yours', evidence: 'No call shows this.' };
const notConnected = missing('Your server is not connected: set `client_url`.');

/** Returns a check that the certification passed these requirements. */
function requires(...ids: readonly string[]) {
  return ({ certification, ownServer }: Evidence): Shown => {
    if (ownServer === undefined) return notConnected;
    if (certification === undefined) return missing(`No certification of ${ownServer} has ended.`);
    const verdicts = new Map(certification.verdicts.map(({ id, verdict }) => [id, verdict] as const));
    const others = ids.filter((id) => verdicts.get(id) !== 'pass');
    const words = others.map((id) => `${id} ${(verdicts.get(id) ?? 'not_selected').replaceAll('_', ' ')}`);
    const { id } = certification;
    // The other side's answers to the open points on which these requirements are based.
    const rest = certification.verdicts.filter((verdict) => ids.includes(verdict.id));
    const answers = rest.flatMap(({ basis, answer }) => (answer === undefined ? [] : ` ${basis} ${answer}.`));
    const answersText = [...new Set(answers)].join('');
    return others.length === 0
      ? shown(`${ids.join(', ')} passed in ${id}.${answersText}`)
      : missing(`In ${id}: ${words.join(', ')}.${answersText}`);
  };
}

function certified({ certification, ownServer }: Evidence): Shown {
  if (ownServer === undefined) return notConnected;
  if (certification === undefined)
    return missing(`No certification of ${ownServer} has ended. Start one on the page *Your server*.`);
  const { id, outcome, ended_at } = certification;
  const words = `${id}, which ended at ${ended_at},`;
  return outcome === 'passed' ? shown(`${words} passed.`) : missing(`${words} ended as ${outcome ?? 'interrupted'}.`);
}

function withoutErrors({ ownServer, calls, findings }: Evidence): Shown {
  if (ownServer === undefined) return notConnected;
  const made = new Set(callsTo(ownServer, calls).map(({ seq }) => seq));
  const [error, ...others] = findings.filter(
    ({ severity, party, seq }) => severity === 'error' && party === 'host' && made.has(seq),
  );
  if (made.size === 0) return missing(`The activity log has no call to ${ownServer}.`);
  if (error !== undefined) return missing(`Errors found: ${others.length + 1}, the first in entry ${error.seq}.`);
  return shown(`Calls to your server: ${made.size}, none with an error.`);
}

function withKeys({ calls }: Evidence): Shown {
  const orders = calls.filter(
    ({ kind, operation, status, caller }) =>
      kind === 'call_in' && operation === 'createRedemptionOrder' && status === 200 && caller !== 'sandbox',
  );
  const keyed = orders.filter(({ request_headers: headers = {} }) => 'idempotency-key' in headers).length;
  const words = `Orders in the activity log: ${orders.length}, ${keyed} of them with a key.`;
  return orders.length > 0 && keyed === orders.length ? shown(words) : missing(words);
}

function acceptedUpdates(evidence: Evidence): Shown {
  const accepted = evidence.calls.filter(
    ({ kind, operation, status }) => kind === 'call_out' && operation === 'catalogueUpdated' && (status ?? 500) < 300,
  );
  if (accepted.length === 0) return missing('No webhook was accepted. Register one, and change the catalogue.');
  return requires('CAL-09')(evidence).state === 'shown'
    ? shown(`Accepted webhooks: ${accepted.length}. CAL-09 passed.`)
    : missing(`Accepted webhooks: ${accepted.length}. CAL-09 has not passed: certify with your webhook.`);
}

function settled({ reliedOn }: Evidence): Shown {
  const open = reliedOn.filter(({ answer }) => answer === undefined).map(({ id }) => id);
  if (reliedOn.length === 0) return missing('No call relies on an open point yet.');
  const answers = reliedOn.map(answerOf).join('');
  return open.length === 0
    ? shown(`All ${reliedOn.length} points that calls rely on are answered.${answers}`)
    : missing(
        `${open.length} of ${reliedOn.length} points that calls rely on have no answer: ${open.join(', ')}.${answers}`,
      );
}

/** Formats an open point and its answer as a sentence; empty if there is no answer. */
function answerOf({ id, answer: given }: Schemas['OpenPoint']): string {
  if (given === undefined) return '';
  const { answer, by, date, text, value } = given;
  const details = { agreed: '', differs: `: ${text}`, settled: `: ${JSON.stringify(value)}` }[answer];
  return ` ${id} ${answer}${details} (${date}, ${by}).`;
}

function allowlisted({ allowlist }: Evidence): Shown {
  return allowlist.length > 0
    ? shown(`The workspace allows ${allowlist.join(', ')} only.`)
    : missing('The workspace has no `allowlist`: set the addresses that your servers call from.');
}

function usedMagic({ calls }: Evidence): Shown {
  const used = new Set(calls.flatMap(({ kind, request }) => (kind === 'call_in' ? magicValuesIn(request) : [])));
  const unused = [...magicValues].filter((value) => !used.has(value));
  const words = `${used.size} of ${magicValues.size} magic values were used`;
  return unused.length === 0 ? shown(`${words}.`) : missing(`${words}, and not: ${unused.join(', ')}.`);
}

function survivedFaults({ ownServer, calls, isReconciled }: Evidence): Shown {
  if (ownServer === undefined) return notConnected;
  const faulty = calls.filter(hasFault).length;
  if (faulty === 0) return missing('No call had a fault. Set one on the page *Simulation*.');
  const words = `Calls with a fault: ${faulty}.`;
  return isReconciled ? shown(`${words} The ledgers agree.`) : missing(`${words} The reconciliation is not empty.`);
}

/**
 * The items of the checklist by id, in the order of docs/guides/going-live.md. Their titles are the texts there. An item
 * without a function cannot be proven by calls.
 */
const rows: Readonly<Record<Item['group'], Readonly<Record<string, readonly [title: string, look?: Look]>>>> = {
  your_server: {
    certified: ['`certify` exits with 0, without `--allow-partial`.', certified],
    findings: [
      'The activity log and the findings show no `error` for any operation that you host. You know the reason for each `warning`, and its open point is settled.',
      withoutErrors,
    ],
    'invalid-token': [
      'An invalid token gets 422 with `Token Invalid`, before the body is parsed.',
      requires('TOK-01', 'TOK-20'),
    ],
    'own-tokens': [
      'The JWT and the service token are each accepted only for their own operations.',
      requires('TOK-09', 'TOK-11', 'TOK-18'),
    ],
    once: [
      'One `transactionId` credits once and one `redeemCode` deducts once, even with concurrent calls.',
      requires('CRD-02', 'CRD-03', 'DED-02', 'DED-03'),
    ],
    balance: [
      'A deduction checks the balance and takes the points in one transaction. The balance never becomes negative.',
      requires('DED-08', 'DED-09', 'DED-11'),
    ],
    refund: [
      '`Rejected` refunds exactly `totalPointWithProcessingFee`, once. A rejection for an unknown code is stored.',
      requires('STA-01', 'STA-02', 'STA-04', 'STA-11'),
    ],
    final: ['A status that conflicts with an earlier final status is refused.', requires('STA-08', 'STA-09', 'STA-10')],
    'in-time': ['Every call is answered within 15 seconds, even under load.', requires('ROB-01')],
  },
  your_calls: {
    messages: ["Messages go to your SMS and WhatsApp provider, not to the sandbox's gateway."],
    secrets: ['Secrets come from a secret store. They are in no log and no repository.'],
    renewal: ['Tokens are renewed before they expire. A 401 triggers one new sign-in, not a loop.'],
    'idempotency-keys': ['Each order has its own `Idempotency-Key`, and retries reuse it.', withKeys],
    'retry-after': ['After 429 or 503, retries wait for `Retry-After`.'],
    codes: ['Errors are distinguished by `status` and `code`, never by `message` or `type`.'],
    webhook: [
      'You copy the catalogue once and update it from the webhook, whose signature you verify.',
      acceptedUpdates,
    ],
    'portal-link': ['The portal link is created when the customer clicks, and is never logged.'],
  },
  agreed: {
    'open-points': [
      'Every open point that your code depends on is settled. `open-points` lists them, and writes a questionnaire for the meeting.',
      settled,
    ],
    allowlist: ["Your servers' addresses are allowlisted, and you have theirs.", allowlisted],
    tls: ['Both sides use TLS 1.2 or above, with certificates from a public authority.', requires('ROB-19', 'ROB-20')],
    contacts: [
      'Both sides know the on-call contacts and the ids to quote: `X-Trace-Id`, `redeemCode`, `transactionId`.',
    ],
  },
  rehearsed: {
    magic: ['You have tested every magic value, and your screens show a sensible message.', usedMagic],
    faults: [
      'You have rehearsed lost, duplicate and late responses, to the platform and to your own server. The reconciliation is empty afterwards.',
      survivedFaults,
    ],
    crash: ['You have rehearsed a crash of your server in the middle of an order.'],
  },
};

/** The items of the checklist, in order. */
export const checklist = Object.entries(rows).flatMap(([group, items]) =>
  Object.entries(items).map(([id, [title, look]]) => ({ id, group: group as Item['group'], title, look })),
);

/** Returns the checklist with the evidence of a workspace. */
export function checklistOf(evidence: Evidence): Schemas['Checklist'] {
  const items = checklist.map(({ look, ...item }): Item => ({ ...item, ...(look?.(evidence) ?? yours) }));
  const count = (state: Item['state']) => items.filter((item) => item.state === state).length;
  const [isShown, notShown] = [count('shown'), count('not_shown')];
  return { ready: notShown === 0, shown: isShown, not_shown: notShown, yours: count('yours'), items };
}
