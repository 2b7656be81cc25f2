/** Mistakes with credits, deductions and status reports, each against every requirement. */
import { holdsTable } from './table.ts';

holdsTable('credits', 'deductions', 'status');
