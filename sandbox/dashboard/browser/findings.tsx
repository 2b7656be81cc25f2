/** Contract violations in the traffic. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { api, ask, type Schemas } from './api.ts';
import { figure } from './figures.tsx';
import { kindsOf } from './kinds.ts';
import { type CallEntry, type Entry, useFresh } from './live.ts';
import { Empty, Note, Panel, Problem, Row } from './parts.tsx';

export type Finding = Schemas['Finding'];

/** Maximum duration of a check, in seconds of real time. The first check loads the contracts. */
const patience = 20;

/** Maximum number of kinds of findings on the overview. */
const most = 10;

/** Contract violations, grouped by kind, newest first. */
export function Findings({ summary }: { summary: Schemas['ActivitySummary'] }) {
  const { data, failure } = useFresh(() => readFindings(), []);
  const { calls, violating } = summary.validated;
  const status = `${figure(calls - violating)} of ${figure(calls)} calls with messages as specified`;
  return (
    <Panel title="Contract violations" status={calls > 0 && status}>
      {failure && <Problem failure={failure} />}
      {data === undefined ? <div class="waiting" /> : <Kinds found={data} />}
    </Panel>
  );
}

function readFindings(filter: { trace?: string } = {}) {
  return ask(api.GET('/findings', { params: { query: { ...filter, wait: patience } } }));
}

function Kinds({ found: { items, newest, unchecked } }: { found: Schemas['FindingList'] }) {
  if (items.length === 0) {
    if (newest === 0) return <Empty title="Nothing to check yet">Every call is validated against its contract.</Empty>;
    return (
      <>
        <p>
          <span class="status good">messages as specified</span> No violations so far. Points are compared under{' '}
          <a href="/dashboard/ledger?view=reconciliation">Reconciliation</a>.
        </p>
        {unchecked > 0 && (
          <p class="quiet">
            {unchecked} {unchecked === 1 ? 'call was' : 'calls were'} checked only in part: a body was too large or was
            never read.
          </p>
        )}
      </>
    );
  }
  const kinds = kindsOf(items).slice(0, most);
  return (
    <ul class="rows">
      {kinds.map(({ finding, count }) => (
        <Row
          href={`/dashboard/traffic?seq=${finding.seq}&tab=findings`}
          title={finding.operation ?? `${finding.method} ${finding.url}`}
          detail={`${finding.pointer}: ${finding.expected}`}
          before={[<Weight finding={finding} />, <span class="status none">{blamed(finding)}</span>]}
        >
          {count > 1 && <span class="quiet">{figure(count)} times</span>}
        </Row>
      ))}
    </ul>
  );
}

/** Returns a predicate that tests whether an entry's call violates a contract. */
export function useBreaking() {
  const { data } = useFresh(() => readFindings(), []);
  return useMemo(() => {
    const found = new Set(data?.items.map(({ seq }) => seq));
    return (entry: Entry) => found.has(entry.seq);
  }, [data]);
}

/**
 * Returns the contract violations of one call; `undefined` while loading. `caller` is the entry of the other end, if
 * logged. A call is checked once, so its findings can belong to either entry.
 */
export function useFindingsOf(call: CallEntry, caller: CallEntry | undefined) {
  const { data, failure } = useFresh(() => readFindings({ trace: call.trace }), [call.seq]);
  const found = data?.items.filter(({ seq }) => seq === call.seq || seq === caller?.seq);
  return { found, failure, behind: data !== undefined && data.checked_to < call.seq };
}

/** The contract violations of one call, with references to the contract. */
export function FindingsOf({ call, judged }: { call: CallEntry; judged: ReturnType<typeof useFindingsOf> }) {
  const { found, failure, behind } = judged;
  if (failure !== undefined) return <Problem failure={failure} />;
  if (found === undefined) return <Note>Checking the call against its contract</Note>;
  if (found.length === 0) {
    if (call.operation === null) return <p class="quiet">No contract describes this call.</p>;
    if (behind) return <p class="quiet">Not checked yet.</p>;
    return (
      <p>
        <span class="status good">messages as specified</span>
      </p>
    );
  }
  return [<h3>Contract violations</h3>, <FindingList findings={found} />];
}

/** Findings in full. Those of a whole recording include the responsible party and the line of the contract. */
export function FindingList({ findings }: { findings: readonly (Finding | Schemas['CallFinding'])[] }) {
  return (
    <ul class="finding-list">
      {findings.map((finding) => (
        <li>
          <p>
            <Weight finding={finding} /> {'seq' in finding && [<span class="status none">{blamed(finding)}</span>, ' ']}
            <code>{finding.pointer}</code>
          </p>
          <Terms
            terms={{
              Basis: restsOn(finding),
              Expected: finding.expected,
              Actual: <code>{finding.actual}</code>,
              Contract: 'seq' in finding && <code>{placeOf(finding)}</code>,
            }}
          />
        </li>
      ))}
    </ul>
  );
}

/** Terms with their descriptions, except those without one. */
export function Terms({ terms }: { terms: Readonly<Record<string, ComponentChildren>> }) {
  return (
    <dl>
      {Object.entries(terms).flatMap(([term, description]) =>
        description === false ? [] : [<dt>{term}</dt>, <dd>{description}</dd>],
      )}
    </dl>
  );
}

/** Returns the file and line of a contract. */
export function placeOf({ contract }: { contract: { file: string; line: number } }) {
  return `${contract.file}:${contract.line}`;
}

/** The severity of a finding, as a word and a colour. */
function Weight({ finding: { severity } }: { finding: Pick<Finding, 'severity'> }) {
  if (severity === 'error') return <span class="status bad">violates the interface</span>;
  return <span class="status warn">violates an assumption</span>;
}

/** The basis of a finding, with a link to its source. */
export function restsOn({ basis }: Pick<Finding, 'basis'>) {
  const stated = basis.startsWith('stated ');
  const ids = basis.replace('stated ', '').split(' ');
  const page = stated ? '/docs/interface' : '/docs/open-points';
  return (
    <>
      {stated ? 'stated by the interface' : 'assumed by this sandbox'}:
      {ids.flatMap((id) => [' ', <a href={`${page}#${id.toLowerCase()}`}>{id}</a>])}
    </>
  );
}

function blamed({ party, hosted_by }: Finding) {
  return party === 'caller' ? 'caller' : hosted_by;
}
