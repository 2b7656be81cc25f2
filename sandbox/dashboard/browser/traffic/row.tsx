import { isCall } from '../calls.ts';
import { length, lengthShare, sizeOf, Time } from '../figures.tsx';
import type { CallEntry } from '../live.ts';
import { Status } from '../parts.tsx';
import { go, withQuery } from '../route.ts';
import type { Line, Row as Positioned } from './lines.ts';

/** Descriptions of the origins of calls from outside the sandbox. */
const outside: Readonly<Record<string, string>> = {
  machine: 'this machine',
  network: 'another machine',
  forwarded: 'a proxy',
};

/** The column headers. Screen readers hear them with each row instead. */
export function Heads() {
  return (
    <div class="line heads" aria-hidden="true">
      <span>Time</span>
      <span>Method</span>
      <span>Call or change</span>
      <span>Between</span>
      <span title="Sandbox time: the duration of a call; for a change, the time since the previous step (+)">
        Duration
      </span>
      <span>Size</span>
      <span>Status</span>
    </div>
  );
}

interface RowProps {
  line: Positioned;
  tab: 0 | -1;
  chosen: boolean;
  breaks: boolean;
}

/** A call with both ends, or a state change, as a line that opens its details. */
export function Row({ line, tab, chosen, breaks }: RowProps) {
  const { entry, caller, at, begins } = line;
  const about = [entry.uid, ...(caller ?? entry).redeem_codes].filter(Boolean).join(' ');
  const call = isCall(entry);
  return (
    <a
      class={`row line ${call ? 'call' : 'change'}`}
      href={addressOf(line.key)}
      tabindex={tab}
      onClick={open}
      aria-current={chosen ? 'true' : undefined}
    >
      <span class="when">
        <Time at={at} precise />
      </span>
      <span class="method">{call ? entry.method : 'change'}</span>
      <span class={begins || line.first ? 'what' : 'what within'}>
        <strong>{call ? (entry.operation ?? entry.url) : entry.event}</strong>{' '}
        {breaks && [<span class="badge reversed">violation</span>, ' ']}
        <span class="quiet" title={about}>
          {about}
        </span>
      </span>
      <span class="between">{between(line)}</span>
      <Took line={line} />
      <span class="size">{call && sizeOf(entry.reply)}</span>
      <span class="ends">{call && <Ends call={entry} caller={caller} />}</span>
    </a>
  );
}

/** The outcome of a call. If the two ends saw different outcomes, both are shown. */
export function Ends({ call, caller }: { call: CallEntry; caller: CallEntry | undefined }) {
  if (caller === undefined || caller.status === call.status) return <Status status={call.status} />;
  const separator = <span class="unseen"> sent, the caller saw </span>;
  return [<Status status={call.status} />, separator, <Status status={caller.status} />];
}

function Took({ line: { entry, took, since } }: { line: Line }) {
  // An immediate state change needs no duration.
  if (took === undefined || (took === 0 && entry.kind === 'state')) return <span class="took" />;
  return (
    <span class="took">
      <svg class="latency" aria-hidden="true">
        <rect class="track" width="100%" height="100%" rx="2" />
        <rect width={`${lengthShare(took)}%`} height="100%" rx="2" />
      </svg>
      <span>
        {since ? '+' : ''}
        {length(took)}
      </span>
    </span>
  );
}

/** Returns the caller and the callee of a call, or the party of a state change. */
export function between({ entry, caller }: Line) {
  if (!isCall(entry)) return entry.party;
  const isParty = caller !== undefined || entry.kind === 'call_out' || entry.caller === 'sandbox';
  const origin = entry.party === 'platform' ? 'client' : 'platform';
  return `${isParty ? origin : (outside[entry.caller ?? ''] ?? 'unknown')} → ${entry.party}`;
}

/** Returns the address that opens an entry of the traffic. */
export function addressOf(seq: number) {
  return withQuery({ seq, edit: undefined });
}

/** Opens an entry. If it opens next to the list, the scroll position stays the same. */
function open(event: MouseEvent & { currentTarget: HTMLAnchorElement }) {
  const other = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (other || !matchMedia('(min-width: 60rem)').matches) return;
  event.preventDefault();
  go(event.currentTarget.href, { stay: true });
}
