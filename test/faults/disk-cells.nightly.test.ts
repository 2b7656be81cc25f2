import { diskCells } from './disk-cells.ts';

// Split into four tests, so that none of them takes long.
diskCells(['EIO'], 4, [1, 2, 3, 4]);
