import { diskCells } from './disk-cells.ts';

diskCells(['EIO', 'ENOSPC', 'a short write', 'a short write, then ENOSPC'], 40);
