/** Certification of the server: the current run, earlier runs, and the changes between them. */
import { useEffect, useState } from 'preact/hooks';
import { verdictNames } from '../../../certification/matrix.ts';
import { api, ask, type Schemas } from '../api.ts';
import { When } from '../figures.tsx';
import { Choice, Twice } from '../forms.tsx';
import { tell, useFresh } from '../live.ts';
import { Empty, Note, Panel, Problem, Row } from '../parts.tsx';
import { go, withQuery } from '../route.ts';
import { CertifyForm } from './certify-form.tsx';
import { Failures, Matrix, Requirements } from './report.tsx';
import { type Change, changesOf, unjudgedOf } from './verdicts.ts';

type Run = Schemas['Certification'];
type Summary = Schemas['CertificationSummary'];

/** Polling interval for a run, in real milliseconds. */
const pause = 700;

const outcomes = {
  passed: ['good', 'passed'],
  partial: ['warn', 'partial'],
  failed: ['bad', 'failed'],
  interrupted: ['none', 'stopped early'],
  environment: ['warn', 'could not start'],
  suite_error: ['warn', 'suite error'],
} as const;

/** The selected run, the other runs, and the form that starts one. */
export function Certification({ query, workspace }: { query: URLSearchParams; workspace: Schemas['Workspace'] }) {
  const { data, failure } = useFresh(() => ask(api.GET('/certifications')), []);
  const runs = data?.items ?? [];
  const selected = runs.find(({ id }) => id === query.get('run')) ?? runs[0];
  const runsNow = runs.some(({ state }) => state !== 'ended');
  useEffect(() => {
    if (!runsNow) return undefined;
    const timer = setInterval(tell, pause);
    return () => clearInterval(timer);
  }, [runsNow]);
  return (
    <>
      {failure && <Problem failure={failure} />}
      <div class="columns">
        {data !== undefined && <NewRun workspace={workspace} hasRuns={runs.length > 0} />}
        <Panel title="Runs">
          {data !== undefined && runs.length === 0 && (
            <Empty title="No certification runs yet">
              Start your server, enter a customer of yours with at least 5,000 points, and run the certification.
            </Empty>
          )}
          <ul class="rows">
            {runs.map((run) => (
              <Line key={run.id} run={run} isCurrent={run.id === selected?.id} />
            ))}
          </ul>
        </Panel>
      </div>
      {selected && <SelectedRun key={selected.id} id={selected.id} runs={runs} other={query.get('with')} />}
    </>
  );
}

/** The form for a new run. It starts collapsed if there are earlier runs, so that their results come first. */
function NewRun({ workspace, hasRuns }: { workspace: Schemas['Workspace']; hasRuns: boolean }) {
  const [startsOpen] = useState(!hasRuns);
  return (
    <details class="panel drawer" open={startsOpen}>
      <summary>
        <h2>Run the certification</h2>
      </summary>
      <p class="quiet">
        The run calls your server as the platform and the microsite do, and checks each requirement. It restores every
        balance it changes.
      </p>
      <CertifyForm workspace={workspace} />
    </details>
  );
}

function Outcome({ run: { state, outcome } }: { run: Pick<Summary, 'state' | 'outcome'> }) {
  const [style, word] = state === 'ended' && outcome !== null ? outcomes[outcome] : ['warn', state];
  return <span class={`status ${style}`}>{word}</span>;
}

function Line({ run, isCurrent }: { run: Summary; isCurrent: boolean }) {
  const { id, target, started_at, counts } = run;
  const detail = [target.client_url, ', ', <When at={started_at} />];
  return (
    <Row href={withQuery({ run: id, with: undefined })} isCurrent={isCurrent} title={id} detail={detail}>
      {counts && (
        <span class="quiet">
          {counts.pass} passed, {counts.fail} failed
        </span>
      )}
      <Outcome run={run} />
    </Row>
  );
}

function useRun(id: string) {
  return useFresh(() => ask(api.GET('/certifications/{id}', { params: { path: { id } } })), [id]);
}

function SelectedRun({ id, runs, other }: { id: string; runs: readonly Summary[]; other: string | null }) {
  const { data: run, failure } = useRun(id);
  if (run === undefined) return failure ? <Problem failure={failure} /> : <Note>Loading {id}</Note>;
  return (
    <>
      <Panel title={`Run ${id}`} aside={<Outcome run={run} />}>
        <Progress run={run} />
        {run.outcome !== 'environment' && <Matrix verdicts={run.verdicts} />}
        {run.report && run.outcome !== 'environment' && <Unjudged verdicts={run.report.verdicts} />}
        <Ways run={run} />
      </Panel>
      {run.report && <Failures report={run.report} left={run.exchanges_left_out} />}
      {run.state === 'ended' && <Comparison run={run} runs={runs} other={other} />}
      {run.verdicts.length > 0 && <Requirements verdicts={run.verdicts} />}
    </>
  );
}

