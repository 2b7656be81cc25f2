import type { Defect } from './defect.ts';
import { domain } from './defects/domain.ts';

/** All planted defects, by the part of the code that they are in. */
export const defects: readonly Defect[] = [...domain];
