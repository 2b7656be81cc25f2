/** The keyboard help, and the palette that opens a screen or searches for a code. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useOperations } from '../calls.ts';
import { go } from '../route.ts';
import { destinations, help, screenKeys } from './keys.ts';

type Screen = { name: string; href: string; screen: string };

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

interface HelpProps {
  screens: readonly Screen[];
  isOn: boolean;
  turn: (on: boolean) => void;
  close: () => void;
}

export function Help({ screens, isOn, turn, close }: HelpProps) {
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
              <dt>
                {keys.map((key) => (
                  <>
                    <kbd>{key}</kbd>{' '}
                  </>
                ))}
              </dt>
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

interface PaletteProps {
  screens: readonly Screen[];
  showHelp: () => void;
  close: () => void;
}

export function Palette({ screens, showHelp, close }: PaletteProps) {
  const [text, setText] = useState('');
  const operations = useOperations();
  // The page links to the documentation only if it is served.
  const hasDocs = document.querySelector('a[href="/docs/"]') !== null;
  const found = destinations(text, screens, hasDocs ? operations : []);
  const submit = (event: Event) => {
    event.preventDefault();
    const [first] = found;
    if (first !== undefined) open(first.href);
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
