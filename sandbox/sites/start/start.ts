import type { operations } from '../../../generated/start/types.ts';
import type { Call, DocumentedFailure, Reply } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Site } from '../site.ts';

/** The addresses that the start page names. */
export type StartUrls = Readonly<Record<'dashboard' | 'microsite' | 'rewards' | 'sandbox', string>>;

/** What the start page is made of. */
export interface StartPage {
  readonly site: Site;
  /** Whether the documentation is served. */
  readonly docs: boolean;
  readonly urls: () => StartUrls;
}

/** Anyone may see it: it holds nothing of a workspace. */
export type StartCaller = { readonly kind: 'anyone' };
export type StartCall<Id extends keyof operations> = Call<operations[Id], StartCaller>;
export type StartReply<Id extends keyof operations> =
  | Reply<operations[Id]>
  | DocumentedFailure<operations[Id], WebFailure, typeof pageTable>;
