// @ts-check
/** Whether the server is right: a run of the certification, those before it, and what changed in between. */
import { useEffect } from 'preact/hooks';
import { api, ask } from '../api.js';
import { Choice, Twice } from '../forms.js';
import { html } from '../html.js';
import { tell, useFresh } from '../live.js';
import { Empty, Panel, Problem } from '../parts.js';
import { go, withQuery } from '../route.js';
import { When } from '../times.js';
import { CertifyForm } from './certify-form.js';
import { Failures } from './failures.js';
import { Matrix, Requirements } from './matrix.js';
import { changesOf, unjudgedOf, verdictNames } from './verdicts.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['Certification']} Run
 * @typedef {Schemas['CertificationSummary']} Summary
 */

/** Real milliseconds between two looks at a run. */
const pause = 700;

export const outcomes = /** @type {const} */ ({
  passed: ['good', 'passed'],
  partial: ['warn', 'partial'],
  failed: ['bad', 'failed'],
  interrupted: ['none', 'stopped early'],
  environment: ['warn', 'could not start'],
  suite_error: ['warn', 'suite error'],
});

/** @param {{ query: URLSearchParams, workspace: Schemas['Workspace'] }} given */
export function Certification({ query, workspace }) {
  const { data, failure } = useFresh(() => ask(api.GET('/certifications')), []);
  const runs = data?.items ?? [];
  const shown = runs.find(({ id }) => id === query.get('run')) ?? runs[0];
  const runsNow = runs.some(({ state }) => state !== 'ended');
  useEffect(() => {
    if (!runsNow) return undefined;
    const timer = setInterval(tell, pause);
    return () => clearInterval(timer);
  }, [runsNow]);
  return html`
    ${failure && html`<${Problem} failure=${failure} />`}
    <div class="columns">
      <${Panel} title="Run the certification">
        <p class="quiet">Calls your server as the platform and the microsite do, and checks each requirement. The run restores every balance it changes.</p>
        <${CertifyForm} workspace=${workspace} />
      <//>
      <${Panel} title="Runs">
        ${data !== undefined && runs.length === 0 && html`<${Empty} title="No certification runs yet">Start your server, enter a customer of yours with at least 5,000 points, and run the certification.<//>`}
        <ul class="rows">
          ${runs.map((run) => html`<li key=${run.id}><${Line} run=${run} current=${run.id === shown?.id} /></li>`)}
        </ul>
      <//>
    </div>
    ${shown && html`<${Shown} key=${shown.id} id=${shown.id} runs=${runs} other=${query.get('with')} />`}
  `;
}

/** @param {{ run: Pick<Summary, 'state' | 'outcome'> }} given */
function Outcome({ run: { state, outcome } }) {
  const [style, word] = state === 'ended' && outcome !== null ? outcomes[outcome] : ['warn', state];
  return html`<span class=${`status ${style}`}>${word}</span>`;
}

/** @param {{ run: Summary, current: boolean }} given */
function Line({ run, current }) {
  const { id, target, started_at, counts } = run;
  return html`
    <a class="row" href=${withQuery({ run: id, with: undefined })} aria-current=${current ? 'true' : undefined}>
      <span class="what">
        <strong>${id}</strong>
        <span class="quiet">${target.client_url}, <${When} at=${started_at} /></span>
      </span>
      ${counts && html`<span class="quiet">${counts.pass} passed, ${counts.fail} failed</span>`}
      <${Outcome} run=${run} />
    </a>
  `;
}

/** @param {{ id: string, runs: readonly Summary[], other: string | null }} given */
function Shown({ id, runs, other }) {
  const { data: run, failure } = useFresh(
    () => ask(api.GET('/certifications/{id}', { params: { path: { id } } })),
    [id],
  );
  if (failure !== undefined && run === undefined) return html`<${Problem} failure=${failure} />`;
  if (run === undefined) return html`<p class="quiet" role="status">Loading ${id}</p>`;
  return html`
    <${Panel} title=${`Run ${id}`} aside=${html`<${Outcome} run=${run} />`}>
      <${Progress} run=${run} />
      <${Matrix} verdicts=${run.verdicts} />
      ${run.report && html`<${Unjudged} verdicts=${run.report.verdicts} />`}
      <${Ways} run=${run} />
    <//>
    ${run.report && html`<${Failures} report=${run.report} left=${run.exchanges_left_out} />`}
    ${run.state === 'ended' && html`<${Comparison} run=${run} runs=${runs} other=${other} />`}
    ${run.verdicts.length > 0 && html`<${Requirements} verdicts=${run.verdicts} />`}
  `;
}

/** @param {{ run: Run }} given */
function Progress({ run: { state, position, done, of, report, problem } }) {
  if (state === 'queued')
    return html`<p role="status">Queued behind runs of other workspaces: position ${position}.</p>`;
  if (state === 'running') {
    return html`
      <p role="status">${of === null ? 'Preparing: this takes a few seconds.' : `${done} of ${of} requirements checked.`}</p>
      <progress max=${of ?? 1} value=${of === null ? undefined : done} aria-label="Requirements checked"></progress>
    `;
  }
  if (report === null) return html`<p class="notice bad">${problem}</p>`;
  const { counts, coverage, books, calls, outcome } = report;
  const balances = { even: 'restored', uneven: 'not restored', unknown: 'not verified' }[books];
  return html`
    ${report.problem !== null && html`<p class="notice bad">${report.problem}</p>`}
    ${outcome === 'partial' && html`<p class="notice warn">Partial: ${coverage.mandatory.judged} of ${coverage.mandatory.of} mandatory requirements were checked.</p>`}
    <p role="status">${counts.pass} passed, ${counts.fail} failed, ${counts.blocked} blocked, ${counts.not_selected} not checked, ${counts.not_applicable} not applicable${counts.suite_error > 0 && `, ${counts.suite_error} suite ${counts.suite_error === 1 ? 'error' : 'errors'}`}. ${calls} calls; balances ${balances}.</p>
  `;
}

/**
 * The mandatory requirements that were not judged, by what `certify` needs to be given for them.
 * @param {{ verdicts: Run['verdicts'] }} given
 */
function Unjudged({ verdicts }) {
  const options = unjudgedOf(verdicts);
  if (options.length === 0) return null;
  const count = options.reduce((sum, { ids }) => sum + ids.length, 0);
  return html`
    <details>
      <summary>${count} mandatory ${count === 1 ? 'requirement was' : 'requirements were'} not checked</summary>
      <p class="quiet">Each option of <code>certify</code> enables these:</p>
      <ul class="quiet">${options.map(({ option, ids }) => html`<li key=${option}><code>${option}</code>: ${ids.join(', ')}</li>`)}</ul>
    </details>
  `;
}

/** @param {{ run: Run }} given */
function Ways({ run: { id, state } }) {
  const remove = async () => {
    await ask(api.DELETE('/certifications/{id}', { params: { path: { id } } }));
    go(withQuery({ run: undefined, with: undefined }), { replace: true });
  };
  return state !== 'ended'
    ? html`<p class="ways"><${Twice} label="Stop run" what=${id} sure="The run will be discarded." run=${remove} /></p>`
    : html`<p class="ways"><${Twice} label="Delete run" what=${id} sure="You can no longer compare other runs with it." run=${remove} /></p>`;
}

/**
 * What changed since another run: the one that is chosen, else the one before of the same server.
 * @param {{ run: Run, runs: readonly Summary[], other: string | null }} given
 */
function Comparison({ run, runs, other }) {
  const others = runs.filter(({ id, state, counts }) => id !== run.id && state === 'ended' && counts !== null);
  const before = runs.slice(runs.findIndex(({ id }) => id === run.id) + 1).map(({ id }) => id);
  const chosen =
    others.find(({ id }) => id === other) ??
    others.find(({ id, target }) => before.includes(id) && target.client_url === run.target.client_url);
  if (others.length === 0 || run.report === null) return null;
  /** @type {readonly (readonly [string, string])[]} */
  const options = [
    ['', 'Choose a run'],
    ...others.map(({ id, target }) => /** @type {const} */ ([id, `${id}, ${target.client_url}`])),
  ];
  /** @param {string} value */
  const choose = (value) => go(withQuery({ run: run.id, with: value }), { replace: true });
  return html`
    <${Panel} title="Compare runs">
      <div class="filters"><${Choice} name="with" label="Compare with" options=${options} value=${chosen?.id ?? ''} change=${choose} grow /></div>
      ${chosen && html`<${Changes} key=${chosen.id} id=${chosen.id} run=${run} />`}
    <//>
  `;
}

/** @param {{ id: string, run: Run }} given */
function Changes({ id, run }) {
  const { data, failure } = useFresh(() => ask(api.GET('/certifications/{id}', { params: { path: { id } } })), [id]);
  if (failure !== undefined) return html`<${Problem} failure=${failure} />`;
  if (data === undefined) return null;
  const { fixed, broken, other } = changesOf(data.verdicts, run.verdicts);
  if (fixed.length + broken.length + other.length === 0) return html`<p role="status">No changes since that run.</p>`;
  /** @param {string} title @param {readonly import('./verdicts.js').Change[]} changes */
  const part = (title, changes) =>
    changes.length > 0 &&
    html`
      <h3>${title}</h3>
      <ul class="rows">
        ${changes.map(
          ({ verdict, before }) => html`
            <li class="row" key=${verdict.id}>
              <span class="what"><strong>${verdict.id}</strong><span class="quiet">${verdict.title}</span></span>
              <span class="quiet">${verdictNames[before]}, now ${verdictNames[verdict.verdict]}</span>
            </li>
          `,
        )}
      </ul>
    `;
  return html`${part('Fixed', fixed)}${part('Newly failing', broken)}${part('Other changes', other)}`;
}
