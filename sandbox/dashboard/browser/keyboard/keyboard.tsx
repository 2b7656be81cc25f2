/** Handles the dashboard's keyboard shortcuts, and shows the help and the palette. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, withQuery } from '../route.ts';
import { Help, Palette } from './dialogs.tsx';
import { type Command, commandOf } from './keys.ts';

/** Local storage key of the setting that turns single-key shortcuts off. */
const offPlace = 'dashboard-single-keys-off';
/** Maximum milliseconds between `g` and the letter after it. */
const prefixTime = 1500;
/** Selector of the element that opens a row. */
const openers = 'a[href], button';

/** Returns the screens in the navigation. */
function screensOf() {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-screen]')];
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

/** Closes the open item of a screen: removes the entry or the redemption from the address. */
function closeOpen() {
  if (new URLSearchParams(location.search).has('seq'))
    go(withQuery({ seq: undefined, edit: undefined, tab: undefined }), { stay: true });
  else if (/^\/dashboard\/redemptions\/./.test(location.pathname)) go('/dashboard/redemptions');
}

/** Moves the focus one row down or up. From outside the list, it moves to the row that the Tab key reaches. */
function moveInList(by: 1 | -1) {
  const list = document.querySelector('#screen .windowed');
  if (list instanceof HTMLElement) moveInWindowed(list, by);
  else moveInTable(by);
}

/** A virtual list draws only the visible rows. Its own arrow keys reach the others. */
function moveInWindowed(list: HTMLElement, by: 1 | -1) {
  if (!list.contains(document.activeElement)) {
    (list.querySelector('a:not([tabindex="-1"])') as HTMLElement | null)?.focus();
    return;
  }
  const key = by === 1 ? 'ArrowDown' : 'ArrowUp';
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

function moveInTable(by: 1 | -1) {
  const rows = [...document.querySelectorAll('#screen tbody tr')].flatMap((row) => {
    const opener = row.querySelector(openers);
    return opener instanceof HTMLElement ? [{ row, opener }] : [];
  });
  const at = rows.findIndex(({ row }) => row.contains(document.activeElement));
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
  rows[next]?.opener.focus();
}

/** Runs the command of a key. */
function obey(command: Command, show: (dialog: 'help' | 'palette') => void) {
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
  const [openDialog, setOpenDialog] = useState<'help' | 'palette' | undefined>(undefined);
  const [isOn, setOn] = useState(localStorage.getItem(offPlace) === null);
  const prefixed = useRef(-Infinity);
  // The listener is registered once, and a ref gives it the current value.
  const single = useRef(isOn);
  single.current = isOn;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const afterPrefix = event.timeStamp - prefixed.current < prefixTime;
      const hasDialog = document.querySelector('dialog[open]') !== null;
      const command = commandOf(event, { isTyping: isTyping(), hasDialog, afterPrefix, isOn: single.current });
      prefixed.current = command?.kind === 'prefix' ? event.timeStamp : -Infinity;
      if (command === undefined) return;
      if (command.kind !== 'close') event.preventDefault();
      obey(command, setOpenDialog);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  const turn = (on: boolean) => {
    if (on) localStorage.removeItem(offPlace);
    else localStorage.setItem(offPlace, '1');
    single.current = on;
    setOn(on);
  };
  /** A browser reports a closed dialog with a delay, when another one may already be open. */
  const close = (dialog: 'help' | 'palette') => setOpenDialog((now) => (now === dialog ? undefined : now));
  if (openDialog === 'help')
    return <Help key="help" screens={screensOf()} isOn={isOn} turn={turn} close={() => close('help')} />;
  if (openDialog === undefined) return null;
  return (
    <Palette
      key="palette"
      screens={screensOf()}
      showHelp={() => setOpenDialog('help')}
      close={() => close('palette')}
    />
  );
}
