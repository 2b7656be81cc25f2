/** A file that pages load, under a name that changes with its contents. */
export interface Asset {
  readonly name: string;
  readonly type: 'text/css' | 'text/javascript' | 'image/svg+xml';
  readonly text: string;
}
