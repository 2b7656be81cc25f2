import { readFileSync } from 'node:fs';
import { digest } from '../runtime/secrets.ts';

/** A file that pages load, under a name that changes with its contents. */
export interface Asset {
  readonly name: string;
  readonly type: 'text/css' | 'text/javascript' | 'image/svg+xml';
  readonly text: string;
}

/** Style, script and icon of all pages, read from beside this file (OP-98). */
export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  readonly icon: Asset;
}

export function readAssets(): Assets {
  return {
    style: read('pages.css', 'text/css'),
    script: read('pages.js', 'text/javascript'),
    icon: read('icon.svg', 'image/svg+xml'),
  };
}

function read(file: string, type: Asset['type']): Asset {
  const text = readFileSync(new URL(`assets/${file}`, import.meta.url), 'utf8');
  return { name: file.replace('.', `-${digest(text).slice(0, 12)}.`), type, text };
}
