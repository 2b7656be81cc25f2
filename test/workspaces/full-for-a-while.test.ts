import { fullForAWhile } from './full-for-a-while.ts';

fullForAWhile([3, 7, 8, 14]);
