import { diskCells } from './disk-cells.ts';
import { ways } from './failing-once.ts';

diskCells(ways, 101, [7]);
