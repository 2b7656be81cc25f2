// @ts-check
/** How far the client is, told by the calls that were made to it. */
import { complaint, isCall } from '../calls.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['Deviation']} Deviation
 * @typedef {import('../live.js').Entry} Entry
 * @typedef {import('../live.js').CallEntry} CallEntry
 * @typedef {'never' | 'conforms' | 'refused' | 'deviates' | 'failed'} State
 * @typedef {object} Judged
 * @property {State} state That of the last call.
 * @property {CallEntry | undefined} call The last call.
 * @property {readonly Deviation[]} deviations Where its reply broke the contract.
 * @property {string} said What went wrong, in words.
 * @property {number} count Calls of the operation to this address.
 * @property {number} wrong Those of them that broke the contract or failed.
 */

/**
 * Calls made to the client's operations, at its present address and at others that it had before. One that met a fault
 * says nothing of the server.
 * @param {readonly Entry[]} entries
 * @param {readonly Schemas['HostedOperation'][]} operations
 * @param {string} address
 */
export function callsTo(entries, operations, address) {
  const paths = new Map(operations.map(({ operation, path }) => [operation, path.replace(/^\/client/, '')]));
  const made = entries
    .filter(isCall)
    .filter(({ kind, operation }) => kind === 'call_out' && paths.has(operation ?? ''))
    .filter(({ notices }) => !notices.some((notice) => /^fault \S+: [a-z_]+$/.test(notice)));
  const here = made.filter(({ url, operation }) => url.split('?')[0] === `${address}${paths.get(operation ?? '')}`);
  return { here, elsewhere: made.length - here.length };
}

/**
 * How an operation stands after the calls of it.
 * @param {readonly CallEntry[]} calls Oldest first.
 * @returns {Judged}
 */
export function judge(calls) {
  const call = calls.at(-1);
  const wrong = calls.filter((each) => ['deviates', 'failed'].includes(stateOf(each))).length;
  if (call === undefined) return { state: 'never', call, deviations: [], said: '', count: 0, wrong };
  return { state: stateOf(call), call, deviations: deviationsOf(call), said: saidOf(call), count: calls.length, wrong };
}

/**
 * A refusal that the contract knows is told apart: it proves the reply's form, not that the operation works.
 * @param {CallEntry} call
 * @returns {State}
 */
function stateOf(call) {
  if (call.status === null) return 'failed';
  if (deviationsOf(call).length > 0) return 'deviates';
  if (call.status >= 500) return 'failed';
  return call.status >= 400 ? 'refused' : 'conforms';
}

/** @param {CallEntry} call */
function saidOf(call) {
  const [why = ''] = call.notices;
  if (call.status === null)
    return why.startsWith('circuit') ? `Not tried: ${why}.` : `No reply came: ${why}. Does your server run there?`;
  return call.status >= 400 ? complaint(call) : '';
}

/**
 * Where a reply broke the contract. The platform's calls list the places; those of the microsite note the first one
 * only.
 * @param {CallEntry} call
 * @returns {readonly Deviation[]}
 */
function deviationsOf({ deviations, notices, status, reply }) {
  if (deviations !== undefined) return deviations;
  for (const notice of notices) {
    const [, pointer, expected] = /^reply (\/\S*)? ?(.+)$/.exec(notice) ?? [];
    if (expected !== undefined) return [{ pointer: pointer ?? '', expected, actual: at(reply, pointer ?? '') }];
    if (/^status \d+ is not in the contract$/.test(notice)) {
      return [{ pointer: '', expected: 'a status of the contract', actual: `status ${status}` }];
    }
  }
  return [];
}

/**
 * What is at a place of a body, as JSON.
 * @param {unknown} body
 * @param {string} pointer
 */
function at(body, pointer) {
  let place = body;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    place = place !== null && typeof place === 'object' ? Reflect.get(place, name) : undefined;
  }
  return place === undefined ? 'nothing' : JSON.stringify(place);
}
