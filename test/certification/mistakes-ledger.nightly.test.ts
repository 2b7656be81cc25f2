/** Tests each mistake with credits, deductions or status reports against every requirement. */
import { holdsTable } from './table.ts';

holdsTable('credits', 'deductions', 'status');
