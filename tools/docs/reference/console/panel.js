// @ts-check
/** The panel of one operation: its fields, its send button, and its response. */
import { ofCustomer } from '../../../../sandbox/dashboard/browser/authorization.ts';
import { answerPlace, showAnswer, showText } from './answer.js';
import { element } from './element.js';
import { filler, requestOf, variablesIn } from './request.js';
import { sentRequest } from './sent.js';
import { authorizationOf, forgetTokens } from './sign-in.js';
import {
  atSandbox,
  isServed,
  keep,
  lookAgain,
  ownServerOf,
  servedHere,
  variablesOf,
  watchWorkspace,
} from './workspace.js';
import { drawWorkspace } from './workspace-line.js';

/**
 * @typedef {import('../../console-calls.ts').ConsoleCall} ConsoleCall
 * @typedef {import('../../console-calls.ts').ConsoleCalls} ConsoleCalls
 */

/** The customer used in samples. */
const demoCustomer = 'CUST0007';
const ownCredential = 'own';

/**
 * Schemes that require the client to confirm a customer. The reference client cannot do so while the partner's own
 * server is the client.
 */
const confirmedByClient = ['customerToken', 'customerBearer'];

/** @type {Readonly<Record<string, string>>} */
const schemeNames = {
  none: 'None',
  adminToken: 'Admin token, if you set one',
  [ownCredential]: 'Your own header value',
};

/**
 * Creates a closed panel. Its fields are rendered when the reader first opens it.
 * @param {ConsoleCall} call
 * @param {Pick<ConsoleCalls, 'setBy' | 'ofWorkspace'>} variables
 */
export function panelOf(call, variables) {
  const panel = element('details', { class: 'console' }, [element('summary', {}, [`Send ${call.operationId}`])]);
  panel.addEventListener('toggle', () => draw(panel, call, variables), { once: true });
  return panel;
}

/**
 * @param {HTMLElement} panel @param {ConsoleCall} call @param {Pick<ConsoleCalls, 'setBy' | 'ofWorkspace'>} variables
 */
function draw(panel, call, variables) {
  const place = element('div', { class: 'workspace' });
  const form = formOf(call);
  const answer = answerPlace();
  const send = element('button', { class: 'send' }, ['Send']);
  const stop = element('button', { type: 'button', hidden: true }, ['Stop']);
  form.element.append(element('div', { class: 'ways' }, [send, stop]));
  form.element.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!send.disabled) submit();
  });
  panel.append(place, form.element, element('div', { class: 'answer' }, [answer.status, answer.request, answer.rest]));

  async function submit() {
    const aborting = new AbortController();
    stop.onclick = () => aborting.abort();
    // Move the focus to Stop and later back, because a disabled or hidden button loses it.
    const hadFocus = document.activeElement === send;
    stop.hidden = false;
    if (hadFocus) stop.focus();
    send.disabled = true;
    showText(answer, 'Sending.', 'quiet');
    answer.request.replaceChildren();
    try {
      await exchange(call, variables, form.read(), answer, aborting.signal);
    } catch (error) {
      showText(answer, failureText(error), 'status bad');
    }
    send.disabled = false;
    if (document.activeElement === stop) send.focus();
    stop.hidden = true;
  }

  const redraw = async () => {
    const served = await servedHere();
    drawWorkspace(place, served, !(await isServed()));
    if (served.state === 'open') form.choose(ownServerOf(served.workspace) !== undefined);
    send.disabled = served.state !== 'open';
  };
  watchWorkspace(redraw);
  redraw();
}

/** @param {unknown} error */
function failureText(error) {
  const { name, message } = /** @type {Error} */ (error);
  if (name === 'AbortError') return 'You stopped the call before a response came.';
  return name === 'TypeError' ? 'The sandbox does not respond. Is it still running?' : message;
}

/**
 * Sends the call and shows its response.
 * @param {ConsoleCall} call
 * @param {Pick<ConsoleCalls, 'setBy' | 'ofWorkspace'>} variables
 * @param {ReturnType<ReturnType<typeof formOf>['read']>} entered
 * @param {import('./answer.js').AnswerPlace} answer
 * @param {AbortSignal} signal
 */
