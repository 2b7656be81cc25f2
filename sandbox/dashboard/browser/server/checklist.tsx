import { allOf, api, type Schemas } from '../api.ts';
import { curl, type HostedOperation, useOperations } from '../calls.ts';
import { dateTime, figure, Time } from '../figures.tsx';
import { FindingList } from '../findings.tsx';
import { Action } from '../forms.tsx';
import { type CallEntry, readAll, useFeed, useFresh } from '../live.ts';
import { Copy, Panel, What } from '../parts.tsx';
import { go, withQuery } from '../route.ts';
import { attempts } from './attempts.ts';
import { callsTo, type Judged, judge, type Mismatch, mismatchesOf, type State } from './judging.ts';

type Workspace = Schemas['Workspace'];

const sets = [
  ['client', 'Redemption'],
  ['auth', 'Sign-in'],
  ['v2-client', 'Version 2.0'],
] as const;

const words = {
  never: ['none', 'never called'],
  faulted: ['none', 'called with faults only'],
  conforms: ['good', 'messages as specified'],
  refused: ['warn', 'refused'],
  differs: ['warn', 'violates an assumption'],
  deviates: ['bad', 'violates the contract'],
  failed: ['bad', 'failed'],
} as Readonly<Record<State, readonly [style: string, word: string]>>;

/** The client operations that the platform and the microsite need, with their status. */
export function Checklist({ workspace, uid }: { workspace: Workspace; uid: string }) {
  const { entries, partial } = useFeed();
  const operations = useOperations().filter(({ hosted_by }) => hosted_by === 'client');
  const { here, elsewhere } = callsTo(entries, operations, workspace);
  const rows = operations.map((operation) => ({
    operation,
    judged: judge(here.filter((call) => call.operation === operation.operation)),
  }));
  const green = rows.filter(({ judged }) => judged.state === 'conforms').length;
  const rowsOf = (api: string) => rows.filter(({ operation }) => operation.api === api);
  // Use only balances that were already read: this page sends no calls to the user's own server.
  const { data: differences } = useFresh(
    () => allOf((query) => api.GET('/reconciliation', { params: { query: { ...query, balances: 'known' } } })),
    [],
  );
  const mismatches = mismatchesOf(differences ?? []);
  const change = ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
    go(withQuery({ uid: value.trim() }), { replace: true });
  return (
    <Panel title="Operations that you host" status={`${green} of ${rows.length} with messages as specified`}>
      <p class="quiet">
        Statuses cover messages, not points. <a href="/dashboard/ledger?view=reconciliation">Reconciliation</a> compares
        points
        {differences && `: ${differences.length === 0 ? 'no known mismatches' : `${differences.length} to review`}`}.
      </p>
      <label class="field test-customer">
        <span>Test customer</span>
        <input name="uid" autocomplete="off" value={uid} onInput={change} />
      </label>
      {sets.map(([api, title]) => (
        <>
          <h3>{title}</h3>
          <ul class="rows checklist">
            {rowsOf(api).map((row) => (
              <li key={row.operation.operation}>
                <Row {...row} mismatches={mismatches.get(row.operation.operation)} workspace={workspace} uid={uid} />
              </li>
            ))}
          </ul>
        </>
      ))}
      {elsewhere > 0 && (
        <p class="quiet">
          {elsewhere} {elsewhere === 1 ? 'call' : 'calls'} in the log went to another address and{' '}
          {elsewhere === 1 ? 'does' : 'do'} not count here.{' '}
          <a href={'/dashboard/traffic?show=out&party=client'}>View these calls</a>
        </p>
      )}
      {partial && (
        <p class="ways">
          <span class="quiet">From the newest {figure(entries.length)} entries of the log.</span>
          <button type="button" class="small" onClick={readAll}>
            Load older entries
          </button>
        </p>
      )}
    </Panel>
  );
}

