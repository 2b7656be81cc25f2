import { api, ask, type Schemas } from '../api.ts';
import { figure, When } from '../figures.tsx';
import { FilterChoice, Filters, ShowMore } from '../filters.tsx';
import { Action, Field, type Fields, Form, Twice } from '../forms.tsx';
import { useFresh } from '../live.ts';
import { Sparkline } from '../overview/pulse.tsx';
import { Empty, Panel, Problem, TableHead, What } from '../parts.tsx';
import type { Route } from '../route.ts';

type Partner = Schemas['Partner'];

/** Number of partners shown initially, and added by each request for more. */
const step = 25;
const periods = { '30': '30 days', '90': '90 days' } as const;

/** The progress of each partner: all partners for the operator, otherwise only the user's own row (OP-261). */
export function Partners({ route: { query } }: { route: Route }) {
  const search = query.get('search') ?? '';
  const rows = Math.min(Number(query.get('rows') ?? step), 1000);
  const days = Number(query.get('days') || 7);
  const filter = { days, ...(search !== '' && { search }) };
  const { data, failure } = useFresh(async () => {
    const [board, { id }] = await Promise.all([
      ask(api.GET('/partners', { params: { query: { ...filter, limit: rows } } })),
      ask(api.GET('/workspace')),
    ]);
    return { ...board, isOperator: id === 'demo' };
  }, [search, rows, days]);
  const items = data?.items ?? [];
  return (
    <>
      <h1>Partners</h1>
      <Panel title="Board" aside={<Action label="Export CSV" run={() => saveCsv(filter)} />}>
        {data?.isOperator && (
          <Filters query={query} name="search" maxlength={100} placeholder="Name or id">
            <FilterChoice query={query} name="days" label="Period" titles={periods} all="7 days" />
          </Filters>
        )}
        {failure && <Problem failure={failure} />}
        {data && items.length === 0 && <Empty title="No matches">No workspace has this text in its name or id.</Empty>}
        {items.length > 0 && <Board items={items} days={days} />}
        {data?.next && <ShowMore rows={rows + step} />}
      </Panel>
      <div class="columns">
        <Certificates />
        {data?.isOperator && <TrustedKeys />}
      </div>
    </>
  );
}

async function saveCsv(query: { days: number; search?: string }) {
  const text = await ask(api.GET('/partners.csv', { params: { query: { ...query, limit: 1000 } }, parseAs: 'text' }));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = 'partners.csv';
  link.click();
  URL.revokeObjectURL(link.href);
  return 'Saved partners.csv.';
}

function Board({ items, days }: { items: readonly Partner[]; days: number }) {
  const heads = ['Partner', 'Last call', `Calls, ${days} days`, 'Findings', 'Certification', 'Answers pending'];
  return (
    <table class="stacks partners" role="table" aria-label="Partners">
      <TableHead heads={heads} />
      <tbody role="rowgroup">
        {items.map((partner) => (
          <Line key={partner.workspace.id} partner={partner} heads={heads} />
        ))}
      </tbody>
    </table>
  );
}

function Line({ partner, heads }: { partner: Partner; heads: readonly string[] }) {
  const { workspace, calls, findings, certification, answers_pending, days, counted_at } = partner;
  const { id, name, last_used_at } = workspace;
  const cells = [
    <When at={last_used_at} />,
    figure(calls),
    <span class={findings > 0 ? 'badge stuck' : ''}>{figure(findings)}</span>,
    certification === null ? <span class="quiet">None</span> : <Certified certification={certification} />,
    figure(answers_pending),
  ];
  return (
    <>
      <tr role="row" class={days.length > 0 ? 'more' : ''}>
        <th role="rowheader" scope="row">
          <strong>{name ?? id}</strong>
          {name !== null && (
            <span class="quiet">
              <code>{id}</code>
            </span>
          )}
          {counted_at === null && <span class="quiet">Not counted yet.</span>}
        </th>
        {cells.map((cell, index) => (
          <td role="cell" key={heads[index]} data-column={heads[index + 1]}>
            {cell}
          </td>
        ))}
      </tr>
      {days.length > 0 && (
        <tr role="row">
          <td role="cell" colSpan={heads.length}>
            <details>
              <summary>
                Day by day<span class="unseen"> of {name ?? id}</span>
              </summary>
              <Days days={days} />
            </details>
          </td>
        </tr>
      )}
    </>
  );
}

