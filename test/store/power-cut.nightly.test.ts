import { powerCuts } from './power-cuts.ts';

powerCuts(1);
