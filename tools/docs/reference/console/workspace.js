// @ts-check
/** The workspace that calls go to: the demo, or the one whose admin token the reader pasted. */
import { variablesIn } from './request.js';

/**
 * @typedef {import('../../../../generated/sandbox/types.ts').components['schemas']['Workspace']} Workspace
 * @typedef {import('../../console-calls.ts').Steps} Steps
 */

/**
 * What answers at the address of the page: a sandbox with the workspace open, one that wants an admin token, or none.
 * @typedef {{ state: 'open', workspace: Workspace } | { state: 'locked' } | { state: 'static' }} Served
 */

/** Where the dashboard keeps the admin token until the tab is closed, too (OP-68). */
const tokenPlace = 'sandbox-admin-token';
/** Variables from earlier responses, for the other pages of the reference. */
const variablesPlace = 'console-variables';

/** @type {Promise<Served> | undefined} */
let served;
/** @type {Set<() => void>} */
const watchers = new Set();

export function adminToken() {
  return sessionStorage.getItem(tokenPlace) ?? '';
}

/** What answers at the address of this page; fetched once, and again after `useToken`. */
export function servedHere() {
  served ??= look();
  return served;
}

/**
 * Sends calls to the workspace of a token from now on; to the demo for an empty one. What earlier responses set belonged
 * to another workspace and is forgotten.
 * @param {string} token
 */
export function useToken(token) {
  if (token === '') sessionStorage.removeItem(tokenPlace);
  else sessionStorage.setItem(tokenPlace, token);
  sessionStorage.removeItem(variablesPlace);
  served = undefined;
  for (const watcher of watchers) watcher();
}

/** @param {() => void} watcher Called after each change of the workspace. */
export function watchWorkspace(watcher) {
  watchers.add(watcher);
}

/** @returns {Promise<Served>} */
async function look() {
  try {
    const response = await control('/workspace');
    if (response.status === 401 && response.headers.has('x-trace-id')) return { state: 'locked' };
    if (response.ok) return { state: 'open', workspace: await response.json() };
  } catch {
    // Nothing answers, or not with JSON: this is no sandbox.
  }
  return { state: 'static' };
}

/**
 * A call of the control API, with the admin token.
 * @param {string} path
 */
export function control(path) {
  const token = adminToken();
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return fetch(`/sandbox/v1${path}`, { headers, credentials: 'omit', cache: 'no-store' });
}

/**
 * The variables that calls to a workspace can use.
 * @param {Workspace} workspace
 * @param {Steps} ofWorkspace
 */
export function variablesOf(workspace, ofWorkspace) {
  return { ...variablesIn(ofWorkspace, workspace), ...savedVariables() };
}

/**
 * Sets variables for later calls.
 * @param {Readonly<Record<string, string>>} variables
 */
export function keep(variables) {
  if (Object.keys(variables).length === 0) return;
  sessionStorage.setItem(variablesPlace, JSON.stringify({ ...savedVariables(), ...variables }));
}

/** @returns {Record<string, string>} */
function savedVariables() {
  return JSON.parse(sessionStorage.getItem(variablesPlace) ?? '{}');
}
