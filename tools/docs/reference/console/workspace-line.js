// @ts-check
/** Shows the target workspace of a panel's calls, with a field for another workspace's admin token. */
import { element } from './element.js';
import {
  adminToken,
  enterAddress,
  enteredAddress,
  lookAgain,
  ownServerOf,
  useToken,
  usualAddress,
} from './workspace.js';

const stopped = 'The sandbox does not respond. Start it again, then try again.';
const wanted = 'This sandbox requires an admin token: the one that it was started with, or the one of your workspace.';
const ended = 'The admin token that this tab uses no longer opens a workspace: it was deleted or has expired.';

/**
 * Renders the line. Only an open workspace accepts calls. Every other state offers a next step.
 * @param {HTMLElement} place
 * @param {import('./workspace.js').Served} served
 * @param {boolean} isPublished Whether the page is on a static host, so that the reader must enter the address of a sandbox.
 */
export function drawWorkspace(place, served, isPublished) {
  place.replaceChildren(
    ...(isPublished && served.state === 'static' ? [] : lineOf(served)),
    ...(isPublished ? [sandboxAddress(served.state !== 'static')] : []),
  );
}

/** @param {import('./workspace.js').Served} served */
function lineOf(served) {
  if (served.state === 'open') return [openWorkspace(served.workspace)];
  if (served.state === 'locked') return [notice(adminToken() === '' ? wanted : ended), tokenForm()];
  return [notice(stopped), element('button', { type: 'button', click: lookAgain }, ['Try again'])];
}

/**
 * Creates the field for the address of a sandbox, with instructions to start one that accepts calls from this page.
 * @param {boolean} isFound Whether a sandbox responds at the address. If so, the field is collapsed.
 */
function sandboxAddress(isFound) {
  const entered = enteredAddress();
  const field = element('input', {
    type: 'url',
    value: entered || usualAddress,
    required: true,
    pattern: 'https?://.+',
    spellcheck: 'false',
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    enterAddress(field.value.trim());
  };
  const command = `npx --no-install rewards-sandbox --allow-origin ${location.origin}`;
  const form = element('form', { submit, method: 'post' }, [
    element('p', {}, ['No sandbox serves this page. Start one on your machine that accepts calls from here:']),
    element('pre', { tabindex: '0', 'aria-label': 'Command' }, [command]),
    element('p', { class: 'quiet' }, [
      'Your browser may ask whether this site may reach your machine. The sandbox asks for its admin token, which "npx --no-install rewards-sandbox credentials --field admin_token" prints.',
    ]),
    element('label', {}, ['Address of your sandbox', field]),
    ...(entered === '' || isFound ? [] : [notice(`No sandbox at ${entered} accepts calls from this page.`)]),
    element('div', { class: 'ways' }, [element('button', {}, ['Use this sandbox'])]),
  ]);
  if (!isFound) return form;
  return element('details', {}, [element('summary', {}, ['Sandbox: ', element('code', {}, [entered])]), form]);
}

/** @param {string} text */
function notice(text) {
  return element('p', { class: 'notice' }, [text]);
}

/** @param {import('./workspace.js').Workspace} workspace */
function openWorkspace(workspace) {
  const own = ownServerOf(workspace);
  const summary = element('summary', {}, ['Workspace: ', element('code', {}, [workspace.id])]);
  if (own === undefined) return element('details', {}, [summary, tokenForm()]);
  const about = element('p', { class: 'quiet' }, [
    'The client is your server at ',
    element('code', {}, [own]),
    '. Calls of the client API on these pages go to the reference client.',
  ]);
  return element('details', {}, [summary, about, tokenForm()]);
}

function tokenForm() {
  const field = element('input', { type: 'password', autocomplete: 'off' });
  const refusal = element('p', { class: 'notice', role: 'alert', hidden: true });
  /** @param {string} token @param {string} problem Message to show if the token opens no workspace. */
  const use = async (token, problem) => {
    const state = await useToken(token);
    refusal.textContent = state === 'locked' ? problem : stopped;
    refusal.hidden = state === 'open';
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const token = field.value.trim();
    if (token !== '') use(token, 'No workspace has this admin token. Calls go where they went before.');
  };
  const demo = () => use('', 'The demo workspace of this sandbox requires its admin token, too.');
  // The script handles the form. If the script fails, `post` keeps the token out of the address.
  return element('form', { submit, method: 'post' }, [
    element('label', {}, ['Admin token of another workspace', field]),
    refusal,
    element('div', { class: 'ways' }, [
      element('button', {}, ['Use this workspace']),
      element('button', { type: 'button', click: demo }, ['Use the demo workspace']),
    ]),
  ]);
}
