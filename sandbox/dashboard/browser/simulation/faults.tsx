import { api, ask, askAndReport, type Schemas } from '../api.ts';
import { useOperations } from '../calls.ts';
import { Choice, Field, type Fields, FormPanel, filled, number, Twice } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, Panel, Problem, Row } from '../parts.tsx';
import { go, withQuery } from '../route.ts';
import type { Given } from './simulation.tsx';

const kinds = [
  ['latency', 'Slow response', 'Processed; the response is delayed.'],
  ['status', 'Error status', "Not processed; returns this status in the API's error envelope."],
  ['reset', 'Connection reset', 'Not processed; the connection is reset.'],
  ['lost_reply', 'Lost response', 'Processed; the connection is reset before the response.'],
  ['malformed', 'Malformed response', 'Processed; the response body is cut off and is not valid JSON.'],
  ['drip', 'Dripping response', 'Processed; the response body arrives in pieces.'],
  ['duplicate', 'Duplicate call', 'Processed twice, as if the call arrived twice; the first response is returned.'],
  ['out_of_order', 'Out of order', 'Held until the next call of the operation is processed, at most 10 s.'],
] as const;
/** The kind that the form offers first. */
const [, defaultKind] = kinds;
const names = kinds.map(([kind, name]) => [kind, name] as const);
const shares = [
  ['times', 'A number of calls'],
  ['share', 'A share of calls'],
  ['every', 'Every call until deleted'],
] as const;

/** The active faults, and a form to add more. */
export function Faults({ query }: Given) {
  const { data, failure } = useFresh(() => ask(api.GET('/faults')), []);
  const faults = data?.items ?? [];
  const sure = faults.length === 1 ? 'The fault will be deleted.' : `All ${faults.length} faults will be deleted.`;
  const deleteAll = () => askAndReport(api.DELETE('/faults'), 'All faults deleted.');
  return (
    <>
      {failure && <Problem failure={failure} />}
      <div class="columns">
        <Panel
          title="Active faults"
          aside={faults.length > 0 && <Twice label="Delete all faults" sure={sure} run={deleteAll} />}
        >
          {data && faults.length === 0 && (
            <Empty title="No active faults">
              Add one here, or use a <a href="/dashboard/simulation?view=magic">magic value</a>, which needs no setup.
            </Empty>
          )}
          <ul class="rows">
            {faults.map((fault) => (
              <Line key={fault.id} fault={fault} />
            ))}
          </ul>
        </Panel>
        <Maker query={query} />
      </div>
    </>
  );
}

function Line({ fault }: { fault: Schemas['Fault'] }) {
  const { id, target, left, share, ms, status } = fault;
  const [, name] = kinds.find(([kind]) => kind === fault.fault) ?? ['', fault.fault];
  const measure = ms !== null ? `, ${ms} milliseconds` : status !== null ? ` ${status}` : '';
  const portion = share === null ? 'every call' : `${share * 100}% of calls`;
  const often = left === null ? portion : `${left} ${left === 1 ? 'call' : 'calls'} left`;
  const remove = () => ask(api.DELETE('/faults/{id}', { params: { path: { id } } }));
  return (
    <Row title={target} detail={`${name}${measure}, ${id}`}>
      <span class="badge">{often}</span>
      <Twice label="Delete" what={`fault ${id} of ${target}`} sure="Calls are no longer affected." run={remove} />
    </Row>
  );
}

function Maker({ query }: Given) {
  const operations = useOperations();
  const [fault, , effect] = kinds.find(([kind]) => kind === query.get('fault')) ?? defaultKind;
  const target = query.get('target') ?? 'saveRedeemDetails';
  const often = query.get('often') ?? 'times';
  const keep = (name: string) => (value: string) => go(withQuery({ [name]: value }), { replace: true });
  const hosted = operations.toSorted((one, other) => one.hosted_by.localeCompare(other.hosted_by));
  const webhook = { operation: 'catalogueUpdated', hosted_by: 'webhook' };
  const targets = [...hosted, webhook].map(
    ({ operation, hosted_by }) => [operation, `${operation} (${hosted_by})`] as const,
  );
  const save = async ({ ms, status, times, percent }: Fields) => {
    const share = number(percent);
    const measures = { ms: number(ms), status: number(status), times: number(times), share: share && share / 100 };
    const { id } = await ask(api.POST('/faults', { body: { target, fault, ...filled(measures) } }));
    return `Added ${id}. It affects ${target} from the next call on.`;
  };
  return (
    <FormPanel
      title="Add fault"
      about="A fault affects all calls to the operation. If the client is your own server, faults on client operations affect the calls to it."
      label="Add fault"
      run={save}
    >
      <Choice name="target" label="Operation" value={target} change={keep('target')} grow options={targets} />
      <Choice name="fault" label="What happens" value={fault} change={keep('fault')} grow options={names} />
      <p class="quiet all">{effect}</p>
      {fault === 'status' && <Field name="status" label="Status" range={[400, 599]} value="503" required />}
      {(fault === 'latency' || fault === 'drip') && (
        <Field
          name="ms"
          label={fault === 'drip' ? 'Spread over' : 'Delay'}
          unit="real milliseconds"
          range={[1, 60_000]}
          value="2000"
          required
        />
      )}
      <Choice name="often" label="Applies to" value={often} change={keep('often')} options={shares} />
      {often === 'times' && <Field name="times" label="Number of calls" range={[1, 1_000_000]} value="1" required />}
      {often === 'share' && (
        <Field name="percent" label="Share of calls" unit="percent" range={[0, 100]} step="any" value="25" required>
          The workspace seed decides which calls.
        </Field>
      )}
    </FormPanel>
  );
}
