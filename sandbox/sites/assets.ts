import { gzipSync } from 'node:zlib';

/** A file that pages load, under a name that changes with its contents. */
export interface Asset {
  readonly name: string;
  readonly type: 'text/css' | 'text/javascript' | 'image/svg+xml';
  readonly text: string;
  /** The text compressed, which is done once. */
  readonly gzip: Buffer;
}

/** A file of a text. */
export function asset(name: string, type: Asset['type'], text: string): Asset {
  return { name, type, text, gzip: gzipSync(text) };
}
