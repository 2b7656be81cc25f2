// @ts-check
/** Shows a response in a panel: status, time, links, findings, headers and body. */
import { element } from './element.js';
import {
  documentOf,
  findingText,
  longestBody,
  redeemCodesIn,
  redemptionAddress,
  shownBody,
  traceAddress,
} from './reply.js';
import { atSandbox, control } from './workspace.js';

/**
 * The elements of a panel that show a response. Screen readers announce the status, and read the rest on demand.
 * @typedef {{ status: HTMLElement, request: HTMLElement, rest: HTMLElement }} AnswerPlace
 */

/** @returns {AnswerPlace} */
export function answerPlace() {
  return { status: element('p', { role: 'status' }), request: element('div'), rest: element('div') };
}

/**
 * Shows one sentence instead of a response.
 * @param {AnswerPlace} place
 * @param {string} text
 * @param {'quiet' | 'status bad'} look
 */
export function showText({ status, rest }, text, look) {
  status.className = look;
  status.textContent = text;
  rest.replaceChildren();
}

/**
 * Shows a response while it arrives, and its findings when it is complete.
 * @param {AnswerPlace} place
 * @param {Response} response
 * @param {number} began Start of the request, in milliseconds (`performance.now()`).
 * @returns {Promise<unknown>} The JSON document of a successful response, or `undefined`.
 */
export async function showAnswer({ status, rest }, response, began) {
  const links = element('p', { class: 'links' });
  const findings = element('div', { class: 'findings' });
  const body = element('pre', { tabindex: '0', 'aria-label': 'Response body' });
  status.className = response.ok ? 'status good' : 'status bad';
  status.textContent = `${response.status} ${response.statusText}`.trim();
  rest.replaceChildren(
    links,
    findings,
    element('details', {}, [element('summary', {}, ['Response headers']), headersOf(response)]),
    body,
  );
  const trace = response.headers.get('x-trace-id') ?? '';
  const { text, end } = await readText(response, (part) => body.append(part));
  status.textContent += ` in ${Math.round(performance.now() - began)} ms`;
  body.textContent = end === 'complete' ? shownBody(text) : text;
  if (text === '') body.replaceWith(element('p', { class: 'quiet' }, ['The response has no body.']));
  if (end === 'cut')
    body.after(element('p', { class: 'quiet' }, [`Only the first ${longestBody} characters are shown.`]));
  if (end === 'stopped') body.after(element('p', { class: 'quiet' }, ['You stopped the response here.']));
  const document = documentOf(text);
  for (const code of redeemCodesIn(document))
    links.append(' ', link(await atSandbox(redemptionAddress(code)), `Open redemption ${code}`));
  if (trace !== '') await showTrace(links, findings, trace);
  return response.ok ? document : undefined;
}

/**
 * Creates a link that opens in a new tab, so that the response stays visible. The dashboard copies the admin token from
 * this tab.
 * @param {string} href @param {string} text
 */
function link(href, text) {
  return element('a', { href, target: '_blank', rel: 'opener' }, [text]);
}

/** @param {Response} response */
function headersOf(response) {
  const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
  return element('pre', { tabindex: '0', 'aria-label': 'Response headers' }, [lines.join('\n')]);
}

/**
 * @param {Response} response
 * @param {(part: string) => void} heard
 * @returns {Promise<{ text: string, end: 'complete' | 'cut' | 'stopped' }>}
 */
async function readText(response, heard) {
  let text = '';
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return { text, end: 'complete' };
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const more = part.value.slice(0, longestBody - text.length);
      text += more;
      heard(more);
      if (more.length === part.value.length) continue;
      await reader.cancel();
      return { text, end: 'cut' };
    }
    return { text, end: 'complete' };
  } catch (error) {
    if (/** @type {Error} */ (error).name !== 'AbortError') throw error;
    return { text, end: 'stopped' };
  }
}

/**
 * Links to the trace, and lists the contract violations of its calls. The log does not record reads of the control API,
 * so these have no trace link and no findings.
 * @param {HTMLElement} links @param {HTMLElement} place @param {string} trace
 */
async function showTrace(links, place, trace) {
  const [logged, response] = await Promise.all(
    [`/activity?limit=1&trace=${trace}`, `/findings?trace=${trace}`].map((path) => control(path)),
  );
  if (!logged?.ok || !response?.ok) {
    place.append(element('p', { class: 'quiet' }, ['The findings of this call could not be read.']));
    return;
  }
  if ((await logged.json()).items.length === 0) {
    place.append(element('p', { class: 'quiet' }, ['The activity log does not record this call.']));
    return;
  }
  links.prepend(link(await atSandbox(traceAddress(trace)), 'Open trace in the dashboard'));
  /** @type {{ items: import('./reply.js').Finding[] }} */
  const { items } = await response.json();
  if (items.length === 0) {
    place.append(element('p', { class: 'quiet' }, ['No findings: every call of this trace matches its contract.']));
    return;
  }
  const lines = items.map((finding) =>
    element('li', {}, [
      element('strong', { class: finding.severity }, [finding.severity]),
      ' ',
      element('code', {}, [finding.code]),
      ` ${findingText(finding)}`,
    ]),
  );
  place.append(element('h4', {}, [`Findings (${items.length})`]), element('ul', {}, lines));
}