async function exchange(call, variables, entered, answer, signal) {
  const served = await servedHere();
  if (served.state !== 'open') return;
  const { workspace } = served;
  const fill = filler(variablesOf(workspace, variables.ofWorkspace), variables.setBy);
  const { path, ...init } = requestOf(call, entered, fill);
  const { scheme, uid, own } = entered;
  const header = scheme === ownCredential ? fill(own) : await authorizationOf(scheme, workspace, uid);
  if (header !== undefined && header !== '') init.headers.Authorization = header;
  const url = await atSandbox(path);
  answer.request.replaceChildren(sentRequest({ ...init, url }));
  const began = performance.now();
  const response = await fetch(url, { ...init, signal, credentials: 'omit', cache: 'no-store' });
  if (response.status === 401) {
    forgetTokens();
    // The workspace may no longer exist.
    lookAgain();
  }
  keep(variablesIn(call.keeps, await showAnswer(answer, response, began)));
}

/** @param {ConsoleCall} call */
function formOf(call) {
  const inputs = call.parameters.map(({ name, in: where, value, example, required }) => {
    const input = element('input', { value, placeholder: example, required, autocomplete: 'off', spellcheck: 'false' });
    return { key: `${where} ${name}`, input, label: labelled(name, `${where}${required ? ', required' : ''}`, input) };
  });
  const lines = call.body?.split('\n').length ?? 0;
  const body = element('textarea', { rows: String(Math.min(Math.max(lines, 3), 14)), spellcheck: 'false' }, [
    call.body ?? '',
  ]);
  const scheme = element(
    'select',
    {},
    [...new Set([...call.schemes, 'none', ownCredential])].map((name) =>
      element('option', { value: name }, [schemeNames[name] ?? name]),
    ),
  );
  const uid = element('input', { value: customerIn(call), autocomplete: 'off', spellcheck: 'false' });
  const own = element('input', { type: 'password', autocomplete: 'off', placeholder: 'Bearer ...' });
  const uidLabel = labelled('Customer', 'signs in for you', uid);
  const ownLabel = labelled('Authorization', 'header', own);
  const atOwnServer = element('p', { class: 'quiet', hidden: true }, [
    'Customers sign in at your server, so this call has another credential. For a customer token, send customerAuth with a JWT that your server issued, and enter the token as your own header value.',
  ]);
  const draw = () => {
    uidLabel.hidden = !ofCustomer.includes(scheme.value);
    ownLabel.hidden = scheme.value !== ownCredential;
  };
  scheme.addEventListener('change', draw);
  draw();
  /**
   * Selects a credential that works with the current client.
   * @param {boolean} isOwn Whether the client is the partner's own server.
   */
  const choose = (isOwn) => {
    const [usual = 'none', ...others] = call.schemes;
    const other = others.find((name) => !confirmedByClient.includes(name));
    if (!confirmedByClient.includes(usual) || other === undefined) return;
    if (scheme.value === (isOwn ? usual : other)) scheme.value = isOwn ? other : usual;
    atOwnServer.hidden = !isOwn;
    draw();
  };
  const form = element('form', { method: 'post' }, [
    labelled('Credential', '', scheme),
    uidLabel,
    ownLabel,
    atOwnServer,
    ...inputs.map(({ label }) => label),
    ...(call.body === undefined ? [] : [labelled('Body', 'JSON', body)]),
    ...(hasVariable(call)
      ? [
          element('p', { class: 'quiet' }, [
            '{{RANDOM}} is new in each request. Other names in double braces come from the workspace and from earlier responses.',
          ]),
        ]
      : []),
  ]);
  body.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  const read = () => ({
    parameters: Object.fromEntries(inputs.map(({ key, input }) => [key, input.value])),
    body: body.value,
    scheme: scheme.value,
    uid: uid.value.trim(),
    own: own.value.trim(),
  });
  return { element: form, read, choose };
}

/** @param {string} name @param {string} note @param {HTMLElement} field */
function labelled(name, note, field) {
  const small = note === '' ? [] : [' ', element('small', {}, [note])];
  return element('label', {}, [element('span', {}, [name, ...small]), field]);
}

/** @param {ConsoleCall} call */
function customerIn({ body, parameters }) {
  const inBody = /"uid": "([^"{]+)"/.exec(body ?? '')?.[1];
  const inQuery = parameters.find(({ name, value }) => name === 'uid' && value !== '')?.value;
  return inBody ?? inQuery ?? demoCustomer;
}

/** @param {ConsoleCall} call */
function hasVariable({ body = '', parameters }) {
  return [body, ...parameters.map(({ value }) => value)].some((text) => text.includes('{{'));
}
