import { powerCuts } from './power-cuts.ts';
import { severalLines } from './several-lines.ts';

powerCuts(1);
severalLines(1);
