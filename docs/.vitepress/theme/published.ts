/** Where a page is served from: a sandbox, or a static host, which may have the site of several versions. */

/** What a host of several versions has next to the folders of the versions (tools/docs/publish.ts). */
interface Versions {
  readonly latest: string;
  /** The newest first. */
  readonly versions: readonly string[];
}

/** What the version menu offers. */
export interface VersionMenu {
  readonly options: readonly { readonly folder: string; readonly text: string }[];
  /** The folder of the page's version. */
  readonly current: string;
}

let served: Promise<boolean> | undefined;

/** Whether a sandbox serves the site at `base`, which it does below /docs/ only. One that has stopped counts. */
export function isOfSandbox(base: string): Promise<boolean> {
  served ??= findSandbox(base);
  return served;
}

/** Where the dashboard and the console keep the admin token until the tab is closed (OP-68). */
const tokenPlace = 'sandbox-admin-token';

/** The JSON reply of the control API of the sandbox that serves the site at `base`; undefined if none does. */
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

/** The version menu of the site at `base`; undefined where its host has no list of versions. */
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

/** Shows this page in another version, or the start page of that version where it has no such page. */
export async function goToVersion(base: string, folder: string): Promise<void> {
  const there = new URL(`../${folder}/`, base);
  const page = new URL(location.href.slice(base.length), there);
  const reply = await fetch(page, { method: 'HEAD' }).catch(() => undefined);
  location.assign(reply?.ok ? page : there);
}
