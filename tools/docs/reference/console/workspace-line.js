// @ts-check
/** The line of a panel that says where its calls go, and the field for another workspace's admin token. */
import { element } from './element.js';
import { adminToken, useToken } from './workspace.js';

const notServed =
  'This page is on a static site, so there is no sandbox to call. Start one with "npx --no-install rewards-sandbox" and open /docs there to send calls.';

/**
 * Draws the line. Only an open workspace takes calls.
 * @param {HTMLElement} place
 * @param {import('./workspace.js').Served} served
 */
export function drawWorkspace(place, served) {
  if (served.state === 'static') {
    place.replaceChildren(element('p', { class: 'notice' }, [notServed]));
    return;
  }
  const token = tokenForm();
  if (served.state === 'locked') {
    const wrong =
      adminToken() === ''
        ? 'From another machine, calls require an admin token.'
        : 'No workspace has this admin token.';
    place.replaceChildren(element('p', { class: 'notice' }, [wrong]), token);
    return;
  }
  place.replaceChildren(
    element('details', {}, [
      element('summary', {}, ['Workspace: ', element('code', {}, [served.workspace.id])]),
      token,
      ...(adminToken() === ''
        ? []
        : [element('button', { type: 'button', click: () => useToken('') }, ['Use the demo workspace'])]),
    ]),
  );
}

function tokenForm() {
  const field = element('input', { type: 'password', autocomplete: 'off', required: true });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    useToken(field.value.trim());
  };
  // Without a method that writes into the address, and the script handles it anyway.
  return element('form', { submit, method: 'post' }, [
    element('label', {}, ['Admin token of another workspace', field]),
    element('button', {}, ['Use this workspace']),
  ]);
}
