import { api, ask } from './api.ts';
import { complaint, curl, failed, isCall, pathHere, useOperations } from './calls.ts';
import { customerFact, type Fact, Facts, inUtc, length, sizeOf, When, zone } from './figures.tsx';
import { type Finding, FindingsOf, useFindingsOf } from './findings.tsx';
import { Json } from './json.tsx';
import { type CallEntry, type Entry as LogEntry, type StateEntry, useFresh } from './live.ts';
import { Copy, Empty, Panel, Row, TabPanels } from './parts.tsx';
import { Resend } from './resend.tsx';
import { adviceOf, docsOf, go, redemptionAddress, withQuery } from './route.ts';
import type { Line } from './traffic/lines.ts';
import { between, Ends } from './traffic/row.tsx';

interface EntryProps {
  line: Line | undefined;
  entries: readonly LogEntry[];
  query: URLSearchParams;
}

/** The details of a traffic line: request and response, resulting changes, and ways to send the call again. */
export function Entry({ line, entries, query }: EntryProps) {
  const close = <a href={withQuery({ seq: undefined, edit: undefined, tab: undefined })}>Close</a>;
  if (line === undefined) {
    return (
      <Panel title={`Entry ${Number(query.get('seq'))}`} aside={close}>
        <Empty title="Entry not in the log">
          It is older than the loaded entries, or the workspace has been reset since.
        </Empty>
      </Panel>
    );
  }
  const { entry } = line;
  return (
    <Panel title={isCall(entry) ? (entry.operation ?? 'Call outside the contracts') : entry.event} aside={close}>
      <LineFacts line={line} />
      {isCall(entry) && <Call key={entry.seq} call={entry} line={line} entries={entries} query={query} />}
      {!isCall(entry) && <Json value={entry.detail} label="Detail" />}
    </Panel>
  );
}

function LineFacts({ line }: { line: Line }) {
  const { entry, caller, took, since } = line;
  const codes = new Set([...entry.redeem_codes, ...(caller?.redeem_codes ?? [])]);
  const time = [zone() !== 'UTC' && <When at={entry.at} />, ' ', <span class="quiet">{inUtc(entry.at)}</span>];
  const trace = [
    <a href={withQuery({ q: entry.trace })}>
      <code>{entry.trace}</code>
    </a>,
    ' ',
    <Copy text={entry.trace} what="trace" />,
  ];
  const ofCall = (call: CallEntry): Fact[] => [
    [`${between(line)}${call.via === undefined ? '' : ` via ${call.via}`}`, <Ends call={call} caller={caller} />],
    [call.method, <code>{call.url}</code>],
  ];
  const facts: readonly Fact[] = [
    ...(isCall(entry) ? ofCall(entry) : []),
    [since ? 'Since previous step' : 'Duration', took !== undefined && length(took)],
    ['Sandbox time', time],
    ['Trace', trace],
    customerFact(entry.uid ?? caller?.uid ?? null),
    ...[...codes].map((code): Fact => ['Redemption', <a href={redemptionAddress(code)}>{code}</a>]),
  ];
  return <Facts of={facts} />;
}

interface CallProps extends Pick<EntryProps, 'entries' | 'query'> {
  call: CallEntry;
  line: Line;
}

