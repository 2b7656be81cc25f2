import type { operations } from '../../../generated/start/types.ts';
import type { Handlers } from '../../contract/types.ts';
import type { pageTable, WebFailure } from '../failures.ts';
import { showStart } from './operations/start-page.ts';
import type { StartCaller, StartPage } from './start.ts';

/** One handler for each operation of start.yaml. */
export const startHandlers: Handlers<operations, StartPage, StartCaller, WebFailure, typeof pageTable> = { showStart };
