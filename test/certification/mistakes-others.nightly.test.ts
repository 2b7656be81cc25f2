/** Tests each mistake in sign-in, version 2.0 or robustness against every requirement. */
import { holdsTable } from './table.ts';

holdsTable('otp', 'v2', 'robustness');
