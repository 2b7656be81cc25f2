/** Components shared by several screens. */

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { CallFailure } from './api.ts';

/** Copies text to the clipboard. Outside localhost and HTTPS, it falls back to a text field. */
async function copy(text: string) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

/** A button that copies text to the clipboard. `what` describes the text for screen readers. */
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

/** A full value with a button that copies it. */
export function CodeToCopy({ text, what }: { text: string; what: string }) {
  return [<code>{text}</code>, ' ', <Copy text={text} what={what} />];
}

/** Replaces an empty list, with instructions to fill it. */
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

/** Replaces a list without matches, with a link to all items. */
export function NoMatches({ href, link = 'Clear filters' }: { href: string; link?: string }) {
  return (
    <Empty title="No matches">
      <a href={href}>{link}</a>
    </Empty>
  );
}

/** A count or another state of a list, which screen readers announce. */
export function Note({ look = 'quiet', children }: { look?: string; children: ComponentChildren }) {
  return (
    <p class={look} role="status">
      {children}
    </p>
  );
}

/** The header of a table. Its roles are explicit, because some tables are blocks on a phone. */
export function TableHead({ heads }: { heads: readonly string[] }) {
  return (
    <thead role="rowgroup">
      <tr role="row">
        {heads.map((head) => (
          <th role="columnheader" scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The reason why loading or an action failed. */
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

interface CodeProps {
  value: string;
  label: string;
  look?: string;
  children?: ComponentChildren;
}

/** A text with a copy button, drawn as `children` if given. */
export function Code({ value, label, look = 'code', children }: CodeProps) {
  return (
    <div class={look}>
      <pre tabindex={0} aria-label={label}>
        <code>{children ?? value}</code>
      </pre>
      <Copy text={value} what={label} />
    </div>
  );
}

interface PanelProps {
  title: string;
  children?: ComponentChildren;
  aside?: ComponentChildren;
  /** A state that screen readers announce. */
  status?: ComponentChildren;
  waits?: boolean;
}

/** A titled part of a screen. While its content loads, it reserves enough height to keep everything below out of view. */
export function Panel({ title, children, aside, status, waits = false }: PanelProps) {
  return (
    <section class={waits ? 'panel waits' : 'panel'} aria-label={title}>
      <div class="head">
        <h2>{title}</h2>
        {aside}
        {status && (
          <span class="quiet" role="status">
            {status}
          </span>
        )}
      </div>
      {children}
    </section>
  );
}

/** The subject of a row: its title, with secondary details below. */
export function What({ title, detail }: { title: ComponentChildren; detail: ComponentChildren }) {
  return (
    <span class="what">
      <strong>{title}</strong>
      <span class="quiet">{detail}</span>
    </span>
  );
}

type RowProps = Parameters<typeof What>[0] & {
  href?: string;
  isCurrent?: boolean;
  before?: ComponentChildren;
  children?: ComponentChildren;
};

/** A row of a list, which is a link if `href` is set. `before` precedes the subject, and `children` follow it. */
export function Row({ href, isCurrent = false, before, children, ...what }: RowProps) {
  const content = [before, <What {...what} />, children];
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

/** Text in which parts between backticks are formatted as code. */
export function Marked({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** The outcome of a call, as a colour and in words. */
export function Status({ status }: { status: number | null }) {
  const kind = status === null || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return <span class={`status ${kind}`}>{status ?? 'no response'}</span>;
}

/** Choices, each with its title. */
export type Options = readonly (readonly [value: string, title: string])[];

/** Links to the views of a screen, each with its own address. */
export function Tabs({ label, views, current }: { label: string; views: Options; current: string }) {
  const row = useRef<HTMLElement>(null);
  // On a phone, the tabs are a single scrolling row.
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

interface TabPanelsProps {
  label: string;
  panels: readonly { id: string; title: string; count?: number | undefined; children: ComponentChildren }[];
  current: string | null;
  choose: (id: string) => void;
}

/** Tabs of a panel. If `current` does not exist, the first tab is open. */
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
            {count > 0 && [' ', <span class="count">{count}</span>]}
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

/** Returns the index of the tab that a key selects; -1 for all other keys. */
function after(key: string, at: number, count: number) {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at + count - 1) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : -1;
}
