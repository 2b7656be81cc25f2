/** Mistakes with tokens, credentials and the form of replies, each against every requirement. */
import { holdsTable } from './table.ts';

holdsTable('tokens', 'basic', 'envelopes', 'shapes');
