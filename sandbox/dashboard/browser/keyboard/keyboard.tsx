// @ts-check
/** Listens to the keys of the dashboard, and shows the help and the palette. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { html } from '../html.js';
import { go, withQuery } from '../route.js';
import { Help, Palette } from './dialogs.js';
import { commandOf } from './keys.js';

/** Key of the local storage for the choice to turn single keys off. */
const offPlace = 'dashboard-single-keys-off';
/** Milliseconds in which a letter may follow `g`. */
const prefixTime = 1500;
/** What a row is opened by. */
const openers = 'a[href], button';

/** The screens of the navigation. */
function screensOf() {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll('a[data-screen]')]);
  return links.map((link) => ({
    name: link.textContent ?? '',
    href: link.pathname,
    screen: link.dataset.screen ?? '',
  }));
}

function isTyping() {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(activeElement.type);
  return activeElement?.matches('textarea, select, [contenteditable]') ?? false;
}

/** Closes what is open on a screen: its address without the entry, or without the redemption. */
function closeOpen() {
  if (new URLSearchParams(location.search).has('seq'))
    go(withQuery({ seq: undefined, edit: undefined, tab: undefined }), { stay: true });
  else if (/^\/dashboard\/redemptions\/./.test(location.pathname)) go('/dashboard/redemptions');
}

/**
 * Moves the focus one row on or back; from outside the list to the row that the tab key reaches.
 * @param {1 | -1} by
 */
function moveInList(by) {
  const list = document.querySelector('#screen .windowed');
  if (list instanceof HTMLElement) moveInWindowed(list, by);
  else moveInTable(by);
}

/**
 * A windowed list draws only the rows in view, and its own arrow keys reach the others.
 * @param {HTMLElement} list @param {1 | -1} by
 */
function moveInWindowed(list, by) {
  if (!list.contains(document.activeElement)) {
    /** @type {HTMLElement | null} */ (list.querySelector('a:not([tabindex="-1"])'))?.focus();
    return;
  }
  const key = by === 1 ? 'ArrowDown' : 'ArrowUp';
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

/** @param {1 | -1} by */
function moveInTable(by) {
  const rows = [...document.querySelectorAll('#screen tbody tr')].flatMap((row) => {
    const opener = row.querySelector(openers);
    return opener instanceof HTMLElement ? [{ row, opener }] : [];
  });
  const at = rows.findIndex(({ row }) => row.contains(document.activeElement));
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
  rows[next]?.opener.focus();
}

/**
 * Runs the command of a key.
 * @param {import('./keys.js').Command} command
 * @param {(dialog: 'help' | 'palette') => void} show
 */
function obey(command, show) {
  switch (command.kind) {
    case 'help':
    case 'palette':
      return show(command.kind);
    case 'next':
      return moveInList(1);
    case 'previous':
      return moveInList(-1);
    case 'close':
      return closeOpen();
    case 'go':
      return go(screensOf().find(({ screen }) => screen === command.screen)?.href ?? '/dashboard/');
    case 'search': {
      const search = document.querySelector('#screen input[type=search]');
      return search instanceof HTMLElement ? search.focus() : show('palette');
    }
  }
}

export function Keyboard() {
  const [shown, setShown] = useState(/** @type {'help' | 'palette' | undefined} */ (undefined));
  const [isOn, setOn] = useState(localStorage.getItem(offPlace) === null);
  const prefixed = useRef(-Infinity);
  // The listener stays, and knows of a change immediately.
  const single = useRef(isOn);
  single.current = isOn;
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const press = (event) => {
      if (event.defaultPrevented) return;
      const afterPrefix = event.timeStamp - prefixed.current < prefixTime;
      const hasDialog = document.querySelector('dialog[open]') !== null;
      const command = commandOf(event, { isTyping: isTyping(), hasDialog, afterPrefix, isOn: single.current });
      prefixed.current = command?.kind === 'prefix' ? event.timeStamp : -Infinity;
      if (command === undefined) return;
      if (command.kind !== 'close') event.preventDefault();
      obey(command, setShown);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  /** @param {boolean} on */
  const turn = (on) => {
    if (on) localStorage.removeItem(offPlace);
    else localStorage.setItem(offPlace, '1');
    single.current = on;
    setOn(on);
  };
  /**
   * A browser reports a closed dialog later, when another one may be open already.
   * @param {'help' | 'palette'} dialog
   */
  const close = (dialog) => setShown((now) => (now === dialog ? undefined : now));
  if (shown === 'help')
    return html`<${Help} key="help" screens=${screensOf()} isOn=${isOn} turn=${turn} close=${() => close('help')} />`;
  if (shown === undefined) return null;
  return html`<${Palette} key="palette" screens=${screensOf()} showHelp=${() => setShown('help')} close=${() => close('palette')} />`;
}
