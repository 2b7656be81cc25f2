// @ts-check
/** The help of the keyboard, and the palette that opens a screen or searches for a code. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useOperations } from '../calls.js';
import { html } from '../html.js';
import { go } from '../route.js';
import { destinations, help, screenKeys } from './keys.js';

/** @typedef {{ name: string, href: string, screen: string }} Screen */

/**
 * A dialog that Escape closes. The focus goes back to where it was.
 * @param {{ label: string, close: () => void, children?: unknown }} given
 */
function Dialog({ label, close, children }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return html`<dialog class="keyboard" aria-label=${label} ref=${dialog} onClose=${close}>${children}</dialog>`;
}

/**
 * @param {{ screens: readonly Screen[], isOn: boolean, turn: (on: boolean) => void, close: () => void }} given
 */
export function Help({ screens, isOn, turn, close }) {
  const ofScreens = Object.entries(screenKeys).flatMap(([key, screen]) =>
    screens.filter((one) => one.screen === screen).map(({ name }) => /** @type {const} */ ([['g', key], name])),
  );
  return html`
    <${Dialog} label="Keyboard shortcuts" close=${close}>
      <form method="dialog">
        <h2>Keyboard shortcuts</h2>
        <dl>${[...help, ...ofScreens].map(([keys, text]) => html`<div><dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${text}</dd></div>`)}</dl>
        <label class="check">
          <input type="checkbox" checked=${isOn} onChange=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => turn(currentTarget.checked)} />
          <span>Use single keys (Ctrl+K and Esc always work)</span>
        </label>
        <div class="ways"><button autofocus>Close</button></div>
      </form>
    <//>
  `;
}

/**
 * @param {{ screens: readonly Screen[], showHelp: () => void, close: () => void }} given
 */
export function Palette({ screens, showHelp, close }) {
  const [text, setText] = useState('');
  const operations = useOperations();
  // The shell links to the documentation where it is served.
  const hasDocs = document.querySelector('a[href="/docs/"]') !== null;
  const found = destinations(text, screens, hasDocs ? operations : []);
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    const [first] = found;
    if (first !== undefined) open(first.href);
  };
  /** @param {string} href */
  const open = (href) => {
    close();
    if (href.startsWith('/dashboard')) go(href);
    else location.assign(href);
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const dialog = /** @type {HTMLElement} */ (event.currentTarget);
    const stops = /** @type {HTMLElement[]} */ ([...dialog.querySelectorAll('input, li a')]);
    const at = stops.findIndex((stop) => stop.matches(':focus'));
    stops[event.key === 'ArrowDown' ? at + 1 : at - 1]?.focus();
  };
  return html`
    <${Dialog} label="Go to" close=${close}>
      <form onSubmit=${submit} onKeyDown=${press}>
        <label class="field">
          <span>Go to a screen or an operation, or search for a code</span>
          <input type="search" autocomplete="off" autofocus value=${text} onInput=${(/** @type {{ currentTarget: HTMLInputElement }} */ { currentTarget }) => setText(currentTarget.value)} placeholder="Traffic, RDM-…, CUST0007, generateOtp" />
        </label>
        <ul>${found.map(({ name, href }) => html`<li><a href=${href} onClick=${close}>${name}</a></li>`)}</ul>
        <div class="ways"><button type="button" class="quiet" onClick=${showHelp}>Keyboard shortcuts</button></div>
      </form>
    <//>
  `;
}
