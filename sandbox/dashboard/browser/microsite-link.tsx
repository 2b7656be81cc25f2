/** Links and commands with which a user makes the first calls. */
import type { ComponentChildren } from 'preact';
import { api, ask, type Schemas } from './api.ts';
import { useFresh } from './live.ts';
import { Code, Empty } from './parts.tsx';

/** A link to this workspace's microsite. Each workspace has its own, unless only this machine can reach the sandbox. */
export function MicrositeLink({ children }: { children: ComponentChildren }) {
  const { data } = useFresh(() => ask(api.GET('/workspace')), []);
  return data === undefined ? children : <a href={data.urls.microsite}>{children}</a>;
}

interface FirstCallProps {
  title: string;
  children: ComponentChildren;
  /** Describes the command for screen readers. */
  label: string;
  commandOf: (workspace: Schemas['Workspace']) => string;
}

/** Replaces an empty list, with a command that fills it. */
export function FirstCall({ title, children, label, commandOf }: FirstCallProps) {
  const { data } = useFresh(() => ask(api.GET('/workspace')), []);
  return [<Empty title={title}>{children}</Empty>, data && <Code label={label} value={commandOf(data)} />];
}
