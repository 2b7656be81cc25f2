import type { RegisteredApi } from './registry.ts';

/** A first segment that says that the next one is the key of a workspace. */
const form = /^\/w\/([^/?]+)(.*)$/s;
/** A key as workspaces have it. */
const keyForm = /^[0-9a-f]{32}$/;

/** An address, split into what leads to a workspace and what an API is asked there. */
export interface SplitAddress {
  /** The key of the workspace; undefined where the address names none. */
  readonly key: string | undefined;
  /** Path and query of the API. */
  readonly url: string;
}

/** The segments that lead to a workspace, before the prefix of an API (OP-63). */
export function workspacePath(key: string): string {
  return `/w/${key}`;
}

/** Splits path and query of an address, of this server or of a captured call. */
export function splitAddress(url: string): SplitAddress {
  const [, key, below = ''] = form.exec(url) ?? [];
  if (key === undefined) return { key, url };
  return { key, url: below.startsWith('/') ? below : `/${below}` };
}

/** Whether a key can be that of a workspace. */
export function isKey(key: string): boolean {
  return keyForm.test(key);
}

/**
 * Whether an API is also served at the addresses of workspaces: what platform and client host. The credentials of the
 * sandbox's own APIs always name their workspace, and an address must not open the control API.
 */
export function isAddressed({ host }: Pick<RegisteredApi, 'host'>): boolean {
  return host !== 'sandbox';
}
