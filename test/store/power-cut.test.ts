import { powerCuts } from './power-cuts.ts';
import { severalLines } from './several-lines.ts';

powerCuts(7);
severalLines(7);
