import { type Cell as Count, columns, matrixOf, verdictNames } from '../../../certification/matrix.ts';
import { restsOn } from '../findings.tsx';
import { Marked, Panel, Row } from '../parts.tsx';
import type { Verdict } from './verdicts.ts';

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
  const heads = Object.values(columns);
  return (
    <div class="matrix" tabindex={0} role="region" aria-label="Verdicts by operation">
      <table>
        <thead>
          <tr>
            <th scope="col">Operation</th>
            {heads.map((head) => (
              <th scope="col">{head}</th>
            ))}
          </tr>
        </thead>
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
  const counted = of > 0 && (
    <>
      {' '}
      {passed}/{of}
    </>
  );
  return (
    <span class={`status ${styles[worst]}`}>
      {verdictNames[worst]}
      {counted}
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
          {verdicts.map(({ id, title, level, verdict, reason, basis }) => (
            <Row
              key={id}
              title={id}
              detail={
                <>
                  <Marked text={title} /> ({level}, {restsOn({ basis })})
                  {reason !== null && (
                    <>
                      . <Marked text={reason} />
                    </>
                  )}
                </>
              }
            >
              <span class={`status ${styles[verdict]}`}>{verdictNames[verdict]}</span>
            </Row>
          ))}
        </ul>
      </details>
    </Panel>
  );
}
