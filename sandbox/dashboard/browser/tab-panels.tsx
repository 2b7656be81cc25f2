/** Tabs of which one panel is in the page: the arrow keys lead from tab to tab, and the tab key into the panel. */
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

type TabPanel = { id: string; title: string; count?: number | undefined; children: ComponentChildren };

/** Without a `current` that exists, the first panel is open. */
export function TabPanels({
  label,
  panels,
  current,
  choose,
}: {
  label: string;
  panels: readonly TabPanel[];
  current: string | null;
  choose: (id: string) => void;
}) {
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
