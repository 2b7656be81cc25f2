// @ts-check
/** Shows a sent request with its variables filled in, and as a curl command. */
import { element } from './element.js';
import { shownBody } from './reply.js';

/**
 * @typedef {{ url: string, method: string, headers: Readonly<Record<string, string>>, body?: string }} SentRequest
 */

/**
 * Formats the request like an HTTP message: method and address, headers, body.
 * @param {SentRequest} request
 */
export function sentText({ method, url, headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${url}`, ...lines, ...(body === undefined ? [] : ['', shownBody(body)])].join('\n');
}

/**
 * Returns the request as a curl command for a POSIX shell.
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
 * Creates the collapsed view of a request in a panel.
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
