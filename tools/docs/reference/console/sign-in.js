// @ts-check
/** Provides credentials for calls. Signs in if a security scheme needs a token, and reuses the token until the sandbox rejects it. */
import { authorizationBy } from '../../../../sandbox/dashboard/browser/authorization.ts';
import { adminToken, atSandbox, control, lookAgain, watchWorkspace } from './workspace.js';

/** @typedef {import('./workspace.js').Workspace} Workspace */

/**
 * Authorization headers by scheme and customer.
 * @type {Map<string, Promise<string | undefined>>}
 */
const signedIn = new Map();

/** Discards all tokens, so that the next call signs in again. */
export function forgetTokens() {
  signedIn.clear();
}

watchWorkspace(forgetTokens);

/**
 * Returns the value of the `Authorization` header for a scheme, or `undefined` if it needs none.
 * @param {string} scheme
 * @param {Workspace} workspace
 * @param {string} uid
 * @returns {Promise<string | undefined>}
 */
export async function authorizationOf(scheme, workspace, uid) {
  if (scheme === 'adminToken') return adminToken() === '' ? undefined : `Bearer ${adminToken()}`;
  const key = `${scheme} ${uid}`;
  const header = signedIn.get(key) ?? authorizationBy({ post, readOtp }, scheme, workspace.credentials, uid);
  signedIn.set(key, header);
  try {
    return await header;
  } catch (error) {
    signedIn.delete(key);
    throw error;
  }
}

/**
 * @param {string} path
 * @param {unknown} body
 * @param {string} [credential]
 */
async function post(path, body, credential) {
  const headers = {
    'Content-Type': 'application/json',
    ...(credential !== undefined && { Authorization: credential }),
  };
  const response = await fetch(await atSandbox(path), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    credentials: 'omit',
  });
  if (response.ok) return response.json();
  const reply = await response.json().catch(() => ({}));
  // The workspace of the token may no longer exist.
  if (response.status === 401) lookAgain();
  const why = reply.message ?? reply.data?.message ?? '';
  const problem = response.headers.get('x-problem') ?? '';
  throw new Error(
    `Could not sign in: ${path} returned ${[response.status, why, problem].filter(Boolean).join(', ')}. Choose another credential, or none.`,
  );
}

/** @param {string} reference */
async function readOtp(reference) {
  const response = await control(`/messages?reference_id=${encodeURIComponent(reference)}`);
  if (!response.ok) throw new Error(`Could not read the one-time password: the sandbox returned ${response.status}.`);
  return (await response.json()).items[0]?.otp;
}
