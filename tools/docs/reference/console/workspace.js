// @ts-check
/** The workspace that receives calls: the demo, or the one whose admin token the reader entered. */
import { isOfSandbox } from '../../../../docs/.vitepress/theme/published.ts';
import { variablesIn } from './request.js';

/**
 * @typedef {import('../../../../generated/sandbox/types.ts').components['schemas']['Workspace']} Workspace
 * @typedef {import('../../console-calls.ts').Steps} Steps
 */

/**
 * The target of calls. `open`: a sandbox with an open workspace. `locked`: the sandbox requires another admin token.
 * `stopped`: the sandbox accepts no calls. `static`: a published page without a reachable sandbox.
 * @typedef {{ state: 'open', workspace: Workspace } | { state: 'locked' | 'stopped' | 'static' }} Served
 */

/** Local storage key of the reader's sandbox address on a published page. */
const addressPlace = 'sandbox-address';
/** The address of a sandbox on its default port. */
export const usualAddress = 'http://127.0.0.1:4010';

/** Reports whether a sandbox serves this page. If not, the page is on a static host. */
export function isServed() {
  return isOfSandbox(new URL('../', location.href).href);
}

/** Returns the address that the reader entered on a published page, or an empty string. */
export function enteredAddress() {
  return localStorage.getItem(addressPlace) ?? '';
}

/**
 * Sets the sandbox that receives the calls of a published page.
 * @param {string} address
 */
export function enterAddress(address) {
  localStorage.setItem(addressPlace, new URL(address).origin);
  sessionStorage.removeItem(variablesPlace);
  lookAgain();
}

/**
 * Returns the URL of a path at the sandbox that receives calls: the one that serves the page, or the one at the entered
 * address.
 * @param {string} path
 */
export async function atSandbox(path) {
  return new URL(path, (await isServed()) ? location.origin : enteredAddress() || usualAddress).href;
}

/** Session storage key of the admin token, shared with the dashboard. It lasts until the tab closes (OP-68). */
const tokenPlace = 'sandbox-admin-token';
/** Session storage key of variables from earlier responses, shared by all reference pages. */
const variablesPlace = 'console-variables';

/** @type {Promise<Served> | undefined} */
let served;
/** @type {Set<() => void>} */
const watchers = new Set();

export function adminToken() {
  return sessionStorage.getItem(tokenPlace) ?? '';
}

/** Returns the target of calls. Looks it up once, and again after `useToken` and `lookAgain`. */
export function servedHere() {
  served ??= look(adminToken());
  return served;
}

/** Looks up the target of calls again, because a token has expired or the sandbox may have restarted. */
export function lookAgain() {
  served = undefined;
  for (const watcher of watchers) watcher();
}

/**
 * Switches to the workspace of a token, or to the demo if the token is empty. Clears variables from earlier responses,
 * because they belong to the previous workspace. Changes nothing if the token opens no workspace.
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
  const isPublished = !(await isServed());
  if (isPublished && enteredAddress() === '') return { state: 'static' };
  try {
    const response = await control('/workspace', token);
    if (response.ok) return { state: 'open', workspace: await response.json() };
    if (!response.headers.has('x-trace-id')) return { state: 'static' };
    return { state: response.status === 401 ? 'locked' : 'stopped' };
  } catch (error) {
    // A non-JSON response does not come from a sandbox. A browser cannot tell whether a sandbox rejected the page or no sandbox is running.
    return { state: isPublished || error instanceof SyntaxError ? 'static' : 'stopped' };
  }
}

/**
 * Calls the control API with the admin token.
 * @param {string} path
 */
export async function control(path, token = adminToken()) {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return fetch(await atSandbox(`/sandbox/v1${path}`), { headers, credentials: 'omit', cache: 'no-store' });
}

/**
 * Returns the address of the partner's own server, or `undefined` if the reference client is in use.
 * @param {Workspace} workspace
 */
export function ownServerOf({ settings, urls }) {
  return settings.client_url === urls.client ? undefined : settings.client_url;
}

/**
 * Returns the variables available to calls in a workspace.
 * @param {Workspace} workspace
 * @param {Steps} ofWorkspace
 */
export function variablesOf(workspace, ofWorkspace) {
  return { ...variablesIn(ofWorkspace, workspace), ...savedVariables() };
}

/**
 * Saves variables for later calls.
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
