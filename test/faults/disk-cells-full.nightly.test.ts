import { diskCells } from './disk-cells.ts';

diskCells(['ENOSPC', 'a short write', 'a short write, then ENOSPC'], 2, [1, 2]);
