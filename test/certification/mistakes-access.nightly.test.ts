/** Tests each mistake with tokens, credentials or reply formats against every requirement. */
import { holdsTable } from './table.ts';

holdsTable('tokens', 'basic', 'envelopes', 'shapes');