function Progress({ run: { state, position, done, of, report, problem } }: { run: Run }) {
  if (state === 'queued') return <p role="status">Queued behind runs of other workspaces: position {position}.</p>;
  if (state === 'running') {
    const text = of === null ? 'Preparing: this takes a few seconds.' : `${done} of ${of} requirements checked.`;
    const value = of === null ? undefined : done;
    return [<p role="status">{text}</p>, <progress max={of ?? 1} value={value} aria-label="Requirements checked" />];
  }
  if (report === null) return <p class="notice bad">{problem}</p>;
  const { counts, coverage, calls, outcome, failures } = report;
  if (outcome === 'environment') return <p class="notice bad">{report.problem}</p>;
  const balances = { restored: 'restored', not_restored: 'not restored', unknown: 'not verified' }[report.balances];
  return (
    <>
      {report.problem !== null && <p class="notice bad">{report.problem}</p>}
      {outcome === 'partial' && (
        <p class="notice warn">
          Partial: {coverage.mandatory.judged} of {coverage.mandatory.of} mandatory requirements were checked.
        </p>
      )}
      <p role="status">
        {counts.pass} passed, {counts.fail} failed, {failures.length} {failures.length === 1 ? 'cause' : 'causes'},{' '}
        {counts.blocked} blocked, {counts.not_selected} not checked, {counts.not_applicable} not applicable
        {counts.suite_error > 0 && `, ${counts.suite_error} suite ${counts.suite_error === 1 ? 'error' : 'errors'}`}.{' '}
        {calls} {calls === 1 ? 'call' : 'calls'}; balances {balances}.
      </p>
    </>
  );
}

/** The mandatory requirements that were not tested, grouped by the missing option of `certify`. */
function Unjudged({ verdicts }: { verdicts: Run['verdicts'] }) {
  const options = unjudgedOf(verdicts);
  if (options.length === 0) return null;
  const count = options.reduce((sum, { ids }) => sum + ids.length, 0);
  return (
    <details>
      <summary>
        {count} mandatory {count === 1 ? 'requirement was' : 'requirements were'} not checked
      </summary>
      <p class="quiet">
        These options of <code>certify</code> enable them:
      </p>
      <ul class="quiet">
        {options.map(({ option, ids }) => (
          <li key={option}>
            <code>{option}</code>: {ids.join(', ')}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Ways({ run: { id, state } }: { run: Run }) {
  const remove = async () => {
    await ask(api.DELETE('/certifications/{id}', { params: { path: { id } } }));
    go(withQuery({ run: undefined, with: undefined }), { replace: true });
  };
  const isEnded = state === 'ended';
  return (
    <p class="ways">
      <Twice
        label={isEnded ? 'Delete run' : 'Stop run'}
        what={id}
        sure={isEnded ? 'You can no longer compare other runs with it.' : 'The run will be discarded.'}
        run={remove}
        key={state}
      />
    </p>
  );
}

/** The changes since another run: the chosen one, or by default the previous run of the same server. */
function Comparison({ run, runs, other }: { run: Run; runs: readonly Summary[]; other: string | null }) {
  const others = runs.filter(({ id, state, counts }) => id !== run.id && state === 'ended' && counts !== null);
  const before = runs.slice(runs.findIndex(({ id }) => id === run.id) + 1).map(({ id }) => id);
  const chosen =
    others.find(({ id }) => id === other) ??
    others.find(({ id, target }) => before.includes(id) && target.client_url === run.target.client_url);
  if (others.length === 0 || run.report === null) return null;
  const titles = others.map(({ id, target }) => [id, `${id}, ${target.client_url}`] as const);
  const options = [['', 'Choose a run'] as const, ...titles];
  const choose = (value: string) => go(withQuery({ run: run.id, with: value }), { replace: true });
  return (
    <Panel title="Compare runs">
      <div class="filters">
        <Choice name="with" label="Compare with" options={options} value={chosen?.id ?? ''} change={choose} grow />
      </div>
      {chosen && <Changes key={chosen.id} id={chosen.id} run={run} />}
    </Panel>
  );
}

function Changes({ id, run }: { id: string; run: Run }) {
  const { data, failure } = useRun(id);
  if (failure !== undefined) return <Problem failure={failure} />;
  if (data === undefined) return null;
  const { fixed, broken, other } = changesOf(data.verdicts, run.verdicts);
  if (fixed.length + broken.length + other.length === 0) return <p role="status">No changes since that run.</p>;
  const part = (title: string, changes: readonly Change[]) =>
    changes.length > 0 && (
      <>
        <h3>{title}</h3>
        <ul class="rows">
          {changes.map(({ verdict, before }) => (
            <Row key={verdict.id} title={verdict.id} detail={verdict.title}>
              <span class="quiet">
                {verdictNames[before]}, now {verdictNames[verdict.verdict]}
              </span>
            </Row>
          ))}
        </ul>
      </>
    );
  return [part('Fixed', fixed), part('Newly failing', broken), part('Other changes', other)];
}
