import { createRequire } from 'node:module';
import { once } from './once.ts';

/** Packages that a start does without: each is loaded when it is first asked for. */
const load = createRequire(import.meta.url);

/** What calls to other parties go by. */
export const undici = once(() => load('undici') as typeof import('undici'));

/** What tokens are signed and checked with. */
export const jose = once(() => load('jose') as typeof import('jose'));
