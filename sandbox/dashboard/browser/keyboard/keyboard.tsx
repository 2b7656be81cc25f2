/** Handles the dashboard's keyboard shortcuts, and shows the help and the palette that opens a screen or finds a code. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useOperations } from '../calls.ts';
import { go, withQuery } from '../route.ts';
import { type Command, commandOf, destinations, help, screenKeys } from './keys.ts';

/** Local storage key of the setting that turns single-key shortcuts off. */
const offPlace = 'dashboard-single-keys-off';
/** Maximum milliseconds between `g` and the letter after it. */
const prefixTime = 1500;

/** Returns the screens in the navigation. */
function screensOf() {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[data-screen]')];
  return links.map(({ textContent, pathname: href, dataset }) => {
    return { name: textContent ?? '', href, screen: dataset.screen ?? '' };
  });
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
  if (list === null) return moveInTable(by);
  if (!list.contains(document.activeElement)) return list.querySelector<HTMLElement>('a:not([tabindex="-1"])')?.focus();
  // A virtual list draws only the visible rows. Its own arrow keys reach the others.
  const key = by === 1 ? 'ArrowDown' : 'ArrowUp';
  document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

function moveInTable(by: 1 | -1) {
  const rows = [...document.querySelectorAll('#screen tbody tr')].flatMap((row) => {
    const opener = row.querySelector<HTMLElement>('a[href], button');
    return opener === null ? [] : [{ row, opener }];
  });
  const at = rows.findIndex(({ row }) => row.contains(document.activeElement));
  const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), rows.length - 1);
  rows[next]?.opener.focus();
}

/** Runs the command of a key. */
function obey(command: Command, show: (dialog: DialogName) => void) {
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

/** Listens for the shortcuts, and shows the open dialog. */
export function Keyboard() {
  const [openDialog, setOpenDialog] = useState<DialogName>();
  const [isOn, setOn] = useState(localStorage.getItem(offPlace) === null);
  const prefixed = useRef(-Infinity);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const afterPrefix = event.timeStamp - prefixed.current < prefixTime;
      const hasDialog = document.querySelector('dialog[open]') !== null;
      const command = commandOf(event, { isTyping: isTyping(), hasDialog, afterPrefix, isOn });
      prefixed.current = command?.kind === 'prefix' ? event.timeStamp : -Infinity;
      if (command === undefined) return;
      if (command.kind !== 'close') event.preventDefault();
      obey(command, setOpenDialog);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOn]);
  const turn = (on: boolean) => {
    if (on) localStorage.removeItem(offPlace);
    else localStorage.setItem(offPlace, '1');
    setOn(on);
  };
  /** A browser reports a closed dialog with a delay, when another one may already be open. */
  const close = () => setOpenDialog((now) => (now === openDialog ? undefined : now));
  if (openDialog === undefined) return null;
  if (openDialog === 'help') return <Help close={close} isOn={isOn} turn={turn} />;
  return <Palette close={close} showHelp={() => setOpenDialog('help')} />;
}

type DialogName = 'help' | 'palette';

/** A dialog that closes on Escape and then restores the focus. */
function Dialog({ label, close, children }: { label: string; close: () => void; children?: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="keyboard" aria-label={label} ref={dialog} onClose={close}>
      {children}
    </dialog>
  );
}

function Help({ isOn, turn, close }: { isOn: boolean; turn: (on: boolean) => void; close: () => void }) {
  const screens = screensOf();
  const ofScreens = Object.entries(screenKeys).flatMap(([key, screen]) =>
    screens.filter((one) => one.screen === screen).map(({ name }) => [['g', key], name] as const),
  );
  return (
    <Dialog label="Keyboard shortcuts" close={close}>
      <form method="dialog">
        <h2>Keyboard shortcuts</h2>
        <dl>
          {[...help, ...ofScreens].map(([keys, text]) => (
            <div>
              <dt>{keys.flatMap((key) => [<kbd>{key}</kbd>, ' '])}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => turn(currentTarget.checked)} />
          <span>Use single keys (Ctrl+K and Esc always work)</span>
        </label>
        <div class="ways">
          <button autofocus>Close</button>
        </div>
      </form>
    </Dialog>
  );
}

function Palette({ showHelp, close }: { showHelp: () => void; close: () => void }) {
  const [text, setText] = useState('');
  const [screens] = useState(screensOf);
  const operations = useOperations();
  // The page links to the documentation only if it is served.
  const hasDocs = document.querySelector('a[href="/docs/"]') !== null;
  const found = destinations(text, screens, hasDocs ? operations : []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (found[0]) open(found[0].href);
  };
  const open = (href: string) => {
    close();
    if (href.startsWith('/dashboard')) go(href);
    else location.assign(href);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const dialog = event.currentTarget as HTMLElement;
    const stops = [...dialog.querySelectorAll('input, li a')] as HTMLElement[];
    const at = stops.findIndex((stop) => stop.matches(':focus'));
    stops[event.key === 'ArrowDown' ? at + 1 : at - 1]?.focus();
  };
  return (
    <Dialog label="Go to" close={close}>
      <form onSubmit={submit} onKeyDown={press}>
        <label class="field">
          <span>Go to a screen or an operation, or search for a code</span>
          <input
            type="search"
            autocomplete="off"
            autofocus
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            placeholder="Traffic, RDM-…, CUST0007, generateOtp"
          />
        </label>
        <ul>
          {found.map(({ name, href }) => (
            <li>
              <a href={href} onClick={close}>
                {name}
              </a>
            </li>
          ))}
        </ul>
        <div class="ways">
          <button type="button" class="quiet" onClick={showHelp}>
            Keyboard shortcuts
          </button>
        </div>
      </form>
    </Dialog>
  );
}
