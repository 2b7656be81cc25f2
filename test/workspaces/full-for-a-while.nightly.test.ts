import { fullForAWhile } from './full-for-a-while.ts';

fullForAWhile(Array.from({ length: 40 }, (_, index) => index + 1));
