// @ts-check
import { api, ask } from '../api.js';
import { useOperations } from '../calls.js';
import { Choice, Field, Form, filled, number, Twice } from '../forms.js';
import { html } from '../html.js';
import { useFresh } from '../live.js';
import { Empty, Panel, Problem } from '../parts.js';
import { go, withQuery } from '../route.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['Fault']} Fault
 */

const kinds = /** @type {const} */ ([
  ['latency', 'Reply late', 'Carried out; the reply comes later.'],
  ['status', 'Error status', "Not carried out; answers the status in the API's envelope."],
  ['reset', 'Connection reset', 'Not carried out; the connection is reset.'],
  ['lost_reply', 'Reply lost', 'Carried out; the connection is reset before the reply.'],
  ['malformed', 'Malformed reply', "Carried out; the reply's body breaks off and is not JSON."],
  ['drip', 'Dripping reply', "Carried out; the reply's body comes in pieces."],
  ['duplicate', 'Carried out twice', 'As if the call had arrived twice; the first reply is sent.'],
  ['out_of_order', 'Out of order', 'Held back until the next call of the operation was carried out, at most 10 s.'],
]);

/** What calls meet, and a form to have them meet more. @param {import('./simulation.js').Given} given */
export function Faults({ query }) {
  const { data, failure } = useFresh(() => ask(api.GET('/faults')), []);
  const faults = data?.items ?? [];
  const all = html`<${Twice} label="Delete all" what="faults" sure=${`All ${faults.length} will be gone.`} run=${deleteAll} />`;
  return html`
    ${failure && html`<${Problem} failure=${failure} />`}
    <div class="columns">
      <${Panel} title="Faults that are set" aside=${faults.length > 0 && all}>
        ${data && faults.length === 0 && html`<${Empty} title="No call meets a fault">Set one here, or use a <a href="/dashboard/simulation?view=magic">magic value</a>, which needs none.<//>`}
        <ul class="rows">
          ${faults.map((fault) => html`<li key=${fault.id}><${Line} fault=${fault} /></li>`)}
        </ul>
      <//>
      <${Maker} query=${query} />
    </div>
  `;
}

async function deleteAll() {
  await ask(api.DELETE('/faults'));
  return 'No call meets a fault.';
}

/** @param {{ fault: Fault }} given */
function Line({ fault }) {
  const { id, target, left, share, ms, status } = fault;
  const [, name] = kinds.find(([kind]) => kind === fault.fault) ?? ['', fault.fault];
  const measure = ms !== null ? `, ${ms} milliseconds` : status !== null ? ` ${status}` : '';
  const often =
    left !== null
      ? `${left} ${left === 1 ? 'call' : 'calls'} left`
      : share !== null
        ? `${share * 100} % of calls`
        : 'every call';
  const remove = async () => {
    await ask(api.DELETE('/faults/{id}', { params: { path: { id } } }));
  };
  return html`
    <div class="row">
      <span class="what"><strong>${target}</strong><span class="quiet">${name}${measure}, ${id}</span></span>
      <span class="badge">${often}</span>
      <${Twice} label="Delete" what=${`fault ${id} of ${target}`} sure="Its calls go through again." run=${remove} />
    </div>
  `;
}

/** @param {import('./simulation.js').Given} given */
function Maker({ query }) {
  const operations = useOperations();
  const fault = kinds.find(([kind]) => kind === query.get('fault'))?.[0] ?? 'status';
  const target = query.get('target') ?? 'saveRedeemDetails';
  const often = query.get('often') ?? 'times';
  /** @param {string} name */
  const keep = (name) => (/** @type {string} */ value) => go(withQuery({ [name]: value }), { replace: true });
  const hosted = operations.toSorted((one, other) => one.hosted_by.localeCompare(other.hosted_by));
  /** @param {import('../forms.js').Fields} fields */
  const save = async ({ ms, status, times, percent }) => {
    const share = number(percent);
    const measures = { ms: number(ms), status: number(status), times: number(times), share: share && share / 100 };
    const { id } = await ask(api.POST('/faults', { body: { target, fault, ...filled(measures) } }));
    return `Set as ${id}: it takes the next call of ${target} on.`;
  };
  return html`
    <${Panel} title="Set a fault">
      <p class="quiet">
        It takes calls into the operation, whoever sends them. When the client is a server of your own, faults of the client's
        operations take the calls to it.
      </p>
      <${Form} title="a fault" label="Set" run=${save}>
        <${Choice} name="target" label="Operation" value=${target} change=${keep('target')} grow
          options=${[...hosted.map(({ operation, hosted_by }) => [operation, `${operation} (${hosted_by})`]), ['catalogueUpdated', 'catalogueUpdated (webhook)']]} />
        <${Choice} name="fault" label="What happens" value=${fault} change=${keep('fault')} grow
          options=${kinds.map(([kind, name]) => [kind, name])} />
        <p class="quiet all">${kinds.find(([kind]) => kind === fault)?.[2]}</p>
        ${fault === 'status' && html`<${Field} name="status" label="Status" type="number" min="400" max="599" value="503" required />`}
        ${(fault === 'latency' || fault === 'drip') && html`<${Field} name="ms" label=${fault === 'drip' ? 'Spread over' : 'Late by'} unit="real milliseconds" type="number" min="1" max="60000" value="2000" required />`}
        <${Choice} name="often" label="How often" value=${often} change=${keep('often')}
          options=${[['times', 'A number of calls'], ['share', 'A part of the calls'], ['every', 'Every call until deleted']]} />
        ${often === 'times' && html`<${Field} name="times" label="How many" unit="calls" type="number" min="1" max="1000000" value="1" required />`}
        ${often === 'share' && html`<${Field} name="percent" label="How large a part" unit="percent" type="number" min="0" max="100" step="any" value="25" required hint="Drawn from the seed." />`}
      <//>
    <//>
  `;
}
