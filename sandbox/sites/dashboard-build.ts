import { readFileSync, statSync } from 'node:fs';
import { type Asset, asset } from './assets.ts';

/** What `tools/dashboard/build.ts` writes beside the files of the dashboard. */
export interface Manifest {
  /** A key of the sources that the build was made from. */
  readonly sources: string;
  readonly style: string;
  /** What a page loads to show the screen of a module, by the module's path in `browser/`: the entry first. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
}

/** The built dashboard. */
export interface DashboardBuild {
  readonly style: Asset;
  /** The scripts of a screen, by the path of its module. Throws for a module that is no screen. */
  scriptsOf(module: string): readonly Asset[];
  readonly files: ReadonlyMap<string, Asset>;
}

const folder = new URL('../../generated/dashboard/browser/', import.meta.url);
const manifestFile = new URL('manifest.json', folder);

let current: { readonly changed: number; readonly build: DashboardBuild } | undefined;

/** The build of the dashboard, read again after it was built again; undefined in a checkout that has none yet. */
export function dashboardBuild(): DashboardBuild | undefined {
  const changed = statSync(manifestFile, { throwIfNoEntry: false })?.mtimeMs;
  if (changed === undefined) return undefined;
  if (current?.changed !== changed) current = { changed, build: read() };
  return current.build;
}

function read(): DashboardBuild {
  const { style, scripts }: Manifest = JSON.parse(readFileSync(manifestFile, 'utf8'));
  const files = new Map<string, Asset>();
  const load = (name: string, type: Asset['type']): Asset => {
    const file = files.get(name) ?? asset(name, type, readFileSync(new URL(name, folder), 'utf8'));
    files.set(name, file);
    return file;
  };
  const screens = new Map(
    Object.entries(scripts).map(([module, names]) => [module, names.map((name) => load(name, 'text/javascript'))]),
  );
  return {
    style: load(style, 'text/css'),
    scriptsOf(module) {
      const found = screens.get(module);
      if (found === undefined) throw new Error(`The build of the dashboard has no screen ${module}.`);
      return found;
    },
    files,
  };
}
