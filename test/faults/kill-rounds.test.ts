import { killRounds } from './kill-rounds.ts';

killRounds(['one'], 3);
