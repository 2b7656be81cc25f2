/** The checklist for going live, and what a workspace shows about each of its items (OP-257). */
import type { components } from '../../generated/sandbox/types.ts';
import type { ActivityEntry, CallEntry } from '../activity-log/activity-entry.ts';
import { magicAmounts, magicCustomers, magicItems } from '../magic/table.ts';

type Schemas = components['schemas'];
type Item = Schemas['ChecklistItem'];
type Shown = Pick<Item, 'state' | 'evidence'>;

/** What a workspace shows. */
export interface Evidence {
  readonly clientUrl: string;
  /** Whether `clientUrl` is the reference client of the sandbox. */
  readonly isReference: boolean;
  readonly allowlist: readonly string[];
  /** The newest certification of `clientUrl` that has ended. */
  readonly certification: Schemas['Certification'] | undefined;
  readonly findings: readonly Schemas['Finding'][];
  /** The open points that calls rely on. */
  readonly reliedOn: readonly Schemas['OpenPoint'][];
  readonly entries: readonly ActivityEntry[];
  /** The operations that your server hosts. */
  readonly hosted: ReadonlySet<string>;
  /** What differs between the ledgers of the platform and the client. */
  readonly differences: number;
}

/** One item: its text is the line of the checklist in docs/guides/going-live.md. */
interface Check {
  readonly id: string;
  readonly title: string;
  /** What shows it; left out if no call can. */
  readonly look?: (evidence: Evidence) => Shown;
}

const shown = (evidence: string): Shown => ({ state: 'shown', evidence });
const missing = (evidence: string): Shown => ({ state: 'not_shown', evidence });
const yours: Shown = { state: 'yours', evidence: 'No call shows this.' };
const callsIn = ({ entries }: Evidence): readonly CallEntry[] => entries.filter((entry) => entry.kind !== 'state');

/** The certification passed these requirements. */
function requires(...ids: readonly string[]) {
  return ({ certification, clientUrl, isReference }: Evidence): Shown => {
    if (isReference) return missing('Your server is not connected.');
    if (certification === undefined) return missing(`No certification of ${clientUrl} has ended.`);
    const verdicts = new Map(certification.verdicts.map(({ id, verdict }) => [id, verdict] as const));
    const others = ids.filter((id) => verdicts.get(id) !== 'pass');
    const words = others.map((id) => `${id} ${(verdicts.get(id) ?? 'not_selected').replaceAll('_', ' ')}`);
    const { id } = certification;
    return others.length === 0
      ? shown(`${ids.join(', ')} passed in ${id}.`)
      : missing(`In ${id}: ${words.join(', ')}.`);
  };
}

function certified({ certification, clientUrl, isReference }: Evidence): Shown {
  if (isReference) return missing('The reference client is in use: set `client_url` to your server.');
  if (certification === undefined)
    return missing(`No certification of ${clientUrl} has ended. Start one on the page *Your server*.`);
  const { id, outcome, ended_at } = certification;
  const words = `${id}, which ended at ${ended_at},`;
  return outcome === 'passed' ? shown(`${words} passed.`) : missing(`${words} ended as ${outcome ?? 'interrupted'}.`);
}

function withoutErrors(evidence: Evidence): Shown {
  const calls = callsIn(evidence).filter(
    ({ kind, operation }) => kind === 'call_out' && evidence.hosted.has(operation ?? ''),
  );
  const errors = evidence.findings.filter(
    ({ severity, party, hosted_by }) => severity === 'error' && party === 'host' && hosted_by === 'client',
  );
  if (calls.length === 0) return missing('The activity log has no call to your server.');
  if (errors.length > 0) return missing(`Errors found: ${errors.length}, the first in entry ${errors[0]?.seq}.`);
  return shown(`Calls to your server: ${calls.length}, none with an error.`);
}

function withKeys(evidence: Evidence): Shown {
  const orders = callsIn(evidence).filter(
    ({ kind, operation, status, caller }) =>
      kind === 'call_in' && operation === 'createRedemptionOrder' && status === 200 && caller !== 'sandbox',
  );
  const keyed = orders.filter(({ request_headers: headers = {} }) => 'idempotency-key' in headers).length;
  const words = `Orders in the activity log: ${orders.length}, ${keyed} of them with a key.`;
  return orders.length > 0 && keyed === orders.length ? shown(words) : missing(words);
}

function tookUpdates(evidence: Evidence): Shown {
  const taken = callsIn(evidence).filter(
    ({ kind, operation, status }) => kind === 'call_out' && operation === 'catalogueUpdated' && (status ?? 500) < 300,
  );
  if (taken.length === 0) return missing('No webhook was accepted. Register one, and change the catalogue.');
  return requires('CAL-09')(evidence).state === 'shown'
    ? shown(`Accepted webhooks: ${taken.length}. CAL-09 passed.`)
    : missing(`Accepted webhooks: ${taken.length}. CAL-09 has not passed: certify with your webhook.`);
}

function settled({ reliedOn }: Evidence): Shown {
  const open = reliedOn.filter(({ answer }) => answer === undefined).map(({ id }) => id);
  if (reliedOn.length === 0) return missing('No call relies on an open point yet.');
  return open.length === 0
    ? shown(`All ${reliedOn.length} points that calls rely on are answered.`)
    : missing(`${open.length} of ${reliedOn.length} points that calls rely on have no answer: ${open.join(', ')}.`);
}

function allowlisted({ allowlist }: Evidence): Shown {
  return allowlist.length > 0
    ? shown(`The workspace allows ${allowlist.join(', ')} only.`)
    : missing('The workspace has no `allowlist`: set the addresses that your servers call from.');
}

