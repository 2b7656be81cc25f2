import { ways } from '../harness/failing-once.ts';
import { diskCells } from './disk-cells.ts';

diskCells(ways, 101, [7]);
