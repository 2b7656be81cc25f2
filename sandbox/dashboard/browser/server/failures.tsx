import type { Schemas } from '../api.ts';

import { placeOf, restsOn, Terms } from '../findings.tsx';
import { Code, Empty, Marked, Panel } from '../parts.tsx';

type Failure = Schemas['CertificationFailure'];

/** The failures of a certification in full. */
export function Failures({
  report: { failures, verdicts, outcome },
  left,
}: {
  report: Schemas['CertificationReport'];
  left: number;
}) {
  const titles = new Map(verdicts.map(({ id, title }) => [id, title]));
  if (failures.length === 0) {
    if (outcome === 'environment' || outcome === 'interrupted') return null;
    return (
      <Panel title="Failures">
        <Empty title="No failures">Requirements that were not checked are listed below with the reason.</Empty>
      </Panel>
    );
  }
  return (
    <Panel
      title="Failures"
      aside={<Causes failed={verdicts.filter(({ verdict }) => verdict === 'fail').length} causes={failures.length} />}
    >
      <ul class="finding-list failures">
        {failures.map((failure) => (
          <li key={failure.requirement}>
            <Shown failure={failure} title={titles.get(failure.requirement)} />
          </li>
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

/** The number of failed requirements and of distinct causes. */
function Causes({ failed, causes }: { failed: number; causes: number }) {
  return (
    <span class="quiet">
      {failed} failed{causes < failed && `, ${causes} ${causes === 1 ? 'cause' : 'causes'}`}
    </span>
  );
}

function Shown({ failure, title }: { failure: Failure; title: string | undefined }) {
  const { requirement, message, pointer, expected, actual, statement, change, again, exchanges, breaks } = failure;
  const last = exchanges.at(-1);
  return (
    <>
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
          {exchanges.map((exchange, at) => (
            <Exchange exchange={exchange} what={`call ${at + 1} of ${requirement}`} />
          ))}
        </details>
      )}
    </>
  );
}

function Exchange({
  exchange: { method, url, request_body, status, reply_body, problem },
  what,
}: {
  exchange: Schemas['CertificationExchange'];
  what: string;
}) {
  return (
    <>
      <p>
        <strong>{method}</strong> <code>{url}</code>: {status ?? problem}
      </p>
      {request_body !== null && request_body !== '' && <Code value={request_body} label={`Body sent in ${what}`} />}
      {reply_body !== null && reply_body !== '' && <Code value={reply_body} label={`Response to ${what}`} />}
    </>
  );
}
