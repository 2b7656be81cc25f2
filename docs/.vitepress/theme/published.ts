/** Detects the host of a page: a sandbox, or a static host that may serve several versions of the site. */

/** The list of versions (`versions.json`) that a static host serves next to the version folders (tools/docs/publish.ts). */
interface Versions {
  readonly latest: string;
  /** Newest first. */
  readonly versions: readonly string[];
}

/** The contents of the version menu. */
export interface VersionMenu {
  readonly options: readonly { readonly folder: string; readonly text: string }[];
  /** The folder of the current page's version. */
  readonly current: string;
}

let served: Promise<boolean> | undefined;

/** Reports whether a sandbox serves the site at `base`. Sandboxes serve it only at /docs/. Also true if the sandbox has stopped since. */
export function isOfSandbox(base: string): Promise<boolean> {
  served ??= findSandbox(base);
  return served;
}

/** The session storage key under which the dashboard and the console store the admin token until the tab closes (OP-68). */
const tokenPlace = 'sandbox-admin-token';

/** Calls the control API of the sandbox that serves the site at `base`. Returns `undefined` if no sandbox does or the reply is not JSON. */
export async function askSandbox(base: string, path: string): Promise<Response | undefined> {
  if (!(await isOfSandbox(base))) return undefined;
  const token = sessionStorage.getItem(tokenPlace);
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const reply = await fetch(`/sandbox/v1${path}`, { headers }).catch(() => undefined);
  return reply?.headers.get('content-type')?.startsWith('application/json') === true ? reply : undefined;
}

async function findSandbox(base: string): Promise<boolean> {
  if (new URL(base).pathname !== '/docs/') return false;
  const reply = await fetch('/sandbox/v1/health').catch(() => undefined);
  return reply?.headers.has('x-trace-id') ?? true;
}

/** Returns the version menu of the site at `base`, or `undefined` if its host has no list of versions. */
export async function findVersions(base: string): Promise<VersionMenu | undefined> {
  if (await isOfSandbox(base)) return undefined;
  const reply = await fetch(new URL('../versions.json', base)).catch(() => undefined);
  if (!reply?.ok || !/json/.test(reply.headers.get('content-type') ?? '')) return undefined;
  const { latest, versions } = (await reply.json()) as Versions;
  const here = new URL(base).pathname.split('/').at(-2) ?? '';
  const options = versions.map((version) =>
    version === latest ? { folder: 'latest', text: `${version} (latest)` } : { folder: version, text: version },
  );
  return { options, current: here === latest ? 'latest' : here };
}

/** Opens this page in another version, or the start page of that version if the page does not exist there. */
export async function goToVersion(base: string, folder: string): Promise<void> {
  const there = new URL(`../${folder}/`, base);
  const page = new URL(location.href.slice(base.length), there);
  const reply = await fetch(page, { method: 'HEAD' }).catch(() => undefined);
  location.assign(reply?.ok ? page : there);
}
