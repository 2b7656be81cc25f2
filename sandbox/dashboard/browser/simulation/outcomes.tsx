import { allOf, api, ask, askAndReport, type Schemas } from '../api.ts';
import { Facts } from '../figures.tsx';
import { Filters, ShowMore } from '../filters.tsx';
import { Action, Choice, Field, type Fields, Form, filled, number } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Empty, NoMatches, Note, Panel, Problem, Row } from '../parts.tsx';
import { withQuery } from '../route.ts';
import type { Given } from './simulation.tsx';

type Outcome = Schemas['VendorOutcome'];
type Item = ReturnType<typeof rowsOf>[number];

const units = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** Number of rows shown initially, and added by each request for more. */
const step = 50;

const outcomeTitles = {
  deliver: 'Deliver',
  reject: 'Reject',
  out_of_stock: 'Out of stock',
  timeout: 'Time out, then reject',
  fail_then_deliver: 'Fail, then deliver',
  never: 'Never respond (stays pending)',
} satisfies Record<Schemas['OutcomeName'], string>;

/** The outcomes and their titles, as options of a form. */
export const outcomeNames = Object.entries(outcomeTitles);

/** The vendor outcome of each item. */
export function Outcomes({ query }: Given) {
  const { data, failure } = useFresh(async () => {
    const [catalogue, outcomes, magic] = await Promise.all([
      allOf((query) => api.GET('/catalogue', { params: { query } })),
      allOf((query) => api.GET('/vendor-outcomes', { params: { query } })),
      ask(api.GET('/magic-values')),
    ]);
    return rowsOf(catalogue, outcomes, new Map(magic.items.map(({ value, does }) => [value, does])));
  }, []);
  const text = (query.get('q') ?? '').trim().toLowerCase();
  const rows = Number(query.get('rows') ?? step);
  const sku = query.get('sku');
  const chosen = data?.find((row) => row.sku === sku);
  return (
    <>
      {failure && <Problem failure={failure} />}
      <Filters query={query} label="Find an item to change its outcome" placeholder="Code, name, vendor, outcome" />
      <div class={sku === null ? 'split' : 'split open'}>
        <div>
          {data !== undefined &&
            (text === '' ? <Changed data={data} sku={sku} /> : <Found data={data} text={text} rows={rows} sku={sku} />)}
        </div>
        {sku !== null && data !== undefined && <Editor row={chosen} sku={sku} key={sku} />}
      </div>
    </>
  );
}

/** The outcomes that differ from the default. Magic values always have an outcome and come last. */
function Changed({ data, sku }: { data: readonly Item[]; sku: string | null }) {
  const set = data.filter((row) => row.set);
  const magic = set.filter((row) => row.sku.startsWith('MAGIC-'));
  const changed = set.filter((row) => !magic.includes(row));
  return (
    <>
      {changed.length === 0 && (
        <Empty title="No changed outcomes">
          Every item is delivered after 2 seconds. Search for an item to change its outcome.
        </Empty>
      )}
      {changed.length > 0 && <Note>{changed.length} changed; all other items are delivered after 2 seconds</Note>}
      <Rows rows={changed} sku={sku} />
      {magic.length > 0 && (
        <details open={magic.some((row) => row.sku === sku)}>
          <summary>{magic.length} magic values with an outcome</summary>
          <Rows rows={magic} sku={sku} />
        </details>
      )}
    </>
  );
}

/** The items that match a search, with their outcomes. */
function Found({ data, text, rows, sku }: { data: readonly Item[]; text: string; rows: number; sku: string | null }) {
  const words = text.split(/\s+/);
  const found = data.filter((row) => words.every((word) => JSON.stringify(row).toLowerCase().includes(word)));
  return (
    <>
      <Note>{`${found.length} of ${data.length} items`}</Note>
      {found.length === 0 && <NoMatches href="/dashboard/simulation?view=outcomes" link="Show changed outcomes" />}
      <Rows rows={found.slice(0, rows)} sku={sku} />
      {found.length > rows && <ShowMore rows={rows + step} />}
    </>
  );
}

