import { useState } from 'preact/hooks';
import { api, ask, CallFailure, jsonOrText, messageOf, type Schemas } from './api.ts';
import { authorizationBy, none, ofCustomer } from './authorization.ts';
import type { HostedOperation } from './calls.ts';
import { Action, Choice, Field } from './forms.tsx';
import { Json } from './json.tsx';
import { type CallEntry, useFeed } from './live.ts';
import { Status } from './parts.tsx';
import { withQuery } from './route.ts';

type Workspace = Schemas['Workspace'];

interface Draft {
  method: string;
  path: string;
  scheme: string;
  uid: string;
  /** One header per line. */
  headers: string;
  /** The request body; empty for none. */
  body: string;
}

interface ResendProps {
  call: CallEntry;
  path: string;
  operation: HostedOperation | undefined;
  workspace: Workspace;
  open: boolean;
}

/** Sends a call again, unchanged or edited. The browser sends it, so it obtains a new credential. */
export function Resend({ call, path, operation, workspace, open }: ResendProps) {
  const { entries } = useFeed();
  const [answer, setAnswer] = useState<{ status: number; trace: string; body: unknown } | undefined>(undefined);
  const body = unmasked(call.request, workspace);
  const [draft, setDraft] = useState({
    method: call.method,
    path,
    scheme: operation?.security[0] ?? none,
    uid: call.uid ?? '',
    headers: '',
    body: body === null || body === undefined ? '' : JSON.stringify(body, null, 2),
  } as Draft);
  const send = async () => {
    setAnswer(undefined);
    const reply = await perform(draft, workspace);
    setAnswer(reply);
    return `Response: ${reply.status}`;
  };
  const masked = hasMask(draft.body + draft.path);
  const caused = answer && entries.findLast(({ trace, kind }) => trace === answer.trace && kind === 'call_in');
  return (
    <>
      {open && <Editor draft={draft} schemes={operation?.security ?? []} change={setDraft} />}
      {masked && (
        <p class="notice hint">
          Some values are masked.{' '}
          {open ? 'Replace them before you send the call.' : 'Edit the call before you replay it.'}
        </p>
      )}
      <p class="ways">
        <Action look="main" label={open ? 'Send call' : 'Replay call'} run={send} />
      </p>
      {answer !== undefined && (
        <>
          <h3>Response to the resent call</h3>
          <p class="ways">
            <Status status={answer.status} />
            {caused !== undefined && <a href={withQuery({ seq: caused.seq, edit: undefined })}>View in Traffic</a>}
          </p>
          {answer.body !== null && <Json value={answer.body} label="Body of the new response" />}
        </>
      )}
    </>
  );
}

function Editor({ draft, schemes, change }: { draft: Draft; schemes: string[]; change: (draft: Draft) => void }) {
  const set = ({ currentTarget: { name, value } }: { currentTarget: HTMLInputElement }) =>
    change({ ...draft, [name]: value });
  return (
    <div class="editor">
      <Field name="method" label="Method" value={draft.method} onInput={set} />
      <Field name="path" label="Path" value={draft.path} onInput={set} grow />
      <Choice
        name="scheme"
        label="Credential"
        value={draft.scheme}
        options={[...schemes, none].map((scheme) => [scheme, scheme])}
        change={(scheme) => change({ ...draft, scheme })}
      />
      {ofCustomer.includes(draft.scheme) && <Field name="uid" label="Customer" value={draft.uid} onInput={set} />}
      <Field
        name="headers"
        label="Additional headers, one per line"
        rows={2}
        placeholder="Idempotency-Key: my-key"
        value={draft.headers}
        onInput={set}
      />
      <Field name="body" label="Body" rows={10} value={draft.body} onInput={set} />
    </div>
  );
}

/** Sends a call from the browser to this sandbox. Throws CallFailure if it cannot be sent. */
export async function perform({ method, path, scheme, uid, headers: lines, body }: Draft, workspace: Workspace) {
  const url = URL.canParse(path, location.origin) ? new URL(path, location.origin) : undefined;
  // A second slash, a backslash or a tab would make the URL point to another host.
  if (url?.origin !== location.origin || !path.startsWith('/'))
    throw new CallFailure('The path must start with a single slash. Calls go to this sandbox only.');
  const credential = await authorizationBy({ post, readOtp }, scheme, workspace.credentials, uid);
  try {
    const headers = new Headers();
    if (credential !== undefined) headers.set('Authorization', credential);
    if (body !== '') headers.set('Content-Type', 'application/json');
    for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
      const colon = line.indexOf(':');
      headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
    }
    const response = await fetch(url, { method, headers, redirect: 'manual', credentials: 'omit', body: body || null });
    const text = await response.text();
    const trace = response.headers.get('x-trace-id') ?? '';
    return { status: response.status, trace, body: text === '' ? null : jsonOrText(text) };
  } catch (failure) {
    throw new CallFailure(`The browser could not send the call: ${(failure as Error).message}`);
  }
}

async function readOtp(reference_id: string) {
  const { items } = await ask(api.GET('/messages', { params: { query: { reference_id } } }));
  return items[0]?.otp;
}

async function post(path: string, body: unknown, credential?: string): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (credential !== undefined) headers.Authorization = credential;
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const reply = await response.json();
  if (response.ok) return reply;
  const trace = response.headers.get('x-trace-id') ?? undefined;
  throw new CallFailure(`Could not sign in at ${path}: ${messageOf(reply) ?? response.status}`, response.status, trace);
}

/** Returns a body from the activity log with the workspace's own secrets restored. Other masked values remain masked. */
function unmasked(body: unknown, workspace: Workspace): unknown {
  if (body === null || typeof body !== 'object') return body;
  const { company_secret, general } = workspace.credentials;
  const own = { secret: company_secret, password: general.password } as Record<string, string>;
  const isMasked = (value: unknown) => /^string of \d+ \(masked/.test(String(value));
  const fields = Object.entries(body);
  return Object.fromEntries(fields.map(([name, value]) => [name, isMasked(value) ? (own[name] ?? value) : value]));
}

/** Returns whether a string from the activity log contains a masked field or a masked part of an address. */
function hasMask(text: string) {
  return text.includes('***') || text.includes(' (masked');
}
