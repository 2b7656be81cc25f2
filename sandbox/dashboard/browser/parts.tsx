/** Pieces that several screens are made of. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CallFailure } from './api.ts';

/** Copies a text if the browser allows it; browsers do on localhost and under https. */
async function copy(text: string) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** A button that copies a text. `what` names the text for screen readers. */
export function Copy({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
  const [done, setDone] = useState('');
  const use = async () => {
    try {
      await copy(text);
      setDone('Copied');
    } catch {
      setDone('Blocked by the browser');
    }
    setTimeout(() => setDone(''), 2000);
  };
  return (
    <button type="button" class="small" onClick={use}>
      {done === '' ? label : done}
      <span class="unseen"> {what}</span>
    </button>
  );
}

/** A value in full, and a button that copies it. */
export function CodeToCopy({ text, what }: { text: string; what: string }) {
  return (
    <>
      <code>{text}</code> <Copy text={text} what={what} />
    </>
  );
}

/** Shown in place of an empty list, with what to do to fill it. */
export function Empty({ title, children }: { children?: ComponentChildren; title: string }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      <p>{children}</p>
    </div>
  );
}

/** Why something could not be loaded or done. */
export function Problem({ failure }: { failure: CallFailure }) {
  return (
    <div class="notice bad" role="alert">
      <p>{failure.message}</p>
      {failure.trace !== undefined && (
        <p class="quiet">
          Trace <code>{failure.trace}</code>
        </p>
      )}
    </div>
  );
}

/** A value as JSON, or as text where it is a text. */
export function Code({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div class="code">
      <pre tabindex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <Copy text={text} what={label} />
    </div>
  );
}

interface PanelProps {
  title: string;
  children?: ComponentChildren;
  aside?: ComponentChildren;
  waits?: boolean;
}

/**
 * A titled part of a screen. One that still waits for what is in it keeps so much room that nothing below is in sight.
 */
export function Panel({ title, children, aside, waits = false }: PanelProps) {
  return (
    <section class={waits ? 'panel waits' : 'panel'} aria-label={title}>
      <div class="head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** What a row is about: its title, and a quieter line of details. */
export function What({ title, detail }: { title: ComponentChildren; detail: ComponentChildren }) {
  return (
    <span class="what">
      <strong>{title}</strong>
      <span class="quiet">{detail}</span>
    </span>
  );
}

/** A row of a list: a link where it has an address. `before` and `children` are on both sides of what it is about. */
export function Row({
  href,
  isCurrent = false,
  before,
  children,
  ...what
}: Parameters<typeof What>[0] & {
  href?: string;
  isCurrent?: boolean;
  before?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const content = (
    <>
      {before}
      <What {...what} />
      {children}
    </>
  );
  return (
    <li>
      {href === undefined ? (
        <div class="row">{content}</div>
      ) : (
        <a class="row" href={href} aria-current={isCurrent ? 'true' : undefined}>
          {content}
        </a>
      )}
    </li>
  );
}

/** A text with code between backticks, as code. */
export function Marked({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** How a call ended, in colour and in words. */
export function Status({ status }: { status: number | null }) {
  const kind = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return <span class={`status ${kind}`}>{status ?? 'no response'}</span>;
}

interface TabsProps {
  label: string;
  views: readonly (readonly [href: string, title: string])[];
  current: string;
}

/** A choice between a few views of a screen, each with its address. */
export function Tabs({ label, views, current }: TabsProps) {
  const row = useRef<HTMLElement>(null);
  // On a phone they are one row, of which a part is seen.
  useEffect(
    () => row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [current],
  );
  return (
    <nav class="tabs" aria-label={label} ref={row}>
      {views.map(([href, title]) => (
        <a href={href} aria-current={title === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

type TabPanel = { id: string; title: string; count?: number | undefined; children: ComponentChildren };

interface TabPanelsProps {
  label: string;
  panels: readonly TabPanel[];
  current: string | null;
  choose: (id: string) => void;
}

/** Without a `current` that exists, the first panel is open. */
export function TabPanels({ label, panels, current, choose }: TabPanelsProps) {
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const open = panels.find(({ id }) => id === current) ?? panels[0];
  if (open === undefined) return null;
  const press = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const next = panels[after(event.key, panels.indexOf(open), panels.length)];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={press}>
        {panels.map(({ id, title, count = 0 }) => (
          <button
            type="button"
            role="tab"
            key={id}
            id={`${prefix}-tab-${id}`}
            data-tab={id}
            aria-selected={id === open.id}
            aria-controls={id === open.id ? `${prefix}-panel` : undefined}
            tabindex={id === open.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
            {count > 0 && (
              <>
                {' '}
                <span class="count">{count}</span>
              </>
            )}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${prefix}-panel`}
        key={open.id}
        aria-labelledby={`${prefix}-tab-${open.id}`}
        tabindex={0}
      >
        {open.children}
      </div>
    </>
  );
}

/** The tab that a key leads to; -1 for every other key. */
function after(key: string, at: number, count: number) {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : -1;
}
