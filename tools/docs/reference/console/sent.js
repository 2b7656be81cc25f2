// @ts-check
/** Shows a request as it was sent, with the values in the place of its variables, and as a curl command. */
import { element } from './element.js';
import { shownBody } from './reply.js';

/**
 * @typedef {{ url: string, method: string, headers: Readonly<Record<string, string>>, body?: string }} SentRequest
 */

/**
 * The request as HTTP writes it: method and address, headers, body.
 * @param {SentRequest} request
 */
export function sentText({ method, url, headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body === undefined ? [] : ['', shownBody(body)])].join('\n');
}

/**
 * The same request for a POSIX shell.
 * @param {SentRequest} request
 */
export function sentCurl({ method, url, headers, body }) {
  const parts = [
    `curl -i -X ${method} ${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * What a panel shows of a request, folded.
 * @param {SentRequest} request
 */
export function sentRequest(request) {
  const command = sentCurl(request);
  const copy = element('button', { type: 'button' }, ['Copy curl']);
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(command);
    copy.textContent = 'Copied';
  });
  return element('details', { class: 'sent' }, [
    element('summary', {}, ['Request as sent']),
    element('pre', { tabindex: '0', 'aria-label': 'Request as sent' }, [sentText(request)]),
    element('pre', { tabindex: '0', 'aria-label': 'Request as curl' }, [command]),
    element('div', { class: 'ways' }, [copy]),
  ]);
}
