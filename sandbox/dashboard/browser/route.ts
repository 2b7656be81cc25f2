/** Routing: the address alone determines the content of the page. Also returns the addresses of pages. */
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Schemas } from './api.ts';

export interface Route {
  /** The screen's name in the address; `overview` if there is none. */
  screen: string;
  /** The open item of the screen. */
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
 * Navigates to an address of the dashboard without loading a page. `replace` replaces the current history entry. `stay`
 * retains the scroll position.
 */
export function go(href: string, { replace = false, stay = replace }: { replace?: boolean; stay?: boolean } = {}) {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  if (!stay) scrollTo(0, 0);
  for (const watcher of watchers) watcher();
}

/** Returns the current route. The component is rendered again when the route changes. */
export function useRoute() {
  useWatched(watchers);
  return read();
}

/** Renders the component again whenever the watchers are called. */
export function useWatched(watched: Set<() => void>) {
  const [, draw] = useState(0);
  // Subscribe during the render task. With a later effect, changes in between would appear only with the next one.
  useLayoutEffect(() => {
    const watcher = () => draw((count) => count + 1);
    watched.add(watcher);
    return () => void watched.delete(watcher);
  }, []);
}

/** Returns the current address with changed query parameters. Empty and undefined values are removed. */
export function withQuery(changes: Record<string, string | number | undefined>) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name);
    else query.set(name, String(value));
  }
  return query.size === 0 ? location.pathname : `${location.pathname}?${query}`;
}

/** Returns the dashboard address of a redemption. */
export function redemptionAddress(code: string) {
  return `/dashboard/redemptions/${encodeURIComponent(code)}`;
}

/** Makes links to screens switch the screen. All other links load a page. */
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

/** Links from a call to the documentation. */

/** Returns the reference link of an operation; `undefined` for a call outside the contracts. */
export function docsOf({ operation, party }: Schemas['ActivityCall'], api: string | undefined) {
  const page = api ?? (party === 'sandbox' ? 'sandbox' : undefined);
  return operation === null || page === undefined ? undefined : `/docs/reference/${page}#operation/${operation}`;
}

/**
 * Returns the link that explains a refusal: by its code or, for the client, whose code is always 0, by its message.
 * Returns `undefined` if the reply is not a refusal in one of the two envelopes.
 */
export function adviceOf(reply: unknown) {
  const { code, data } = (reply ?? {}) as { code?: unknown; data?: { code?: unknown; message?: unknown } | null };
  if (typeof code === 'number' && code > 0) return `/docs/errors#code-${code}`;
  if (data?.code !== 0 || typeof data.message !== 'string') return undefined;
  // The message of a 404 names the missing resource, so the documentation cannot list it.
  const message = data.message.endsWith(' does not exist') ? 'Not found' : data.message;
  const words = message.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `/docs/errors#${words.join('-')}`;
}
