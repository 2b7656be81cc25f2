// @ts-check
import { useState } from 'preact/hooks';
import { CallFailure } from './api.js';
import { authorization, hasMask, none, ofCustomer, unmasked } from './credentials.js';
import { html } from './html.js';
import { Json } from './json.js';
import { useFeed } from './live.js';
import { Action, Status } from './parts.js';
import { withQuery } from './route.js';

/**
 * @typedef {object} Draft
 * @property {string} method
 * @property {string} path
 * @property {string} scheme
 * @property {string} uid
 * @property {string} headers One a line.
 * @property {string} body Empty for none.
 */

/**
 * Sends a call again, as it was or edited. The browser sends it, so the credential is fetched again.
 * @param {{ call: import('./live.js').CallEntry, path: string, operation: import('./calls.js').HostedOperation | undefined, workspace: import('./credentials.js').Workspace, open: boolean }} given
 */
export function Resend({ call, path, operation, workspace, open }) {
  const { entries } = useFeed();
  const [answer, setAnswer] = useState(
    /** @type {{ status: number, trace: string, body: unknown } | undefined} */ (undefined),
  );
  const body = unmasked(call.request, workspace);
  const [draft, setDraft] = useState(
    /** @type {Draft} */ ({
      method: call.method,
      path,
      scheme: operation?.security[0] ?? none,
      uid: call.uid ?? '',
      headers: '',
      body: body === null || body === undefined ? '' : JSON.stringify(body, null, 2),
    }),
  );
  const send = async () => {
    setAnswer(undefined);
    const reply = await perform(draft, workspace);
    setAnswer(reply);
    return `Response: ${reply.status}`;
  };
  const masked = hasMask(draft.body + draft.path);
  const caused = answer && entries.findLast(({ trace, kind }) => trace === answer.trace && kind === 'call_in');
  return html`
    ${open && html`<${Editor} draft=${draft} schemes=${operation?.security ?? []} change=${setDraft} />`}
    ${masked && html`<p class="notice hint">Some values are masked. ${open ? 'Replace them before you send the call.' : 'Edit the call before you replay it.'}</p>`}
    <p class="ways"><${Action} main label=${open ? 'Send call' : 'Replay call'} run=${send} /></p>
    ${
      answer !== undefined &&
      html`
        <h3>Response to the resent call</h3>
        <p class="ways">
          <${Status} status=${answer.status} />
          ${caused !== undefined && html`<a href=${withQuery({ seq: caused.seq, edit: undefined })}>View in Traffic</a>`}
        </p>
        ${answer.body !== null && html`<${Json} value=${answer.body} label="Body of the new response" />`}
      `
    }
  `;
}

/** @param {{ draft: Draft, schemes: readonly string[], change: (draft: Draft) => void }} given */
function Editor({ draft, schemes, change }) {
  /** @param {{ currentTarget: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement }} event */
  const set = ({ currentTarget: { name, value } }) => change({ ...draft, [name]: value });
  return html`
    <div class="editor">
      <label class="field"><span>Method</span><input name="method" value=${draft.method} onInput=${set} /></label>
      <label class="field grow"><span>Path</span><input name="path" value=${draft.path} onInput=${set} /></label>
      <label class="field"><span>Credential</span>
        <select name="scheme" onChange=${set}>
          ${[...schemes, none].map((scheme) => html`<option value=${scheme} selected=${scheme === draft.scheme}>${scheme}</option>`)}
        </select>
      </label>
      ${ofCustomer.includes(draft.scheme) && html`<label class="field"><span>Customer</span><input name="uid" value=${draft.uid} onInput=${set} /></label>`}
      <label class="field all"><span>Additional headers, one per line</span><textarea name="headers" rows="2" placeholder="Idempotency-Key: my-key" value=${draft.headers} onInput=${set}></textarea></label>
      <label class="field all"><span>Body</span><textarea name="body" rows="10" spellcheck=${false} value=${draft.body} onInput=${set}></textarea></label>
    </div>
  `;
}

/**
 * Sends a call from the browser to this sandbox. Throws CallFailure when it cannot be sent.
 * @param {Draft} draft
 * @param {import('./credentials.js').Workspace} workspace
 */
export async function perform({ method, path, scheme, uid, headers: lines, body }, workspace) {
  const url = URL.canParse(path, location.origin) ? new URL(path, location.origin) : undefined;
  // A second slash, a backslash or a tab would lead to a host of its own.
  if (url?.origin !== location.origin || !path.startsWith('/'))
    throw new CallFailure(
      'The path must start with a single slash. Calls go to this sandbox only.',
      undefined,
      undefined,
    );
  const credential = await authorization(scheme, workspace, uid);
  try {
    const headers = new Headers();
    if (credential !== undefined) headers.set('Authorization', credential);
    if (body !== '') headers.set('Content-Type', 'application/json');
    for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
      const colon = line.indexOf(':');
      headers.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
    }
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== '' && { body }),
      redirect: 'manual',
      credentials: 'omit',
    });
    const text = await response.text();
    return {
      status: response.status,
      trace: response.headers.get('x-trace-id') ?? '',
      body: text === '' ? null : readable(text),
    };
  } catch (failure) {
    throw new CallFailure(
      `The browser could not send the call: ${/** @type {Error} */ (failure).message}`,
      undefined,
      undefined,
    );
  }
}

/** @param {string} text */
function readable(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
