// @ts-check
import { restsOn } from '../findings.js';
import { html } from '../html.js';
import { Panel } from '../parts.js';
import { columns, matrixOf, verdictNames } from './verdicts.js';

/** @typedef {import('./verdicts.js').Verdict} Verdict */

const styles = /** @type {const} */ ({
  pass: 'good',
  fail: 'bad',
  suite_error: 'warn',
  blocked: 'warn',
  not_applicable: 'none',
  not_selected: 'none',
});

/**
 * What each operation does right, as far as it was judged.
 * @param {{ verdicts: readonly Verdict[] }} given
 */
export function Matrix({ verdicts }) {
  if (verdicts.length === 0) return null;
  const heads = Object.values(columns);
  return html`
    <div class="matrix" tabindex="0" role="region" aria-label="Verdicts by operation">
      <table>
        <thead><tr><th scope="col">Operation</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
        <tbody>
          ${matrixOf(verdicts).map(
            ({ name, cells }) => html`
              <tr key=${name}>
                <th scope="row">${name}</th>
                ${Object.values(cells).map((cell) => html`<td><${Cell} cell=${cell} /></td>`)}
              </tr>
            `,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {{ cell: import('./verdicts.js').Cell }} given */
function Cell({ cell: { worst, passed, of } }) {
  if (worst === undefined) return html`<span class="quiet">·<span class="unseen">no requirements</span></span>`;
  const counted = of > 0 && html` ${passed}/${of}`;
  return html`<span class=${`status ${styles[worst]}`}>${verdictNames[worst]}${counted}</span>`;
}

/**
 * Every requirement with what it came to.
 * @param {{ verdicts: readonly Verdict[] }} given
 */
export function Requirements({ verdicts }) {
  return html`
    <${Panel} title="Requirements">
      <details>
        <summary>Show all ${verdicts.length} requirements</summary>
        <ul class="rows">
          ${verdicts.map(
            ({ id, title, level, verdict, reason, basis }) => html`
              <li class="row" key=${id}>
                <span class="what">
                  <strong>${id}</strong>
                  <span class="quiet">${title} (${level}, ${restsOn({ basis })})${reason !== null && html`. ${reason}`}</span>
                </span>
                <span class=${`status ${styles[verdict]}`}>${verdictNames[verdict]}</span>
              </li>
            `,
          )}
        </ul>
      </details>
    <//>
  `;
}
