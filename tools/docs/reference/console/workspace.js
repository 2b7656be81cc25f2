// @ts-check
/** The workspace that calls go to: the demo, or the one whose admin token the reader pasted. */
import { variablesIn } from './request.js';

/**
 * @typedef {import('../../../../generated/sandbox/types.ts').components['schemas']['Workspace']} Workspace
 * @typedef {import('../../console-calls.ts').Steps} Steps
 */

/**
 * What answers at the address of the page: a sandbox with the workspace open, one that wants another admin token, one that
 * accepts no calls now, or none.
 * @typedef {{ state: 'open', workspace: Workspace } | { state: 'locked' | 'stopped' | 'static' }} Served
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

/** What answers at the address of this page; fetched once, and again after `useToken` and `lookAgain`. */
export function servedHere() {
  served ??= look(adminToken());
  return served;
}

/** Fetches it again: a token has ended, or the sandbox is back. */
export function lookAgain() {
  served = undefined;
  for (const watcher of watchers) watcher();
}

/**
 * Sends calls to the workspace of a token from now on; to the demo for an empty one. What earlier responses set belonged
 * to another workspace and is forgotten. A token that opens no workspace changes nothing.
 * @param {string} token
 * @returns {Promise<Served['state']>} `open` if the token was accepted.
 */
export async function useToken(token) {
  const found = await look(token);
  if (found.state !== 'open') return found.state;
  if (token === '') sessionStorage.removeItem(tokenPlace);
  else sessionStorage.setItem(tokenPlace, token);
  sessionStorage.removeItem(variablesPlace);
  served = Promise.resolve(found);
  for (const watcher of watchers) watcher();
  return found.state;
}

/** @param {() => void} watcher Called after each change of the workspace. */
export function watchWorkspace(watcher) {
  watchers.add(watcher);
}

/**
 * @param {string} token
 * @returns {Promise<Served>}
 */
async function look(token) {
  try {
    const response = await control('/workspace', token);
    if (response.ok) return { state: 'open', workspace: await response.json() };
    if (!response.headers.has('x-trace-id')) return { state: 'static' };
    return { state: response.status === 401 ? 'locked' : 'stopped' };
  } catch (error) {
    // What answers without JSON is no sandbox.
    return { state: error instanceof SyntaxError ? 'static' : 'stopped' };
  }
}

/**
 * A call of the control API, with the admin token.
 * @param {string} path
 */
export function control(path, token = adminToken()) {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return fetch(`/sandbox/v1${path}`, { headers, credentials: 'omit', cache: 'no-store' });
}

/**
 * The address of the partner's own server; undefined while the reference client is in use.
 * @param {Workspace} workspace
 */
export function ownServerOf({ settings, urls }) {
  return settings.client_url === urls.client ? undefined : settings.client_url;
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
