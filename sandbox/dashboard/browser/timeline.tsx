import { Time } from './figures.tsx';
import { Status } from './parts.tsx';
import type { Lane, Step } from './step-words.ts';
import { type Redemption, stepsOf } from './steps.ts';

const titles = { client: 'Client', platform: 'Platform', vendor: 'Vendor', webhook: 'Webhook' } as const;

/** Distance of arrows and marks from the top of a row, in pixels. */
const height = 20;

/** A sequence diagram of the calls and their effects, with a sentence next to each row. */
export function Timeline({ redemption }: { redemption: Redemption }) {
  const steps = stepsOf(redemption);
  const hasWebhook = steps.some(({ from, to }) => from === 'webhook' || to === 'webhook');
  const lanes = (Object.keys(titles) as Lane[]).filter((lane) => lane !== 'webhook' || hasWebhook);
  return (
    <div class={hasWebhook ? 'sequence four' : 'sequence'}>
      <div class="lanes" aria-hidden="true">
        {lanes.map((lane) => (
          <span>{titles[lane]}</span>
        ))}
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step.key} class={`step ${step.kind}${step.bad ? ' bad' : ''}`}>
            <Drawing step={step} lanes={lanes} />
            {step.kind === 'gap' ? <p class="quiet">{step.name}</p> : <Sentence step={step} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

/** The text of a row. It contains all information for users who cannot see the drawing. */
function Sentence({ step: { kind, at, seq, lead, name, tail, status, attempt } }: { step: Step }) {
  const beforeStatus = kind === 'answer' ? 'with ' : 'response ';
  return (
    <>
      <span class="quiet">
        <Time at={at} precise />
      </span>
      <p>
        {lead}{' '}
        <a href={`/dashboard/traffic?seq=${seq}`}>
          <strong>{name}</strong>
        </a>
        {status !== undefined && [`, ${status === null ? '' : beforeStatus}`, <Status status={status} />]}
        {tail !== undefined && `, ${tail}`}
        {attempt !== undefined && [' ', <span class="badge">attempt {attempt}</span>]}
      </p>
    </>
  );
}

/** A row of the drawing: all lifelines with an arrow, a dot for a state change, or a diamond for a ledger entry. */
function Drawing({ step, lanes }: { step: Step; lanes: readonly Lane[] }) {
  const { kind, from, to, lane, attempt } = step;
  const place = (one: Lane) => `${((lanes.indexOf(one) + 0.5) / lanes.length) * 100}%`;
  return (
    <span class="stage">
      <svg class="drawing" aria-hidden="true">
        {lanes.map((one) => (
          <line class="life" x1={place(one)} x2={place(one)} y1="0" y2="100%" />
        ))}
        {kind === 'control' && <line class="arrow" x1="0" x2="100%" y1={height} y2={height} />}
        {from !== undefined && to !== undefined && (
          <Arrow step={step} from={place(from)} to={place(to)} right={lanes.indexOf(to) > lanes.indexOf(from)} />
        )}
        {lane !== undefined && (
          <svg class="mark" x={place(lane)} y={height}>
            {kind === 'booking' ? <path d="M0 -8 L8 0 L0 8 L-8 0 Z" /> : <circle r="6" />}
          </svg>
        )}
        {attempt !== undefined && from !== undefined && (
          <svg class="again" x={place(from)} y={height}>
            <circle r="9" />
            <text text-anchor="middle" y="4">
              {attempt}
            </text>
          </svg>
        )}
      </svg>
    </span>
  );
}

/** An arrow with its head. If there was no reply, a cross follows the head. */
function Arrow({ step: { kind, status }, from, to, right }: { step: Step; from: string; to: string; right: boolean }) {
  const back = right ? -1 : 1;
  const isDashed = kind === 'answer' || status === null;
  return (
    <>
      <line class={isDashed ? 'arrow dashed' : 'arrow'} x1={from} x2={to} y1={height} y2={height} />
      <svg class="head" x={to} y={height}>
        <path d={`M0 0 L${back * 10} -5 L${back * 10} 5 Z`} />
        {status === null && <path class="cross" d={`M${back * 14 - 4} -4 l8 8 m0 -8 l-8 8`} />}
      </svg>
    </>
  );
}
