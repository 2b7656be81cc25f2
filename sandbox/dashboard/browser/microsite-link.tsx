import type { ComponentChildren } from 'preact';
import { api, ask } from './api.ts';
import { useFresh } from './live.ts';

/** A link to this workspace's microsite. Each workspace has its own, unless only this machine can reach the sandbox. */
export function MicrositeLink({ children }: { children: ComponentChildren }) {
  const { data } = useFresh(() => ask(api.GET('/workspace')), []);
  return data === undefined ? children : <a href={data.urls.microsite}>{children}</a>;
}
