import type { Schemas } from '../api.ts';
import { amount, Facts, figure, Time } from '../figures.tsx';
import { Panel } from '../parts.tsx';
import { redemptionAddress } from '../route.ts';
import { ofBalance } from '../server/judging.ts';

type Difference = Schemas['BalanceDifference'];

/** The reasons why a balance cannot be verified. */
const reasons: Readonly<Record<NonNullable<Difference['reason']>, string>> = {
  unanswered: 'Your server has not responded to a change of this balance yet.',
  not_read: 'The balance has not been read since these changes. Check balances.',
  no_read_before: 'The balance was first read after these changes, so their effect is unknown.',
  pending: 'Points were refunded, but a redemption is Pending. Verification is possible once it has a final status.',
  unexplained: 'These changes do not explain the balance. Payments outside the sandbox may explain it.',
};

/** A customer's balance at the user's own server that differs or cannot be verified. */
export function Balance({ difference: found }: { difference: Difference }) {
  const { uid, kind, reason, difference, balance, read_at, changes } = found;
  const differs = kind === 'balance_differs';
  const badge = (
    <span class={`badge ${differs ? 'reversed' : 'stuck'}`}>{differs ? 'balance differs' : 'unknown'}</span>
  );
  return (
    <Panel title={uid} aside={badge}>
      <p>
        {reason === null ? 'The balance does not match your server’s own responses.' : reasons[reason]}{' '}
        {paid(difference)}
      </p>
      <Facts
        of={[
          ['Balance', balance === null ? 'not read yet' : amount(balance)],
          ['Read at', read_at !== null && <Time at={read_at} />],
        ]}
      />
      <h3>{differs ? 'Possible causes' : 'Unverified changes'}</h3>
      <ul>
        {changes.map(({ kind, reference, points, mistake }) => (
          <li>
            {kind === 'credit' ? <code>{reference}</code> : <a href={redemptionAddress(reference)}>{reference}</a>}{' '}
            {kind.replace('_', ' ')} of {amount(points)}
            {mistake !== null && `: ${ofBalance[mistake][1]}?`}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Describes the effect of a difference on the customer. */
export function paid(difference: number | null) {
  if (difference === null) return '';
  return `The customer paid ${amount(Math.abs(difference))} too ${difference > 0 ? 'much' : 'little'}.`;
}

/** Maximum number of entries drawn (the newest ones), and the drawing's width, height and margin. */
const most = 200;
const [wide, high, edge] = [100, 40, 2];

/** A chart of the balance after each ledger entry, oldest first. */
export function BalanceChart({ balances }: { balances: readonly number[] }) {
  const drawn = balances.slice(-most);
  if (drawn.length < 2) return undefined;
  const [lowest, highest] = [Math.min(...drawn), Math.max(...drawn)];
  // The axis starts at zero, so that heights are proportional to balances.
  const [bottom, top] = [Math.min(0, lowest), Math.max(1, highest)];
  const [from = 0, to = 0] = [drawn[0], drawn.at(-1)];
  const summary = `The balance over ${drawn.length} entries: from ${figure(from)} to ${figure(to)}, lowest ${figure(lowest)}, highest ${figure(highest)} points`;
  const y = (balance: number) => round(high - edge - ((balance - bottom) / (top - bottom)) * (high - 2 * edge));
  const x = (index: number) => round((index / drawn.length) * wide);
  const steps = drawn.map((balance, index) => `V${y(balance)}H${x(index + 1)}`).join('');
  const line = `M0 ${y(from)}${steps}`;
  return (
    <figure class="balance-chart">
      <div class="plot">
        <div class="axis" aria-hidden="true">
          <span>{figure(top)}</span>
          <span>{figure(bottom)}</span>
        </div>
        <svg viewBox={`0 0 ${wide} ${high}`} preserveAspectRatio="none" role="img" aria-label={summary}>
          <path class="below" d={`${line}V${y(0)}H0Z`} />
          <path class="line" d={line} />
        </svg>
      </div>
      <figcaption class="quiet">
        Balance in points after each of {drawn.length === balances.length ? 'the' : 'the last'} {drawn.length} entries,
        oldest first. Lowest {figure(lowest)}, highest {figure(highest)}.
      </figcaption>
    </figure>
  );
}

function round(place: number) {
  return Math.round(place * 100) / 100;
}
