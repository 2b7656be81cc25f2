import type { components } from '../../generated/sandbox/types.ts';
import type { Work } from '../jobs/due.ts';

type Piece = components['schemas']['Ran']['items'][number];

/** Most pieces that a reply lists. */
const most = 1000;

/** The pieces of work that a reply lists, in the order in which they ran. */
export class RanList {
  readonly items: Piece[] = [];

  add({ id, kind, at }: Work): void {
    if (this.items.length < most) this.items.push({ id, kind, at: new Date(at).toISOString() });
  }
}
