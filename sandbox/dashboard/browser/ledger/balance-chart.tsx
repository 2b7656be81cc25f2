/** A customer's balance, drawn from zero: a step for each entry of the ledger. */
import { figure } from '../figures.tsx';

/** The newest entries that are drawn, and the size that they are drawn in. */
const most = 200;
const [wide, high, edge] = [100, 40, 2];

/** The balance after each ledger entry, oldest first. */
export function BalanceChart({ balances }: { balances: readonly number[] }) {
  const drawn = balances.slice(-most);
  if (drawn.length < 2) return undefined;
  const [lowest, highest] = [Math.min(...drawn), Math.max(...drawn)];
  // The axis begins at zero, so that heights compare as the balances do.
  const [bottom, top] = [Math.min(0, lowest), Math.max(1, highest)];
  const [from = 0, to = 0] = [drawn[0], drawn.at(-1)];
  const summary = `The balance over ${drawn.length} entries: from ${figure(from)} to ${figure(to)}, lowest ${figure(lowest)}, highest ${figure(highest)} points`;
  const y = (balance: number) => {
    const share = (balance - bottom) / (top - bottom);
    return round(high - edge - share * (high - 2 * edge));
  };
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
