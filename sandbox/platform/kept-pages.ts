import type { components as GeneralComponents } from '../../generated/general/types.ts';
import type { components } from '../../generated/rewards/types.ts';
import type { SharedBody } from '../contract/shared-body.ts';
import type { Store } from '../store/store.ts';
import type { PlatformBooks } from './books.ts';

/** A page of the rewards listing. */
export type CataloguePage = components['schemas']['CataloguePage'];
/** A page of the listing of the general API. */
export type ProductPage = GeneralComponents['schemas']['ProductPage'];

interface Kept<Page> {
  readonly shared: SharedBody<Page>;
  readonly bytes: number;
  /** From this instant on the request that it answers is refused; milliseconds on the sandbox clock. */
  readonly until: number;
}

/** Most bytes that the pages of a listing take in a workspace. */
const mostBytes = 4 * 1024 * 1024;
/** What a page takes for each byte of its text, its values among that, and what it takes beside; both measured. */
const bytesOfByte = 2;
const bytesBeside = 1024;

/**
 * The pages of a listing of the catalogue that is the same for all readers: made once, and dropped together as soon as
 * anything in the catalogue changes, a reset and the way back to a snapshot among that.
 */
export class KeptPages<Page> {
  readonly #most: number;
  /** The one that was not asked for longest comes first. */
  readonly #pages = new Map<string, Kept<Page>>();
  #bytes = 0;
  /** Which one comes last. */
  #newest: string | undefined;

  constructor(store: Pick<Store<PlatformBooks>, 'onCommit'>, most = mostBytes) {
    this.#most = most;
    store.onCommit((committed) => {
      if (committed === 'everything' || committed.some(({ collection }) => collection === 'items')) this.#drop();
    });
  }

  /** What all pages take. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The page that was kept for a request, undefined where there is none that still counts. */
  get(request: string, now: number): SharedBody<Page> | undefined {
    const kept = this.#pages.get(request);
    if (kept === undefined || now >= kept.until) return undefined;
    if (request !== this.#newest) {
      this.#pages.delete(request);
      this.#pages.set(request, kept);
      this.#newest = request;
    }
    return kept.shared;
  }

  /** Keeps the page of a request, and drops others where there is no room. Returns it. */
  keep(request: string, shared: SharedBody<Page>, until = Number.POSITIVE_INFINITY): SharedBody<Page> {
    const bytes = bytesBeside + 2 * request.length + bytesOfByte * shared.bytes.length;
    this.#forget(request);
    if (bytes > this.#most) return shared;
    this.#pages.set(request, { shared, bytes, until });
    this.#newest = request;
    this.#bytes += bytes;
    for (const [oldest] of this.#pages) {
      if (this.#bytes <= this.#most) break;
      this.#forget(oldest);
    }
    return shared;
  }

  #forget(request: string): void {
    this.#bytes -= this.#pages.get(request)?.bytes ?? 0;
    this.#pages.delete(request);
  }

  #drop(): void {
    this.#pages.clear();
    this.#bytes = 0;
  }
}
