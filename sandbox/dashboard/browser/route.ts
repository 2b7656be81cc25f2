/** The address alone decides what the page shows. */
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Route {
  /** Its name in the address; `overview` for none. */
  screen: string;
  /** What of the screen is open. */
  subject: string | undefined;
  query: URLSearchParams;
}

const watchers = new Set<() => void>();

function read(): Route {
  const [screen = '', subject] = location.pathname.replace(/^\/dashboard\/?/, '').split('/');
  return {
    screen: screen === '' ? 'overview' : screen,
    subject: subject === undefined ? undefined : decodeURIComponent(subject),
    query: new URLSearchParams(location.search),
  };
}

/**
 * Goes to an address of the dashboard without loading a page again. With `replace` the back button does not come back
 * here, with `stay` the window is not scrolled to its top.
 */
export function go(href: string, { replace = false, stay = replace }: { replace?: boolean; stay?: boolean } = {}) {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  if (!stay) scrollTo(0, 0);
  for (const watcher of watchers) watcher();
}

/** Where we are; the component is drawn again when that changes. */
export function useRoute() {
  const [route, setRoute] = useState(read);
  useLayoutEffect(() => {
    const watcher = () => setRoute(read());
    watchers.add(watcher);
    return () => void watchers.delete(watcher);
  }, []);
  return route;
}

/** The present address with other values in its query; those that are empty or undefined are left out. */
export function withQuery(changes: Record<string, string | number | undefined>) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
}

/** Where the dashboard shows a redemption. */
export function redemptionAddress(code: string) {
  return `/dashboard/redemptions/${encodeURIComponent(code)}`;
}

/** Links to screens change the screen; all others load a page. */
export function followLinks() {
  addEventListener('popstate', () => {
    for (const watcher of watchers) watcher();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.origin !== location.origin) return;
    if (!/^\/dashboard(\/|$)/.test(link.pathname)) return;
    event.preventDefault();
    go(link.href, { replace: link.href === location.href });
  });
}
