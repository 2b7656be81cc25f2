import { readFileSync } from 'node:fs';
import { digest } from '../runtime/secrets.ts';
import type { Asset } from './assets.ts';
import { readModules } from './modules.ts';

/** What all pages load, read from beside this file (OP-98). */
export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  readonly icon: Asset;
  /** What the dashboard loads beside these: its style, and its modules, the first of them first. */
  readonly dashboard: { readonly style: Asset; readonly modules: readonly Asset[] };
}

/** Reads them, once in a process: they do not change while it lives. */
export function readAssets(): Assets {
  known ??= {
    style: read('pages.css', 'text/css'),
    script: read('pages.js', 'text/javascript'),
    icon: read('icon.svg', 'image/svg+xml'),
    dashboard: {
      style: read('dashboard.css', 'text/css'),
      modules: readModules(new URL('assets/dashboard/', import.meta.url), 'main.js'),
    },
  };
  return known;
}

let known: Assets | undefined;

/** All of them, each under its name. */
export function assetsByName({ style, script, icon, dashboard }: Assets): ReadonlyMap<string, Asset> {
  const all = [style, script, icon, dashboard.style, ...dashboard.modules];
  return new Map(all.map((asset) => [asset.name, asset]));
}

function read(file: string, type: Asset['type']): Asset {
  const text = readFileSync(new URL(`assets/${file}`, import.meta.url), 'utf8');
  return { name: file.replace('.', `-${digest(text).slice(0, 12)}.`), type, text };
}
