/** The report of a certification: verdicts by operation, failures, and all requirements. */
import { type Cell as Count, columns, matrixOf, verdictNames } from '../../../certification/matrix.ts';
import type { Schemas } from '../api.ts';
import { placeOf, restsOn, Terms } from '../findings.tsx';
import { Code, Empty, Marked, Panel, Row, TableHead } from '../parts.tsx';
import type { Verdict } from './verdicts.ts';

/** The failures of a certification in full. */
export function Failures({ report, left }: { report: Schemas['CertificationReport']; left: number }) {
  const { failures, verdicts, outcome } = report;
  const titles = new Map(verdicts.map(({ id, title }) => [id, title]));
  if (failures.length === 0) {
    if (outcome === 'environment' || outcome === 'interrupted') return null;
    return (
      <Panel title="Failures">
        <Empty title="No failures">Requirements that were not checked are listed below with the reason.</Empty>
      </Panel>
    );
  }
  const failed = verdicts.filter(({ verdict }) => verdict === 'fail').length;
  const causes = `, ${failures.length} ${failures.length === 1 ? 'cause' : 'causes'}`;
  const counts = <span class="quiet">{`${failed} failed${failures.length < failed ? causes : ''}`}</span>;
  return (
    <Panel title="Failures" aside={counts}>
      <ul class="finding-list failures">
        {failures.map((failure) => (
          <Shown key={failure.requirement} failure={failure} title={titles.get(failure.requirement)} />
        ))}
      </ul>
      {left > 0 && (
        <p class="quiet">
          {left} {left === 1 ? 'call was' : 'calls were'} left out to limit the size of the report.
        </p>
      )}
    </Panel>
  );
}

function Shown({ failure, title }: { failure: Schemas['CertificationFailure']; title: string | undefined }) {
  const { requirement, message, pointer, expected, actual, statement, change, again, exchanges, breaks } = failure;
  const last = exchanges.at(-1);
  return (
    <li>
      <h3>
        {requirement}: <Marked text={title ?? ''} />
      </h3>
      <p>
        <Marked text={message} />
      </p>
      <Terms
        terms={{
          Expected: expected,
          Actual: <code>{actual}</code>,
          Where: <code>{pointer}</code>,
          'Also violates': breaks.length > 0 && breaks.join(', '),
          Basis: restsOn({ basis: statement }),
          Contract: <code>{placeOf(failure)}</code>,
          Fix: (
            <strong>
              <Marked text={change} />
            </strong>
          ),
          'Re-run': <code>rewards-sandbox certify {again}</code>,
        }}
      />
      {last && <Code value={last.curl} label={`Call of ${requirement}`} />}
      {exchanges.length > 0 && (
        <details>
          <summary>
            {exchanges.length === 1 ? 'Show the call' : `All ${exchanges.length} calls`}
            <span class="unseen"> of {requirement}</span>
          </summary>
          {exchanges.map(({ method, url, request_body, status, reply_body, problem }, at) => (
            <>
              <p>
                <strong>{method}</strong> <code>{url}</code>: {status ?? problem}
              </p>
              {request_body && <Code value={request_body} label={`Body sent in call ${at + 1} of ${requirement}`} />}
              {reply_body && <Code value={reply_body} label={`Response to call ${at + 1} of ${requirement}`} />}
            </>
          ))}
        </details>
      )}
    </li>
  );
}

const styles = {
  pass: 'good',
  fail: 'bad',
  suite_error: 'warn',
  blocked: 'warn',
  not_applicable: 'none',
  not_selected: 'none',
} as const;

/** The verdicts of the tested operations. */
export function Matrix({ verdicts }: { verdicts: readonly Verdict[] }) {
  if (verdicts.length === 0) return null;
  return (
    <div class="matrix" tabindex={0} role="region" aria-label="Verdicts by operation">
      <table>
        <TableHead heads={['Operation', ...Object.values(columns)]} />
        <tbody>
          {matrixOf(verdicts).map(({ name, cells }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {Object.values(cells).map((cell) => (
                <td>
                  <Cell cell={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({ cell: { worst, passed, of } }: { cell: Count }) {
  if (worst === undefined)
    return (
      <span class="quiet">
        ·<span class="unseen">no requirements</span>
      </span>
    );
  return (
    <span class={`status ${styles[worst]}`}>
      {verdictNames[worst]}
      {of > 0 && ` ${passed}/${of}`}
    </span>
  );
}

/** All requirements with their verdicts. */
export function Requirements({ verdicts }: { verdicts: readonly Verdict[] }) {
  return (
    <Panel title="Requirements">
      <details>
        <summary>Show all {verdicts.length} requirements</summary>
        <ul class="rows">
          {verdicts.map((verdict) => (
            <Row key={verdict.id} title={verdict.id} detail={<About verdict={verdict} />}>
              <span class={`status ${styles[verdict.verdict]}`}>{verdictNames[verdict.verdict]}</span>
            </Row>
          ))}
        </ul>
      </details>
    </Panel>
  );
}

function About({ verdict: { title, level, reason, basis } }: { verdict: Verdict }) {
  return (
    <>
      <Marked text={title} /> ({level}, {restsOn({ basis })}){reason !== null && ['. ', <Marked text={reason} />]}
    </>
  );
}