/** A certificate's outcome, date, edition and signer. */
function Certified({ certification }: { certification: Schemas['CertificateSummary'] }) {
  const { outcome, requirements, issued_at, open_failures, expired, signer, key_name } = certification;
  const trusted = `trusted key ${key_name}`;
  const signers = { witnessed_here: 'witnessed here', trusted_key: trusted, self_signed: 'self-signed' };
  return (
    <span class="certified">
      <span class={`badge ${outcome === 'passed' && !expired ? 'redeemed' : outcome === 'failed' ? 'stuck' : ''}`}>
        {outcome}
        {open_failures > 0 && `, ${figure(open_failures)} open`}
      </span>{' '}
      {expired && <span class="badge stuck">expired</span>}{' '}
      <span class={signer === 'self_signed' ? 'badge' : 'badge redeemed'}>{signers[signer]}</span>
      <span class="quiet">
        Edition {requirements}, <When at={issued_at} />
      </span>
    </span>
  );
}

function Days({ days }: { days: Partner['days'] }) {
  return (
    <>
      <Sparkline
        drawn={days.map(({ calls, findings: failed }) => ({ calls, failed }))}
        label="Calls of each day, and those with findings"
        ends={[days[0]?.day ?? '', days.at(-1)?.day ?? '']}
      />
      <table class="measured">
        <TableHead heads={['Day', 'Calls', 'Findings', 'Pending', 'Verdict']} />
        <tbody>
          {days.toReversed().map(({ day, calls, findings, answers_pending, outcome }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              <td>{figure(calls)}</td>
              <td>{figure(findings)}</td>
              <td>{figure(answers_pending)}</td>
              <td>{outcome ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** A form to add a certificate issued elsewhere, with the list of added certificates (OP-262). */
function Certificates() {
  const { data, failure } = useFresh(() => ask(api.GET('/certificates')), []);
  const run = async ({ certificate = '' }: Fields) => {
    const { id } = await ask(api.POST('/certificates', { body: { certificate } }));
    return `${id} is valid and was added.`;
  };
  return (
    <Panel title="Submit a certificate">
      <p class="quiet">
        Paste a certificate that <code>certify --certificate</code> wrote elsewhere. The sandbox verifies it first.
      </p>
      {failure && <Problem failure={failure} />}
      <Form title="Submit a certificate" label="Submit certificate" run={run}>
        <Field name="certificate" label="Content of the file" rows={3} maxlength={49_152} required />
      </Form>
      <ul class="rows">
        {(data?.items ?? []).map((certification) => (
          <li key={certification.id} class="row">
            <What title={certification.id} detail={certification.client_url} />
            <Certified certification={certification} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The keys that the operator trusts (OP-263). */
function TrustedKeys() {
  const { data, failure } = useFresh(() => ask(api.GET('/trusted-keys')), []);
  const replace = async (change: (items: Schemas['TrustedKey'][]) => Schemas['TrustedKey'][]) => {
    const { items } = await ask(api.GET('/trusted-keys'));
    await ask(api.PUT('/trusted-keys', { body: { items: change(items) } }));
  };
  const add = async ({ name = '', public_key = '' }: Fields) => {
    await replace((items) => [...items, { name, public_key }]);
    return `${name} is trusted.`;
  };
  return (
    <Panel title="Trusted keys">
      <p class="quiet">Certificates signed with one of these keys show the key’s name instead of “self-signed”.</p>
      {failure && <Problem failure={failure} />}
      <ul class="rows">
        {(data?.items ?? []).map(({ name }) => (
          <li key={name} class="row">
            <span class="what">
              <strong>{name}</strong>
            </span>
            <Twice
              label="Remove"
              what={`key ${name}`}
              sure="Its certificates are then shown as self-signed."
              run={() => replace((items) => items.filter((item) => item.name !== name))}
            />
          </li>
        ))}
      </ul>
      <Form title="Add trusted key" label="Add key" run={add}>
        <Field name="name" label="Name" maxlength={100} required />
        <Field name="public_key" label="Public key (PEM)" rows={3} maxlength={1000} required />
      </Form>
    </Panel>
  );
}
