import { killRounds } from './kill-rounds.ts';

killRounds(['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven'], 10);
