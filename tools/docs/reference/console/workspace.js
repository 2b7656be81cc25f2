// @ts-check
/** The workspace that calls go to: the demo, or the one whose admin token the reader pasted. */
import { isOfSandbox } from '../../../../docs/.vitepress/theme/published.ts';
import { variablesIn } from './request.js';

/**
 * @typedef {import('../../../../generated/sandbox/types.ts').components['schemas']['Workspace']} Workspace
 * @typedef {import('../../console-calls.ts').Steps} Steps
 */

/**
 * What answers calls: a sandbox with the workspace open, one that wants another admin token, one that accepts no calls now, or
 * none yet on a published page, which no sandbox serves.
 * @typedef {{ state: 'open', workspace: Workspace } | { state: 'locked' | 'stopped' | 'static' }} Served
 */

/** Where a published page keeps the address of the reader's sandbox. */
const addressPlace = 'sandbox-address';
/** The address of a sandbox that was started without a port. */
export const usualAddress = 'http://127.0.0.1:4010';

/** Whether a sandbox serves this page; if not, it is published on a static host. */
export function isServed() {
  return isOfSandbox(new URL('../', location.href).href);
}

/** The address that the reader entered on a published page; empty for none. */
export function enteredAddress() {
  return localStorage.getItem(addressPlace) ?? '';
}

/**
 * Sends the calls of a published page to the sandbox at this address from now on.
 * @param {string} address
 */
export function enterAddress(address) {
  localStorage.setItem(addressPlace, new URL(address).origin);
  sessionStorage.removeItem(variablesPlace);
  lookAgain();
}

/**
 * The URL of a path of the sandbox that calls go to: the one that serves the page, or that of the entered address.
 * @param {string} path
 */
export async function atSandbox(path) {
  return new URL(path, (await isServed()) ? location.origin : enteredAddress() || usualAddress).href;
}

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
  const isPublished = !(await isServed());
  if (isPublished && enteredAddress() === '') return { state: 'static' };
  try {
    const response = await control('/workspace', token);
    if (response.ok) return { state: 'open', workspace: await response.json() };
    if (!response.headers.has('x-trace-id')) return { state: 'static' };
    return { state: response.status === 401 ? 'locked' : 'stopped' };
  } catch (error) {
    // What answers without JSON is no sandbox; a browser does not say whether one refused the page or none is there.
    return { state: isPublished || error instanceof SyntaxError ? 'static' : 'stopped' };
  }
}

/**
 * A call of the control API, with the admin token.
 * @param {string} path
 */
export async function control(path, token = adminToken()) {
  const headers = token === '' ? {} : { Authorization: `Bearer ${token}` };
  return fetch(await atSandbox(`/sandbox/v1${path}`), { headers, credentials: 'omit', cache: 'no-store' });
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
