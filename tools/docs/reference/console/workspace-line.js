// @ts-check
/** The line of a panel that says where its calls go, and the field for another workspace's admin token. */
import { element } from './element.js';
import { adminToken, lookAgain, ownServerOf, useToken } from './workspace.js';

const notServed =
  'This page is on a static site, so there is no sandbox to call. Start one with "npx --no-install rewards-sandbox" and open /docs there to send calls.';
const stopped = 'The sandbox does not respond. Start it again, then try again.';
const wanted = 'This sandbox requires an admin token: the one that it was started with, or the one of your workspace.';
const ended = 'The admin token that this tab uses no longer opens a workspace: it was deleted or has expired.';

/**
 * Draws the line. Only an open workspace takes calls; each other state has a way on.
 * @param {HTMLElement} place
 * @param {import('./workspace.js').Served} served
 */
export function drawWorkspace(place, served) {
  if (served.state === 'open') place.replaceChildren(openWorkspace(served.workspace));
  else if (served.state === 'locked') place.replaceChildren(notice(adminToken() === '' ? wanted : ended), tokenForm());
  else {
    const retry = element('button', { type: 'button', click: lookAgain }, ['Try again']);
    place.replaceChildren(...(served.state === 'static' ? [notice(notServed)] : [notice(stopped), retry]));
  }
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
  /** @param {string} token @param {string} problem What to say if the token opens no workspace. */
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
  // Without a method that writes into the address, and the script handles it anyway.
  return element('form', { submit, method: 'post' }, [
    element('label', {}, ['Admin token of another workspace', field]),
    refusal,
    element('div', { class: 'ways' }, [
      element('button', {}, ['Use this workspace']),
      element('button', { type: 'button', click: demo }, ['Use the demo workspace']),
    ]),
  ]);
}