function Rows({ rows, sku }: { rows: readonly Item[]; sku: string | null }) {
  if (rows.length === 0) return null;
  return (
    <ul class="rows">
      {rows.map(({ sku: each, name, set, outcome }) => (
        <Row key={each} href={withQuery({ sku: each })} isCurrent={each === sku} title={name} detail={each}>
          <span class={set ? 'says set' : 'says quiet'}>{inWords(outcome)}</span>
        </Row>
      ))}
    </ul>
  );
}

/** Returns the items of the catalogue and the unlisted items that have an outcome. A magic value is named after its effect. */
function rowsOf(items: readonly Schemas['StockItem'][], outcomes: readonly Outcome[], magic: Map<string, string>) {
  const remaining = new Map(outcomes.map((outcome) => [outcome.sku_code, outcome]));
  const listed = items.map(({ sku_code, skus, vendor }) => {
    const own = remaining.get(sku_code);
    remaining.delete(sku_code);
    const usual = { sku_code, outcome: 'deliver', reason: '', times: null, delay_seconds: 2 } as Outcome;
    return { sku: sku_code, name: skus, vendor, outcome: own ?? usual, set: own !== undefined };
  });
  const unlisted = [...remaining.values()].map((outcome) => {
    const name = magic.get(outcome.sku_code) ?? 'No longer in the catalogue';
    return { sku: outcome.sku_code, name, vendor: '', outcome, set: true };
  });
  return [...listed, ...unlisted].sort((one, other) => Number(other.set) - Number(one.set));
}

/** Returns a short description of an outcome. */
function inWords({ outcome, reason, times, delay_seconds }: Outcome) {
  const name = outcomeTitles[outcome];
  const often =
    times === null ? '' : outcome === 'fail_then_deliver' ? `, ${times} failed attempts` : `, ${times} more times`;
  return `${name}, ${span(delay_seconds)}${often}${reason === '' ? '' : `: ${reason}`}`;
}

/** Formats seconds in the largest unit that divides them evenly. */
function span(seconds: number) {
  const [size, unit] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
}

function Editor({ row, sku }: { row: Item | undefined; sku: string }) {
  const close = <a href={withQuery({ sku: undefined })}>Close</a>;
  if (row === undefined) {
    return (
      <Panel title={sku} aside={close}>
        <Empty title="Item not found">
          <a href="/dashboard/simulation?view=outcomes">Show changed outcomes</a>
        </Empty>
      </Panel>
    );
  }
  const { name, vendor, outcome, set } = row;
  const params = { path: { sku_code: sku } };
  const save = ({ outcome = 'deliver', reason, times, delay_seconds }: Fields) => {
    const input = { reason, times: number(times), delay_seconds: number(delay_seconds) };
    const body = { outcome: outcome as Outcome['outcome'], ...filled(input) };
    const call = api.PUT('/vendor-outcomes/{sku_code}', { params, body });
    return askAndReport(call, 'Saved. Applies to redemptions that reach the vendor from now on.');
  };
  const back = () =>
    askAndReport(api.DELETE('/vendor-outcomes/{sku_code}', { params }), 'Default restored: deliver after 2 seconds.');
  return (
    <Panel title={sku} aside={close}>
      <Facts
        of={[
          ['Item', name],
          ['Vendor', vendor || undefined],
          [set ? 'Outcome' : 'Default outcome', inWords(outcome)],
        ]}
      />
      <Form title={`Outcome of ${sku}`} label="Save outcome" what={`of ${sku}`} run={save}>
        <Choice name="outcome" label="Outcome" options={outcomeNames} value={outcome.outcome} grow />
        <Field
          name="delay_seconds"
          label="Responds after"
          unit="seconds of sandbox time"
          range={[0, 31_536_000]}
          value={outcome.delay_seconds}
        />
        <Field name="times" label="Times" range={[1, 1_000_000]} value={outcome.times ?? ''}>
          Optional. Redemptions that it applies to; defaults to all. For “fail, then deliver”: attempts that fail first,
          1 to 4.
        </Field>
        <Field name="reason" label="Reason" maxlength="200" value={outcome.reason} grow>
          Sent as the remark of a rejection.
        </Field>
      </Form>
      {set && (
        <p class="ways">
          <Action label="Restore default" what={`outcome of ${sku}`} run={back} />
        </p>
      )}
    </Panel>
  );
}
