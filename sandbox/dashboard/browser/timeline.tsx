// @ts-check
import { html } from './html.js';
import { Status } from './parts.js';
import { stepsOf } from './steps.js';
import { Time } from './times.js';

/**
 * @typedef {import('./step-words.js').Step} Step
 * @typedef {import('./step-words.js').Lane} Lane
 */

/** @type {readonly (readonly [Lane, string])[]} */
const titles = [
  ['client', 'Client'],
  ['platform', 'Platform'],
  ['vendor', 'Vendor'],
  ['webhook', 'Webhook'],
];

/** How far below the top of a row arrows and marks stand. */
const height = 20;

/**
 * Who called whom, when and with what effect, drawn row by row with a sentence beside each.
 * @param {{ redemption: import('./steps.js').Redemption }} given
 */
export function Timeline({ redemption }) {
  const steps = stepsOf(redemption);
  const hasWebhook = steps.some(({ from, to }) => from === 'webhook' || to === 'webhook');
  const lanes = titles.filter(([lane]) => lane !== 'webhook' || hasWebhook);
  return html`
    <div class=${hasWebhook ? 'sequence four' : 'sequence'}>
      <div class="lanes" aria-hidden="true">${lanes.map(([, title]) => html`<span>${title}</span>`)}</div>
      <ol>
        ${steps.map(
          (step) => html`
            <li key=${step.key} class=${`step ${step.kind}${step.bad ? ' bad' : ''}`}>
              <${Drawing} step=${step} lanes=${lanes.map(([lane]) => lane)} />
              ${step.kind === 'gap' ? html`<p class="quiet">${step.name}</p>` : html`<${Sentence} step=${step} />`}
            </li>
          `,
        )}
      </ol>
    </div>
  `;
}

/**
 * What a row says, which is all of it for those who do not see the drawing.
 * @param {{ step: Step }} given
 */
function Sentence({ step: { kind, at, seq, lead, name, tail, status, attempt } }) {
  return html`
    <span class="quiet"><${Time} at=${at} precise /></span>
    <p>
      ${lead} <a href=${`/dashboard/traffic?seq=${seq}`}><strong>${name}</strong></a>
      ${status !== undefined && html`, ${status !== null && (kind === 'answer' ? 'with ' : 'response ')}<${Status} status=${status} />`}
      ${tail !== undefined && `, ${tail}`}
      ${attempt !== undefined && html` <span class="badge">attempt ${attempt}</span>`}
    </p>
  `;
}

/**
 * A row of the drawing: the life lines of all, and on them an arrow or a mark.
 * @param {{ step: Step, lanes: readonly Lane[] }} given
 */
function Drawing({ step, lanes }) {
  const { kind, from, to, lane, attempt } = step;
  /** @param {Lane} one */
  const place = (one) => `${((lanes.indexOf(one) + 0.5) / lanes.length) * 100}%`;
  return html`
    <span class="stage"><svg class="drawing" aria-hidden="true">
      ${lanes.map((one) => html`<line class="life" x1=${place(one)} x2=${place(one)} y1="0" y2="100%" />`)}
      ${kind === 'control' && html`<line class="arrow" x1="0" x2="100%" y1=${height} y2=${height} />`}
      ${from !== undefined && to !== undefined && html`<${Arrow} step=${step} from=${place(from)} to=${place(to)} right=${lanes.indexOf(to) > lanes.indexOf(from)} />`}
      ${lane !== undefined && html`<svg class="mark" x=${place(lane)} y=${height}><${Mark} kind=${kind} /></svg>`}
      ${
        attempt !== undefined &&
        from !== undefined &&
        html`<svg class="again" x=${place(from)} y=${height}><circle r="9" /><text text-anchor="middle" y="4">${attempt}</text></svg>`
      }
    </svg></span>
  `;
}

/**
 * An arrow with its head; where no reply came, a cross stands behind the head.
 * @param {{ step: Step, from: string, to: string, right: boolean }} given
 */
function Arrow({ step: { kind, status }, from, to, right }) {
  const back = right ? -1 : 1;
  return html`
    <line class=${kind === 'answer' || status === null ? 'arrow dashed' : 'arrow'} x1=${from} x2=${to} y1=${height} y2=${height} />
    <svg class="head" x=${to} y=${height}>
      <path d=${`M0 0 L${back * 10} -5 L${back * 10} 5 Z`} />
      ${status === null && html`<path class="cross" d=${`M${back * 14 - 4} -4 l8 8 m0 -8 l-8 8`} />`}
    </svg>
  `;
}

/** A change of state is a dot, an entry of the ledger a diamond. @param {{ kind: Step['kind'] }} given */
function Mark({ kind }) {
  return kind === 'booking' ? html`<path d="M0 -8 L8 0 L0 8 L-8 0 Z" />` : html`<circle r="6" />`;
}