/**
 * Returns the time when the platform will call an operation again (OP-61), from the notice of its last call. Returns
 * `undefined` if that call was made.
 */
function circuitOpenUntil(call: CallEntry | undefined) {
  const notice = call?.notices.find((each) => each.startsWith('circuit open'));
  const until = notice && /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(notice)?.[0];
  return until && dateTime(`${until}Z`);
}

interface RowProps {
  operation: HostedOperation;
  judged: Judged;
  mismatches: readonly Mismatch[] | undefined;
  workspace: Workspace;
  uid: string;
}

function Row({ operation, judged, mismatches = [], workspace, uid }: RowProps) {
  const { state, call, findings, said, count, wrong, faulted } = judged;
  // Of the two API versions, only the one that was called can be the cause.
  const suspected = call === undefined ? [] : mismatches;
  const [style, word] = words[state];
  const name = operation.operation;
  const left = circuitOpenUntil(call);
  const last = call && (
    <a href={`/dashboard/traffic?show=out&q=${encodeURIComponent(name)}&seq=${call.seq}`}>
      Last call<span class="unseen"> of {name}</span> at <Time at={call.at} />
    </a>
  );
  return (
    <div class="check">
      <div class="row">
        <What title={name} detail={`${operation.method} ${operation.path.replace(/^\/client/, '')}`} />
        {suspected.length > 0 && <span class="status bad">ledger mismatch</span>}
        <span class={`status ${style}`}>{word}</span>
      </div>
      {call && (
        <p class="quiet">
          {last}, {call.status === null ? 'no response' : `response ${call.status}`}
          {wrong > 0 && `; ${wrong} of ${count} calls failed or violated the contract`}
          {faulted > 0 && `; ${faulted} more encountered a fault and ${faulted === 1 ? 'was' : 'were'} not checked`}.
        </p>
      )}
      {suspected.length > 0 && <Mismatches mismatches={suspected} />}
      {left !== undefined && (
        <p class="notice bad">
          After five consecutive calls without a response, the platform does not call this operation until {left}{' '}
          (sandbox time).
        </p>
      )}
      {said !== '' && <p class={state === 'refused' ? 'notice hint' : 'notice bad'}>{said}</p>}
      {findings.length > 0 && <FindingList findings={findings} />}
      <Next judged={judged} operation={operation} workspace={workspace} uid={uid} />
    </div>
  );
}

/** Maximum number of mismatches listed per row. */
const mostMismatches = 3;

/** Ledger mismatches that contradict the operation's responses. */
function Mismatches({ mismatches }: { mismatches: readonly Mismatch[] }) {
  const rest = mismatches.length - mostMismatches;
  const named = mismatches.slice(0, mostMismatches).map(({ uid, what }) => `${uid}: ${what}?`);
  return (
    <p class="notice bad">
      The balance does not match your server’s own responses. {named.join(' ')}
      {rest > 0 && ` And ${rest} more.`} <a href="/dashboard/ledger?view=reconciliation">Reconciliation</a>
    </p>
  );
}

/**
 * Instructions to trigger a call to an operation: when the platform calls it, and a button. The explanation disappears
 * once the operation conforms.
 */
function Next({ operation, judged: { state, call }, workspace, uid }: Omit<RowProps, 'mismatches'>) {
  const name = operation.operation;
  const attempt = attempts[name];
  if (attempt === undefined) return null;
  const green = state === 'conforms';
  const { when, label, run } = attempt;
  return (
    <p class="ways">
      {!green && <span class="quiet all">Called {when}.</span>}
      {run && label !== undefined && <Action label={label} what={`to call ${name}`} run={() => run(uid, workspace)} />}
      {!run && (
        <a class="button small" href={workspace.urls.microsite}>
          Sign in on the microsite<span class="unseen"> to call {name}</span>
        </a>
      )}
      {call && !green && <Copy text={curl(call, operation, workspace)} label="Copy as curl" what={name} />}
    </p>
  );
}
