// @ts-check
/** Status of each operation of the client, judged by the calls to it. */
import { complaint, isCall } from '../calls.js';

/**
 * @typedef {import('../api.js').Schemas} Schemas
 * @typedef {Schemas['Deviation']} Deviation
 * @typedef {import('../live.js').Entry} Entry
 * @typedef {import('../live.js').CallEntry} CallEntry
 * @typedef {'never' | 'faulted' | 'conforms' | 'refused' | 'differs' | 'deviates' | 'failed'} State
 * @typedef {object} Judged
 * @property {State} state That of the last call without a fault.
 * @property {CallEntry | undefined} call The last call without a fault; where there is none, the last one under a fault.
 * @property {readonly Deviation[]} deviations Where its reply broke the contract.
 * @property {string} said What went wrong, in words.
 * @property {number} count Calls of the operation to this address, without those under a fault.
 * @property {number} faulted Calls of the operation to this address that met a fault.
 * @property {number} wrong Those of them that broke the contract or failed.
 */

/**
 * Calls made to the client's operations, at its present address and at others that it had before.
 * @param {readonly Entry[]} entries
 * @param {readonly Schemas['HostedOperation'][]} operations
 * @param {Schemas['Workspace']} workspace
 */
export function callsTo(entries, operations, { settings: { client_url: address }, urls }) {
  // The platform calls the reference client where the sandbox listens, and not at the address that others use.
  const isReference = address === urls.client;
  const paths = new Map(operations.map(({ operation, path }) => [operation, path.replace(/^\/client/, '')]));
  const made = entries
    .filter(isCall)
    .filter(({ kind, operation }) => kind === 'call_out' && paths.has(operation ?? ''));
  const here = made.filter(({ url, operation }) => {
    const path = paths.get(operation ?? '');
    return isReference ? pathOf(url) === `/client${path}` : url.split('?')[0] === `${address}${path}`;
  });
  return { here, elsewhere: made.length - here.length };
}

/** @param {string} url */
function pathOf(url) {
  return URL.parse(url)?.pathname;
}

/**
 * How an operation stands after the calls of it. One that met a fault proves that the operation was called, and says
 * nothing of the server.
 * @param {readonly CallEntry[]} all Oldest first.
 * @returns {Judged}
 */
export function judge(all) {
  const calls = all.filter((call) => !metFault(call));
  const call = calls.at(-1);
  const wrong = calls.filter((each) => ['deviates', 'failed'].includes(stateOf(each))).length;
  const counts = { count: calls.length, wrong, faulted: all.length - calls.length };
  if (call !== undefined)
    return { state: stateOf(call), call, deviations: deviationsOf(call), said: saidOf(call), ...counts };
  return { state: all.length > 0 ? 'faulted' : 'never', call: all.at(-1), deviations: [], said: '', ...counts };
}

/** @param {CallEntry} call */
function metFault({ notices }) {
  return notices.some((notice) => /^fault \S+: [a-z_]+$/.test(notice));
}

/**
 * A refusal that the contract defines has a state of its own: it proves the form of the reply, not that the operation
 * works. So has a reply that violates only assumptions of this sandbox.
 * @param {CallEntry} call
 * @returns {State}
 */
function stateOf(call) {
  if (call.status === null) return 'failed';
  const found = deviationsOf(call);
  if (found.some(({ severity }) => severity === 'error')) return 'deviates';
  if (call.status >= 500) return 'failed';
  if (found.length > 0) return 'differs';
  return call.status >= 400 ? 'refused' : 'conforms';
}

/** @param {CallEntry} call */
function saidOf(call) {
  const [why = ''] = call.notices;
  if (call.status === null)
    return why.startsWith('circuit')
      ? `Not called: ${why}.`
      : `No response: ${why}. Is your server running at that address?`;
  return call.status >= 400 ? complaint(call) : '';
}

/**
 * What is wrong with the reply of a call.
 * @param {CallEntry} call
 * @returns {readonly Deviation[]}
 */
function deviationsOf({ deviations = [] }) {
  return deviations;
}