function Call({ call, line: { caller, begins }, entries, query }: CallProps) {
  const edit = query.has('edit');
  const operations = useOperations();
  const { data: workspace } = useFresh(() => ask(api.GET('/workspace')), []);
  const judged = useFindingsOf(call, caller);
  const operation = operations.find((one) => one.operation === call.operation);
  const path = pathHere(call);
  // The call that started a trace caused all of its changes. Any other call caused only the changes of the party that handled it.
  const changes = entries.filter(
    (one) => one.kind === 'state' && one.trace === call.trace && (begins || one.party === call.party),
  ) as StateEntry[];
  const said = failed(call) ? complaint(call) : '';
  const [docs, advice] = [docsOf(call, operation?.api), adviceOf(call.reply)];
  const notices = new Set([...call.notices, ...(caller?.notices ?? [])]);
  const message = (label: string, part: 'request' | 'reply') => (
    <Message label={label} part={part} call={call} found={judged.found} />
  );
  const found = <FindingsOf call={call} judged={judged} />;
  const panels = [
    { id: 'request', title: 'Request', children: message('Request', 'request') },
    { id: 'response', title: 'Response', children: message('Response', 'reply') },
    { id: 'changes', title: 'Changes', count: changes.length, children: <Changes changes={changes} /> },
    { id: 'findings', title: 'Findings', count: judged.found?.length, children: found },
  ];
  const choose = (id: string) => go(withQuery({ tab: id }), { replace: true });
  return (
    <>
      {docs !== undefined && (
        <p>
          <a href={docs}>{call.operation} in the reference</a>
        </p>
      )}
      {said !== '' && (
        <div class="notice bad">
          <p>{said}</p>
          {advice !== undefined && (
            <p>
              <a href={advice}>What this means and how to fix it</a>
            </p>
          )}
        </div>
      )}
      {notices.size > 0 && (
        <div class="notice hint">
          {[...notices].map((notice) => (
            <p>{notice}</p>
          ))}
        </div>
      )}
      <TabPanels label="Parts of the call" panels={panels} current={query.get('tab')} choose={choose} />
      <p class="ways">
        <Copy text={curl(call, operation, workspace)} label="Copy as curl" what="" />
        {path !== undefined && !edit && (
          <a class="button small" href={withQuery({ seq: call.seq, edit: 1 })}>
            Edit and resend
          </a>
        )}
      </p>
      {path === undefined && (
        <p class="quiet">
          This call went to another server, so the dashboard cannot resend it. Copy it as curl instead.
        </p>
      )}
      {path !== undefined && workspace !== undefined && operations.length > 0 && (
        <Resend call={call} path={path} operation={operation} workspace={workspace} open={edit} />
      )}
    </>
  );
}

interface MessageProps {
  label: string;
  part: 'request' | 'reply';
  call: CallEntry;
  found: readonly Finding[] | undefined;
}

/** A message of a call: its headers and its body. */
function Message({ label, part, call, found = [] }: MessageProps) {
  const body = call[part];
  const findings = found.filter(({ direction }) => direction === part);
  return (
    <>
      <h3>Headers</h3>
      <Headers headers={call[`${part}_headers`]} findings={findings} />
      <h3>
        Body <span class="quiet">{sizeOf(body)}</span>
      </h3>
      {body === null && <p class="quiet">No body.</p>}
      {body !== null && <Json value={body} label={`${label} body`} findings={findings} />}
    </>
  );
}

function Headers({ headers, findings }: { headers: CallEntry['reply_headers']; findings: readonly Finding[] }) {
  if (headers === undefined) return <p class="quiet">Not recorded.</p>;
  const entries = Object.entries(headers);
  if (entries.length === 0) return <p class="quiet">No headers.</p>;
  const wrong = new Set(findings.map(({ pointer }) => /^\/headers\/(.+)$/.exec(pointer)?.[1]?.toLowerCase()));
  return (
    <dl class="headers">
      {entries.map(([name, value]) => (
        <div class={wrong.has(name) ? 'found' : undefined}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Changes({ changes }: { changes: readonly StateEntry[] }) {
  if (changes.length === 0) return <p class="quiet">This call changed nothing.</p>;
  return (
    <ul class="rows">
      {changes.map(({ seq, event, party, detail }) => (
        <Row
          href={withQuery({ seq })}
          title={event}
          detail={short(detail)}
          before={<span class={`party ${party}`}>{party}</span>}
        />
      ))}
    </ul>
  );
}

function short(detail: StateEntry['detail']) {
  const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : value);
  return Object.entries(detail)
    .map(([name, value]) => `${name} ${textOf(value)}`)
    .join(', ');
}
