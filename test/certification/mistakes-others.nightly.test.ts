/** Mistakes at sign-in, in version 2.0, and in robustness, each against every requirement. */
import { holdsTable } from './table.ts';

holdsTable('otp', 'v2', 'robustness');