function usedMagic(evidence: Evidence): Shown {
  const all = [...magicItems, ...magicCustomers, ...magicAmounts].map(({ value }) => value);
  const sent = callsIn(evidence).filter(({ kind }) => kind === 'call_in');
  const texts = sent.map(({ request, url }) => `${JSON.stringify(request ?? null)} ${url}`).join('\n');
  const unused = all.filter((value) => !texts.includes(value));
  const words = `${all.length - unused.length} of ${all.length} magic values were used`;
  return unused.length === 0 ? shown(`${words}.`) : missing(`${words}, and not: ${unused.join(', ')}.`);
}

function survivedFaults(evidence: Evidence): Shown {
  const faulty = callsIn(evidence).filter(({ notices }) =>
    notices.some((notice) => notice.startsWith('fault ')),
  ).length;
  if (faulty === 0) return missing('No call had a fault. Set one on the page Simulation.');
  return evidence.differences === 0
    ? shown(`Calls with a fault: ${faulty}. The ledgers do not differ.`)
    : missing(`Calls with a fault: ${faulty}. Differences of the ledgers: ${evidence.differences}.`);
}

/** The checklist, in the order of docs/guides/going-live.md. */
export const checklist: Readonly<Record<Item['group'], readonly Check[]>> = {
  your_server: [
    { id: 'certified', title: '`certify` exits with 0, without `--allow-partial`.', look: certified },
    {
      id: 'findings',
      title:
        'The activity log and the findings show no `error` for any operation that you host. You know the reason for each `warning`, and its open point is settled.',
      look: withoutErrors,
    },
    {
      id: 'invalid-token',
      title: 'An invalid token gets 422 with `Token Invalid`, before the body is parsed.',
      look: requires('TOK-01', 'TOK-20'),
    },
    {
      id: 'own-tokens',
      title: 'The JWT and the service token are each accepted only for their own operations.',
      look: requires('TOK-09', 'TOK-11', 'TOK-18'),
    },
    {
      id: 'once',
      title: 'One `transactionId` credits once and one `redeemCode` deducts once, even with concurrent calls.',
      look: requires('CRD-02', 'CRD-03', 'DED-02', 'DED-03'),
    },
    {
      id: 'balance',
      title:
        'A deduction checks the balance and takes the points in one transaction. The balance never becomes negative.',
      look: requires('DED-08', 'DED-09', 'DED-11'),
    },
    {
      id: 'refund',
      title:
        '`Rejected` refunds exactly `totalPointWithProcessingFee`, once. A rejection for an unknown code is stored.',
      look: requires('STA-01', 'STA-02', 'STA-04', 'STA-11'),
    },
    {
      id: 'final',
      title: 'A status that conflicts with an earlier final status is refused.',
      look: requires('STA-08', 'STA-09', 'STA-10'),
    },
    { id: 'in-time', title: 'Every call is answered within 15 seconds, even under load.', look: requires('ROB-01') },
  ],
  your_calls: [
    { id: 'messages', title: "Messages go to your SMS and WhatsApp provider, not to the sandbox's gateway." },
    { id: 'secrets', title: 'Secrets come from a secret store. They are in no log and no repository.' },
    { id: 'renewal', title: 'Tokens are renewed before they expire. A 401 causes one new sign-in, not a loop.' },
    {
      id: 'idempotency-keys',
      title: 'Each order has its own `Idempotency-Key`, and retries reuse it.',
      look: withKeys,
    },
    { id: 'retry-after', title: '429 and 503 wait for `Retry-After`.' },
    { id: 'codes', title: 'Errors are distinguished by `status` and `code`, never by `message` or `type`.' },
    {
      id: 'webhook',
      title: 'You copy the catalogue once and update it by the webhook, whose signature you verify.',
      look: tookUpdates,
    },
    { id: 'portal-link', title: 'The portal link is created when the customer clicks, and is never logged.' },
  ],
  agreed: [
    {
      id: 'open-points',
      title:
        'Every open point that your code depends on is settled. `open-points` lists them, and writes a questionnaire for the meeting.',
      look: settled,
    },
    { id: 'allowlist', title: "Your servers' addresses are allowlisted, and you have theirs.", look: allowlisted },
    {
      id: 'tls',
      title: 'Both sides use TLS 1.2 or above, with certificates from a public authority.',
      look: requires('ROB-19', 'ROB-20'),
    },
    { id: 'contacts', title: 'On-call contacts, and the ids to quote: `X-Trace-Id`, `redeemCode`, `transactionId`.' },
  ],
  rehearsed: [
    { id: 'magic', title: 'Every magic value, with a sensible message on your screens.', look: usedMagic },
    {
      id: 'faults',
      title:
        'Lost, duplicate and late responses, to the platform and to your own server, with an empty reconciliation at the end.',
      look: survivedFaults,
    },
    { id: 'crash', title: 'A crash of your server in the middle of an order.' },
  ],
};

/** The checklist with what the workspace shows. */
export function checklistOf(evidence: Evidence): Schemas['Checklist'] {
  const items = (Object.keys(checklist) as Item['group'][]).flatMap((group) =>
    checklist[group].map(({ id, title, look }): Item => ({ id, group, title, ...(look?.(evidence) ?? yours) })),
  );
  const count = (state: Item['state']) => items.filter((item) => item.state === state).length;
  const [isShown, notShown] = [count('shown'), count('not_shown')];
  return { ready: notShown === 0, shown: isShown, not_shown: notShown, yours: count('yours'), items };
}
