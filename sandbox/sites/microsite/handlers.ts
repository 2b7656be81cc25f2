import type { operations } from '../../../generated/microsite/types.ts';
import type { Handlers } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import type { Guest, Microsite } from './microsite.ts';
import * as customerPages from './operations/customer-pages.ts';
import * as signInPages from './operations/sign-in-pages.ts';

/** One handler for each operation of microsite.yaml. */
export const micrositeHandlers: Handlers<operations, Microsite, Guest, WebFailure, typeof pageTable> = {
  ...signInPages,
  ...customerPages,
};
