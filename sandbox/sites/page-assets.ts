import { readFileSync } from 'node:fs';
import { once } from '../runtime/once.ts';
import { digest } from '../runtime/secrets.ts';
import { type Asset, asset } from './assets.ts';
import { type DashboardBuild, dashboardBuild } from './dashboard-build.ts';

/** What all pages load, read from beside this file (OP-98). */
export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  readonly icon: Asset;
  /** What the microsite loads beside these. */
  readonly microsite: { readonly style: Asset; readonly script: Asset };
  /** What the dashboard loads beside these; undefined in a checkout where it is not built yet. */
  readonly dashboard: DashboardBuild | undefined;
}

// They do not change while the process lives: each is read once, on the first page request, not at the start.
const style = once(() =>
  read(
    'pages.css',
    'text/css',
    ['tokens', 'base', 'parts', 'catalogue', 'portal', 'start'].map((part) => `assets/pages/${part}.css`),
  ),
);
const script = once(() => read('pages.js', 'text/javascript'));
const icon = once(() => read('icon.svg', 'image/svg+xml'));
const microsite = once(() => ({
  style: read('microsite.css', 'text/css'),
  script: read('microsite.js', 'text/javascript'),
}));
const byName = once(() => {
  const all = [style(), script(), icon(), microsite().style, microsite().script];
  return new Map(all.map((asset) => [asset.name, asset]));
});

/** All that pages load. */
export const pageAssets: Assets = {
  get style() {
    return style();
  },
  get script() {
    return script();
  },
  get icon() {
    return icon();
  },
  get microsite() {
    return microsite();
  },
  get dashboard() {
    return dashboardBuild();
  },
};

/** All of them, each under its name. */
export const assetsByName: Pick<ReadonlyMap<string, Asset>, 'get'> = {
  get: (name) => byName().get(name) ?? dashboardBuild()?.files.get(name),
};

/** A file that pages load, of one part, or of several behind each other. */
function read(file: string, type: Asset['type'], parts: readonly string[] = [`assets/${file}`]): Asset {
  const text = parts.map((part) => readFileSync(new URL(part, import.meta.url), 'utf8')).join('\n');
  return asset(file.replace('.', `-${digest(text).slice(0, 12)}.`), type, text);
}
